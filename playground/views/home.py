"""The home page: what there is, and what to do next."""

from dataclasses import dataclass

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_GET

from catalog.indexing import exposure_of
from catalog.models import Catalog, Import, Server, Tool
from catalog.requests import Request
from catalog.roles import Role, role_of
from playground.models import ChatModel, Run
from playground.runs.waiting import waiting_calls, with_waits
from playground.showcase.gallery import gallery
from playground.showcase.tour import stops

RUNS_SHOWN = 6
HELD_SHOWN = 5


@dataclass(frozen=True, slots=True)
class Step:
    """A step on the way from nothing to a recorded run."""

    title: str
    text: str
    url: str
    link: str
    done: bool
    least: Role = Role.VIEWER
    """The lowest role that can take it."""


@require_GET
def home(request: Request) -> HttpResponse:
    catalogs = [(catalog, exposure_of(catalog)) for catalog in Catalog.objects.with_parts()]
    role = role_of(request.user)
    picture, exposure = max(catalogs, key=lambda pair: len(pair[1].pool), default=(None, None))
    steps = [step for step in _steps(picture) if role >= step.least]
    context = {
        "catalogs": catalogs,
        "picture": picture,
        "exposure": exposure,
        "runs": with_waits(Run.objects.top_level()).select_related("catalog", "chat_model", "by")[:RUNS_SHOWN],
        "held": waiting_calls()[:HELD_SHOWN],
        "steps": steps,
        "next": next((step for step in steps if not step.done), None),
        "servers": Server.objects.count(),
        "tools": Tool.objects.here().count(),
        "troubled": Server.objects.exclude(sync_problem=""),
        "waiting": Import.objects.filter(state=Import.State.PLANNED).select_related("server"),
    }
    return render(request, "playground/home.html", context)


def _steps(catalog: Catalog | None) -> list[Step]:
    """The way in, each step done or not by what the rows show."""
    chosen = f"?catalog={catalog.slug}" if catalog else ""
    has_runs = Run.objects.exists()
    return [
        Step(
            "Take the tour",
            f"One recorded run in {len(stops()) + 1} stops: what a model is given, how it searches, and what that saves.",
            reverse("tour"),
            "Take the tour",
            has_runs,
        ),
        Step(
            "Search the sample",
            "Type what an agent would ask for, and see why each tool was found.",
            reverse("search") + chosen,
            "Open search",
            catalog is not None and has_runs,
        ),
        Step(
            "Watch a run",
            f"{len(gallery())} tasks that each show something else. The demo model is scripted and needs no key.",
            reverse("gallery"),
            "Open the gallery",
            has_runs,
            Role.PRESENTER,
        ),
        Step(
            "Connect your own tools",
            "An MCP server by command or address, or a saved tools/list answer.",
            reverse("servers"),
            "Add a server",
            Server.objects.own().exists(),
            Role.CURATOR,
        ),
        Step(
            "Shape a catalog",
            "Decide what one agent may discover, and what it sees from the start.",
            reverse("catalogs"),
            "Open catalogs",
            Catalog.objects.filter(servers__server__in=Server.objects.own()).exists(),
            Role.CURATOR,
        ),
        Step(
            "Bring your own model",
            "Any model that LiteLLM reaches, or any OpenAI-compatible address.",
            reverse("chat_models"),
            "Add a chat model",
            any(not model.is_scripted for model in ChatModel.objects.all()),
            Role.ADMIN,
        ),
    ]
