"""The gallery: tasks that each show something else, with the last run of each, to start at once."""

from dataclasses import dataclass
from typing import cast
from urllib.parse import urlencode

from asgiref.sync import sync_to_async
from django.contrib import messages
from django.contrib.auth.models import User
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_POST

from catalog.models import Catalog
from catalog.requests import Request
from catalog.roles import Role, needs
from playground.lane_forms import expected_of
from playground.models import ChatModel
from playground.models.chat_model import SCRIPTED
from playground.modes import MODES
from playground.runs.executing import begin
from playground.runs.lanes import Undertaking, begin_lanes
from playground.runs.threads import Setup
from playground.showcase.gallery import GalleryTask, gallery
from playground.showcase.last_runs import LastRun, last_runs


@dataclass(frozen=True, slots=True)
class Card:
    """`catalog` is None where the sample's is not there; `modes` are the titles of those that it runs in."""

    task: GalleryTask
    catalog: Catalog | None
    modes: tuple[str, ...]
    last: LastRun | None
    opens: str
    """The address of the form that it fills in."""


@require_GET
def gallery_page(request: Request) -> HttpResponse:
    return render(request, "playground/gallery.html", {"cards": cards()})


@require_POST
@needs(Role.PRESENTER)
async def gallery_run(request: Request, slug: str) -> HttpResponse:
    """Start a task with the demo model and go to its run."""
    task = next((one for one in gallery() if one.slug == slug), None)
    if task is None:
        raise Http404("There is no such task.")
    catalog = await Catalog.objects.filter(slug=task.catalog).afirst()
    chat_model = await ChatModel.objects.filter(name=SCRIPTED, enabled=True).afirst()
    if catalog is None or chat_model is None:
        lacking = "The demo model is switched off" if catalog else "Its catalog is not here"
        await sync_to_async(messages.error)(request, f"{lacking}: {task.title} was not started.")
        return redirect("gallery")
    by = cast(User, await request.auser())
    if task.lanes:
        common = Undertaking(task.task, by, expected="\n".join(expected_of(task.task)))
        setups = [Setup(catalog, chat_model, task.task, by, mode, context=task.context) for mode in task.lanes]
        return redirect(await begin_lanes(common, setups))
    return redirect(await begin(catalog, chat_model, task.task, by, context=task.context, mode=task.mode))


def cards() -> list[Card]:
    """The whole gallery, in its order."""
    catalogs = {row.slug: row for row in Catalog.objects.filter(slug__in={task.catalog for task in gallery()})}
    model, last = ChatModel.objects.filter(name=SCRIPTED).first(), last_runs(gallery())
    return [_card(task, catalogs.get(task.catalog), last.get(task.slug), model) for task in gallery()]


def _card(task: GalleryTask, catalog: Catalog | None, last: LastRun | None, model: ChatModel | None) -> Card:
    slugs = task.lanes or (task.mode or (catalog.mode if catalog else ""),)
    titles = tuple(MODES[slug].title if slug in MODES else slug for slug in slugs)
    models = {f"{place}-chat_model": model.pk for place, _ in enumerate(task.lanes, 1)} if model else {}
    opens = f"{reverse('lanes' if task.lanes else 'playground')}?{task.query}"
    return Card(task, catalog, titles, last, f"{opens}&{urlencode(models)}" if models else opens)
