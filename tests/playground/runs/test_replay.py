"""Stepping through a recorded run."""

from hypothesis import given, settings

from playground.runs.replay import moments, next_moment, previous_moment
from playground.runs.state import Recorded
from tests.playground.runs.recordings import EVERY_KIND, recorded, recordings

unhurried = settings(deadline=None)
FOUND = moments(recorded(EVERY_KIND))


def test_the_moments_are_what_changes_the_picture() -> None:
    assert [(moment.seq, moment.kind) for moment in FOUND] == [
        (1, "asked"),
        (2, "offer"),
        (6, "said"),
        (8, "search"),
        (10, "offer"),
        (13, "loaded"),
        (15, "offer"),
        (19, "bad"),
        (23, "ok"),
        (24, "offer"),
        (28, "held"),
        (29, "held"),
        (30, "bad"),
        (31, "end"),
    ]


def test_one_steps_on_and_back_from_any_event() -> None:
    ahead, back = next_moment(FOUND, 3), previous_moment(FOUND, 3)
    assert ahead is not None and ahead.seq == 6
    assert back is not None and back.seq == 2


def test_there_is_nothing_beyond_either_end() -> None:
    assert next_moment(FOUND, 31) is None
    assert previous_moment(FOUND, 1) is None


@unhurried
@given(recordings())
def test_moments_are_in_order_and_say_what_happened(events: list[Recorded]) -> None:
    found = moments(events)
    assert [moment.seq for moment in found] == sorted({moment.seq for moment in found})
    assert all(moment.label for moment in found)
