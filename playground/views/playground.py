"""The playground: a catalog, a model and a task, and a run of them."""

from dataclasses import dataclass
from typing import Any, cast

from asgiref.sync import sync_to_async
from django.contrib.auth.models import User
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_GET, require_POST

from catalog.editions import Edition
from catalog.exposure import Exposure
from catalog.indexing import exposure_of
from catalog.models import Catalog
from catalog.person_kinds import KINDS, told
from catalog.policy import Context
from catalog.policy_rows import policy_shown
from catalog.policy_text import UnreadableError, read_context
from catalog.prompt_size import estimate_tools
from catalog.publishing.asking import edition_of, published
from catalog.publishing.standing import editions_of
from catalog.requests import Request
from catalog.roles import Role, needs
from catalog.search.settings import UnfitSettingsError, read_settings
from catalog.sources import sample
from catalog.tools import ToolSpec
from playground.forms import LimitsForm, StartForm, version_problem
from playground.models import ChatModel, Run
from playground.modes import MODES
from playground.modes.protocol import Offer
from playground.runs.executing import begin
from playground.runs.first_call import first_call
from playground.views.gallery import cards

MOST_SUGGESTIONS = 10
RECENT = 5
MOST_PEGS = 40


@dataclass(frozen=True, slots=True)
class Outlook:
    """What a run of a catalog begins with, and what stays hidden. Tokens are the estimate of one prompt's tools.

    `in_view` and `hidden` are tools of the catalog, `meta_tools` the mode's, `aids` the run's own.
    """

    exposure: Exposure
    in_view: tuple[ToolSpec, ...]
    hidden: tuple[ToolSpec, ...]
    meta_tools: tuple[ToolSpec, ...]
    aids: tuple[ToolSpec, ...]
    tokens: int
    tokens_all: int
    denied: int
    """Tools that the policy keeps from view."""

    @property
    def starting(self) -> int:
        return len(self.meta_tools) + len(self.aids) + len(self.in_view)

    @property
    def pegs(self) -> tuple[ToolSpec, ...]:
        """Those in view that the page names."""
        return self.in_view[:MOST_PEGS]

    @property
    def more(self) -> int:
        """Those in view that it does not name."""
        return len(self.in_view) - len(self.pegs)

    @property
    def saved(self) -> int:
        return self.tokens_all - self.tokens


@require_GET
def playground(request: Request) -> HttpResponse:
    """The form; `?catalog=`, `?version=`, `?mode=`, `?task=` and `?context=` fill it in. Without a catalog, the gallery beside it."""
    return _page(request, StartForm(initial=request.GET.dict()))


@require_POST
@needs(Role.PRESENTER)
async def run_start(request: Request) -> HttpResponse:
    """Start a run and go to its page, where it is watched."""
    form, limits = StartForm(request.POST), LimitsForm(request.POST)
    if not (await sync_to_async(form.is_valid)() and limits.is_valid()):
        return await sync_to_async(_page)(request, form, limits)
    chosen = {name: form.cleaned_data[name] for name in ("catalog", "chat_model", "task", "context")}
    by, edition = cast(User, await request.auser()), form.cleaned_data["version"]
    run = await begin(**chosen, **form.asking, by=by, limits=limits.limits, edition=edition)
    return redirect(run)


def _page(request: Request, form: StartForm, limits: LimitsForm | None = None) -> HttpResponse:
    catalogs = [(catalog, exposure_of(published(catalog))) for catalog in Catalog.objects.with_parts()]
    slug = form["catalog"].value()
    chosen = next((one for one, _ in catalogs if one.slug == slug), catalogs[0][0] if catalogs else None)
    context = {
        "form": form,
        "limits": limits or LimitsForm(),
        "catalog": chosen,
        "catalogs": catalogs,
        "chat_models": ChatModel.objects.filter(enabled=True),
        "recent": Run.objects.top_level().select_related("catalog", "chat_model")[:RECENT],
        "cards": [] if slug else [card for card in cards() if card.catalog],
        **(_of_edition(form, chosen) if chosen else {}),
    }
    return render(request, "playground/playground.html", context)


def _of_edition(form: StartForm, catalog: Catalog) -> dict[str, Any]:
    """What depends on the version that is chosen; one that is not there counts as what is published."""
    named = form["version"].value() or ""
    edition = published(catalog) if version_problem(catalog, named) else edition_of(catalog, named)
    form.initial.setdefault("context", edition.context_to_try)
    exposure = exposure_of(edition)
    return {
        "edition": edition,
        "editions": editions_of(catalog, edition),
        "outlook": _outlook(edition, exposure, _context(form), _mode(form)),
        "has_policy": bool(policy_shown(edition, {})),
        "suggestions": _suggestions(exposure),
        "asks": _asks(form, edition),
        "asks_told": told(edition.ask_person),
        "ask_shown": " ".join(edition.ask_person),
    }


def _asks(form: StartForm, edition: Edition) -> list[tuple[str, str, bool, bool]]:
    """Each kind of calls that may wait for a person, in words, whether it is chosen, and whether the catalog says so."""
    chosen = form["ask_person"].value() if form.is_bound else edition.ask_person
    return [(kind, title, kind in chosen, kind in edition.ask_person) for kind, title in KINDS.items()]


def _context(form: StartForm) -> Context:
    """What the form says of the request; nothing while it cannot be read."""
    given = form["context"].value()
    try:
        return given if isinstance(given, dict) else read_context(given or "")
    except UnreadableError:
        return {}


def _mode(form: StartForm) -> str:
    """The run's own, if one is chosen."""
    named = form["mode"].value()
    return named if named in MODES else ""


def _outlook(edition: Edition, exposure: Exposure, context: Context, mode: str) -> Outlook:
    pool, offer = exposure.pool, _first_offer(edition, exposure, context, mode)
    aids = tuple(tool for tool in offer.aids if tool in offer.tools)
    in_view = tuple(tool for tool in offer.tools if tool.name in pool.by_name)
    meta_tools = tuple(tool for tool in offer.tools if tool not in aids and tool.name not in pool.by_name)
    tokens = (estimate_tools(offer.tools), estimate_tools(pool))
    return Outlook(exposure, in_view, offer.deferred, meta_tools, aids, *tokens, len(offer.denials))


def _first_offer(edition: Edition, exposure: Exposure, context: Context, mode: str) -> Offer:
    """What is in view at the start; without meta-tools where the catalog's mode, options or engine cannot be taken."""
    slug, kept = (mode, {}) if mode else (edition.mode, edition.mode_options)
    try:
        options = read_settings(MODES[slug].Options, kept)
        policy = policy_shown(edition, context)
        return first_call(exposure.pool, slug, edition.engine, options, timezone.localdate(), policy).offer
    except (UnfitSettingsError, KeyError):
        return Offer(exposure.pool.upfront, exposure.pool.deferred, "")


def _suggestions(exposure: Exposure) -> list[sample.SampleTask]:
    """Tasks of the sample whose tools the catalog offers; none for a catalog of other tools."""
    tools = exposure.pool.by_name
    return [task for task in sample.tasks() if all(name in tools for name in task.expects)][:MOST_SUGGESTIONS]
