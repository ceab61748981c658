"""Lanes side by side: live, whole, or as they were at a turn or a time; stopping them, and going on in all."""

from collections.abc import Sequence
from typing import Any, cast
from uuid import UUID

from asgiref.sync import sync_to_async
from django import forms
from django.contrib import messages
from django.contrib.auth.models import User
from django.http import HttpResponse
from django.shortcuts import aget_object_or_404, get_object_or_404, redirect, render
from django.views.decorators.http import require_GET, require_POST

from catalog.requests import Request
from catalog.roles import Role, needs
from playground.forms import MOST_TASK
from playground.models import LaneSet
from playground.runs.expectation import read_expectation
from playground.runs.lane_heads import again, heads, neighbour, runs_of, titles_of
from playground.runs.lane_summary import summary_of
from playground.runs.lanes import Undertaking, go_on_in_lanes, stop_lanes
from playground.runs.reading_lanes import By, Point, events_of, lanes_at, stops
from playground.runs.replay import next_moment, previous_moment
from playground.runs.threads import CannotGoOnError


class WatchForm(forms.Form):
    """Which lane leads, and the point at which a replay stands."""

    lead = forms.IntegerField(required=False, min_value=1, max_value=9)
    by = forms.ChoiceField(required=False, choices=[("turn", "turn"), ("time", "time")])
    at = forms.IntegerField(required=False, min_value=1, max_value=2**31 - 1)

    @property
    def by_what(self) -> By:
        return "time" if self.said("by") == "time" else "turn"

    def said(self, name: str) -> Any:
        """None where nothing that makes sense was said."""
        return (self.cleaned_data.get(name) if self.is_valid() else None) or None


class NextForm(forms.Form):
    """The same next message in all lanes."""

    task = forms.CharField(max_length=MOST_TASK)


class StopForm(forms.Form):
    """One lane, or all."""

    lane = forms.IntegerField(required=False, min_value=1, max_value=9)


@require_GET
def lane_set(request: Request, set_id: UUID) -> HttpResponse:
    row = get_object_or_404(LaneSet.objects.select_related("by"), pk=set_id)
    return render(request, "playground/lane_set.html", _context(row, WatchForm(request.GET)))


@require_POST
@needs(Role.PRESENTER)
async def lane_set_stop(request: Request, set_id: UUID) -> HttpResponse:
    """Have one lane, or all, end as stopped; what has ended already stays as it is."""
    row, form = await aget_object_or_404(LaneSet, pk=set_id), StopForm(request.POST)
    if form.is_valid():
        await stop_lanes(row, form.cleaned_data["lane"])
    return redirect(row)


@require_POST
@needs(Role.PRESENTER)
async def lane_set_go_on(request: Request, set_id: UUID) -> HttpResponse:
    """Send the same next message in every lane, as lanes of their own."""
    row, form = await aget_object_or_404(LaneSet, pk=set_id), NextForm(request.POST)
    by = cast(User, await request.auser())
    if not form.is_valid():
        return await sync_to_async(_back)(request, row, "Write a message first.")
    try:
        return redirect(await go_on_in_lanes(row, Undertaking(form.cleaned_data["task"], by, row.cap)))
    except CannotGoOnError as problem:
        return await sync_to_async(_back)(request, row, str(problem))


def _back(request: Request, row: LaneSet, problem: str) -> HttpResponse:
    messages.error(request, problem)
    return redirect(row)


def _context(row: LaneSet, form: WatchForm) -> dict[str, Any]:
    runs = runs_of(row)
    made = heads(runs)
    events, by = events_of({place: run.pk for place, run in runs.items()}), form.by_what
    point = Point(by, form.said("at")) if form.said("at") else None
    lanes = lanes_at({place: run.pk for place, run in runs.items()}, events, point)
    found = stops(events, by)
    here = point.at if point else (found[-1].seq if found else 0)
    passed = [stop for stop in found if stop.seq <= here]
    lead = form.said("lead") if form.said("lead") in runs else next(iter(runs), 1)
    return {
        "set": row,
        "lanes": list(zip(lanes, made, strict=True)),
        "summary": summary_of(lanes, lead, read_expectation(row.expected), titles_of(made), row.cap),
        "lead": lead,
        "gone": [place for place in range(1, row.lanes + 1) if place not in runs],
        "live": point is None and not all(lane.is_over for lane in lanes),
        "is_over": not any(run.is_unfinished for run in runs.values()),
        "again": again(row, runs),
        "before": neighbour(runs, -1),
        "after": neighbour(runs, 1),
        "states": lanes,
        **_replay(by, point, here, found, passed),
    }


def _replay(by: str, point: Point | None, here: int, found: Sequence[Any], passed: Sequence[Any]) -> dict[str, Any]:
    return {
        "by": by,
        "at": point.at if point else None,
        "here": here,
        "moments": found,
        "passed": passed,
        "moment": passed[-1] if passed else None,
        "last": found[-1].seq if found else 1,
        "next": next_moment(found, here),
        "previous": previous_moment(found, here),
    }
