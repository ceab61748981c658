"""One run live or replayed, stopping it, and what its steps and pegs link to."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from django.http import Http404, HttpResponse
from django.shortcuts import aget_object_or_404, get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.http import require_GET, require_POST
from django.views.decorators.vary import vary_on_headers

from catalog.indexing import exposure_of
from catalog.models import Catalog
from catalog.prompt_size import estimate_tool
from catalog.requests import Request
from catalog.roles import Role, needs
from catalog.tools import ToolSpec
from playground.forms import ReplayForm
from playground.models import Run
from playground.modes import MODES
from playground.modes.large_output_tools import LARGE_OUTPUT_TOOLS
from playground.presenting.notes import notes_of
from playground.recorded_searches import called_after
from playground.reviewing.keeping import read_now
from playground.reviewing.listing import editable_tools
from playground.runs.earlier import told
from playground.runs.editions import edition_of_run
from playground.runs.executing import stop
from playground.runs.history import history_of
from playground.runs.pace import waits
from playground.runs.reading import all_events, denials_of
from playground.runs.recorded_searches import search_address, search_made
from playground.runs.replay import moment_of_turn, moments, next_moment, previous_moment
from playground.runs.state import Recorded, state_of
from playground.runs.threads import place_of
from playground.runs.unfolding import nested_runs, unfolded
from playground.turn_forms import GoOnForm
from playground.views.run_parts import view_context


@require_GET
def run_page(request: Request, run_id: UUID) -> HttpResponse:
    """An unfinished run live, an ended one whole; `?at=` shows either as it was after that event, `?turn=` leads there."""
    parts = ("catalog", "chat_model", "by", "version", "agent", "parent", "lane_set", "thread__forked_from__thread")
    run = get_object_or_404(Run.objects.select_related(*parts), pk=run_id)
    form = ReplayForm(request.GET)
    at = form.at_event
    events = list(all_events(run.pk))
    if form.turn_to_go_to and (seq := moment_of_turn(events, form.turn_to_go_to)):
        return redirect(f"{run.get_absolute_url()}?{urlencode({'at': str(seq), **form.kept})}")
    state = state_of(event for event in events if at is None or event.seq <= at)
    found = moments(events)
    passed = [moment for moment in found if moment.seq <= state.seq]
    findings = read_now(run, events) if at is None and not run.is_unfinished else None
    context = {
        "run": run,
        "state": state,
        "at": at,
        "here": state.steps[-1].seq if at and state.steps else None,
        "live": at is None and not state.summary.is_over,
        "last_seq": events[-1].seq if events else 0,
        "moments": found,
        "waits": waits(found, events),
        "is_timed": "at" not in state.about.unknown,
        "notes": notes_of(run.pk),
        "passed": passed,
        "moment": passed[-1] if passed else None,
        "next": next_moment(found, state.seq),
        "previous": previous_moment(found, state.seq),
        "place": place_of(run),
        "earlier": () if request.htmx else told(history_of(run)),
        "go_on_form": GoOnForm(None, run),
        "nested": nested_runs(run.pk, _moment_of(events, at)),
        **view_context(form, run, state),
        "findings": findings,
        "editable": editable_tools(findings or ()),
    }
    return render(request, "playground/run.html", context)


@require_GET
@vary_on_headers("HX-Request")
def run_nested(request: Request, run_id: UUID) -> HttpResponse:
    """A nested run, for the live page of the run above it, which says up to which event it shows this one.

    Nothing where it shows that already, or there is no such run yet; 286 tells htmx that this was the last of it.
    """
    run = Run.objects.filter(pk=run_id).first()
    if not request.htmx:
        return redirect("run", run_id)
    if run is None:
        return HttpResponse(status=204)
    child = unfolded(run)
    if child.is_live and request.GET.get(f"seq-{run_id}") == str(child.state.seq):
        return HttpResponse(status=204)
    context = {"id": run_id, "child": child, "nested": nested_runs(run_id), "live": child.is_live}
    return render(request, "playground/_nested_answer.html", context, status=200 if child.is_live else 286)


@require_POST
@needs(Role.PRESENTER)
async def run_stop(request: Request, run_id: UUID) -> HttpResponse:
    """Have the run end as stopped; one that has ended already stays as it is."""
    run = await aget_object_or_404(Run, pk=run_id)
    await stop(run.pk)
    return redirect(run)


@require_GET
@vary_on_headers("HX-Request")
def run_tool(request: Request, run_id: UUID) -> HttpResponse:
    """What the model reads of a tool of the run: a card for htmx, else the way to the tool's page."""
    name = request.GET.get("name", "")
    run = get_object_or_404(Run.objects.select_related("catalog"), pk=run_id)
    if run.imported_from and run.catalog is None:
        return (
            render(request, "playground/_peg_card.html", {"name": name, "imported": True})
            if request.htmx
            else redirect(run)
        )
    run, catalog = _with_catalog(run_id)
    spec = exposure_of(edition_of_run(run, catalog)).pool.by_name.get(name)
    if request.htmx:
        tool = spec or _meta_tool(run, name)
        tokens = estimate_tool(tool) if tool else None
        context = {"name": name, "tool": tool, "tokens": tokens, "denials": denials_of(run_id, name)}
        return render(request, "playground/_peg_card.html", context)
    return redirect("tool", *spec.key.split("/", 1)) if spec else redirect(catalog)


