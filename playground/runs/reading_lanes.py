"""Lanes read back from the database: whole, as far as a page has them, or as they were at a turn or a time."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal
from uuid import UUID

from playground.agent.events import OfferMade
from playground.models import LaneSet
from playground.runs.lane_state import Lane, lane_at
from playground.runs.reading import all_events
from playground.runs.replay import Moment, moments
from playground.runs.state import Recorded

By = Literal["turn", "time"]
Events = Mapping[int, Sequence[Recorded]]
"""The events of each lane, by its place."""


@dataclass(frozen=True, slots=True)
class Point:
    """A moment of all lanes: after the turn `at`, or `at` thousandths of a second after the first of them began."""

    by: By
    at: int


def places_of(lanes: LaneSet) -> dict[int, UUID]:
    """The runs that are left, by their lane."""
    runs = lanes.runs.order_by("lane").values_list("lane", "pk")
    return {place: pk for place, pk in runs if place is not None}


def lanes_after(lanes: LaneSet, seqs: Mapping[int, int]) -> list[Lane]:
    """Each lane as it stood after the event that is named, or before its first."""
    return [lane_at(place, pk, all_events(pk, seqs.get(place, 0))) for place, pk in places_of(lanes).items()]


def events_of(places: Mapping[int, UUID]) -> dict[int, list[Recorded]]:
    return {place: list(all_events(pk)) for place, pk in places.items()}


def lanes_at(places: Mapping[int, UUID], events: Events, point: Point | None) -> list[Lane]:
    """Whole, or as they were at that point."""
    start = _start(events)
    return [
        lane_at(place, pk, events[place] if point is None else _until(events[place], point, start))
        for place, pk in places.items()
    ]


def stops(events: Events, by: By) -> tuple[Moment, ...]:
    """Where a replay of all lanes can stop, in order; `seq` is the point's `at`."""
    return tuple(_turns(events) if by == "turn" else _times(events))


def _turns(events: Events) -> Iterator[Moment]:
    made = (one.event.turn for lane in events.values() for one in lane if isinstance(one.event, OfferMade))
    for turn in range(1, max(made, default=0) + 1):
        yield Moment(turn, "offer", f"Turn {turn}")


def _times(events: Events) -> Iterator[Moment]:
    start, found = _start(events), dict[int, Moment]()
    for place, lane in events.items():
        at = {one.seq: one.at for one in lane}
        for moment in moments(lane):
            after = _thousandths(at[moment.seq], start)
            found[after] = Moment(after, moment.kind, f"Lane {place}: {moment.label}")
    return (found[after] for after in sorted(found))


def _until(events: Sequence[Recorded], point: Point, start: datetime | None) -> Iterator[Recorded]:
    for recorded in events:
        if point.by == "turn" and isinstance(recorded.event, OfferMade) and recorded.event.turn > point.at:
            return
        if point.by == "time" and _thousandths(recorded.at, start) > point.at:
            return
        yield recorded


def _start(events: Events) -> datetime | None:
    return min((lane[0].at for lane in events.values() if lane), default=None)


def _thousandths(at: datetime, start: datetime | None) -> int:
    """At least 1, as a point has a place of its own; rounded up, so that what happened at it is in it."""
    return max(1, -(-(at - (start or at)) // timedelta(milliseconds=1)))
