"""A call that waits for a person: exactly what would be sent, and deciding about it."""

from dataclasses import dataclass, replace
from typing import Any, cast
from uuid import UUID

from asgiref.sync import sync_to_async
from django.contrib.auth.models import User
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_GET, require_POST
from django.views.decorators.vary import vary_on_headers

from catalog.indexing import exposure_of
from catalog.requests import Request
from catalog.roles import Role, needs
from catalog.tools import ToolSpec
from playground.agent.person_events import CallHeld
from playground.held_forms import DecideForm
from playground.models import HeldCall, RunEvent
from playground.runs.editions import edition_of_run
from playground.runs.holding import CannotDecideError, decide
from playground.runs.stored import from_row


@dataclass(frozen=True, slots=True)
class Shown:
    """A held call with the event that told of it. `problem`: `told` is why a decision was not taken."""

    row: HeldCall
    held: CallHeld
    form: DecideForm | None = None
    told: str = ""
    problem: bool = False

    @property
    def waits(self) -> bool:
        return not self.row.decision and self.row.run.is_unfinished


@require_GET
@vary_on_headers("HX-Request")
def run_held(request: Request, run_id: UUID, seq: int) -> HttpResponse:
    """The page; for htmx, what a person may do about it."""
    return _page(request, _shown(run_id, seq))


@require_POST
@needs(Role.PRESENTER)
async def run_decide(request: Request, run_id: UUID, seq: int) -> HttpResponse:
    """Decide, if nobody has, about just what was shown."""
    shown = await sync_to_async(_shown)(run_id, seq)
    form = DecideForm(request.POST, shown.held, await sync_to_async(_tool)(shown.row))
    page = sync_to_async(_page)
    if not form.is_valid():
        return await page(request, replace(shown, form=form))
    try:
        await decide(shown.row, replace(form.said, by=cast(User, await request.auser())))
    except CannotDecideError as reason:
        return await page(request, replace(shown, told=str(reason), problem=True))
    if request.htmx:
        return await page(request, replace(shown, told="Decided. The run goes on."))
    return redirect(f"{shown.row.run.get_absolute_url()}#step-{seq}")


def _shown(run_id: UUID, seq: int) -> Shown:
    row = get_object_or_404(HeldCall.objects.select_related("run__catalog", "run__version"), run=run_id, seq=seq)
    event = RunEvent.objects.get(run=run_id, seq=seq)
    return Shown(row, cast(CallHeld, from_row(event.kind, event.body)))


def _tool(row: HeldCall) -> ToolSpec | None:
    """As the run's catalog has it."""
    catalog = row.run.catalog
    return exposure_of(edition_of_run(row.run, catalog)).pool.by_name.get(row.tool) if catalog else None


def _page(request: Request, shown: Shown) -> HttpResponse:
    run = shown.row.run
    context: dict[str, Any] = {
        "row": shown.row,
        "run": run,
        "base": run.get_absolute_url(),
        "seq": shown.row.seq,
        "held": shown.held,
        "waits": shown.waits,
        "form": shown.form,
        "told": shown.told,
        "problem": shown.problem,
    }
    if request.htmx:
        return render(request, "playground/_held_part.html", context)
    return render(request, "playground/held.html", context, status=409 if shown.problem else 200)