@require_GET
def run_search(request: Request, run_id: UUID, seq: int) -> HttpResponse:
    """The way to the search page, where a search of the run is explained; of an imported run, what it would find here."""
    run = get_object_or_404(Run.objects.select_related("catalog", "version__content", "version__catalog"), pk=run_id)
    made = search_made(run.pk, seq)
    if made is None or (run.catalog is None and not run.imported_from):
        raise Http404("There is no such search, or its catalog was deleted.")
    return redirect(f"{reverse('search')}?{urlencode(search_address(run, made))}")


@require_GET
@needs(Role.CURATOR)
def run_search_file(request: Request, run_id: UUID) -> HttpResponse:
    """The way to the page that puts a search of the run into a suite; the tool that was called after it is suggested."""
    run, query = get_object_or_404(Run.objects.select_related("catalog"), pk=run_id), request.GET.get("q", "")
    asked = {"text": query, "origin": f"asked in run {str(run_id)[:8]}"}
    if run.catalog:
        run, catalog = _with_catalog(run_id)
        tool = exposure_of(edition_of_run(run, catalog)).pool.by_name.get(called_after(run_id, query))
        asked |= {"tool": tool.key} if tool else {}
    return redirect(f"{reverse('suite_file')}?{urlencode(asked)}")


@require_GET
def run_version(request: Request, run_id: UUID) -> HttpResponse:
    """The way to the version of the catalog that the run was of, or to the catalog."""
    run, catalog = _with_catalog(run_id)
    return redirect("catalog_version", catalog.slug, run.version.number) if run.version else redirect(catalog)


@require_GET
def run_policy(request: Request, run_id: UUID) -> HttpResponse:
    """The way to the policy page; `?rule=` is the key of a rule, which may be gone since."""
    rule = request.GET.get("rule", "")
    address = reverse("catalog_policy", args=[_with_catalog(run_id)[1].slug])
    return redirect(f"{address}?{urlencode({'rule': rule})}#rule-{rule}" if rule.isdigit() else address)


def _moment_of(events: Sequence[Recorded], seq: int | None) -> datetime | None:
    """When the event that a replay stands at was recorded; none where the whole run is shown."""
    return next((recorded.at for recorded in reversed(events) if seq is not None and recorded.seq <= seq), None)


def _with_catalog(run_id: UUID) -> tuple[Run, Catalog]:
    run = get_object_or_404(Run.objects.select_related("catalog", "version__content", "version__catalog"), pk=run_id)
    if run.catalog is None:
        raise Http404("The catalog of this run was deleted.")
    return run, run.catalog


def _meta_tool(run: Run, name: str) -> ToolSpec | None:
    mode = MODES.get(run.mode_named)
    return next((tool for tool in (*mode.meta_tools, *LARGE_OUTPUT_TOOLS) if tool.name == name), None) if mode else None
