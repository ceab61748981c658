"""Events as rows keep them."""

import json

import pytest

from playground.agent.events import EVENTS, CallFinished, OfferMade, TextStreamed
from playground.runs.stored import UnknownEventError, from_row, to_body
from tests.playground.runs.recordings import EVERY_KIND


def test_the_recording_shows_every_kind() -> None:
    assert {event.kind for event in EVERY_KIND} == set(EVENTS)


@pytest.mark.parametrize("event", EVERY_KIND, ids=lambda event: event.kind)
def test_an_event_comes_back_as_it_was(event: TextStreamed) -> None:
    assert from_row(event.kind, json.loads(json.dumps(to_body(event)))) == event


def test_an_offer_of_an_earlier_release_says_nothing_of_who_searched() -> None:
    body = to_body(OfferMade(1, (), (), (), 0, True, "provider", 12))
    old = {key: part for key, part in body.items() if key not in ("path", "handed")}
    assert from_row("offer_made", old) == OfferMade(1, (), (), (), 0, True)


def test_what_no_database_can_hold_is_replaced() -> None:
    body = to_body(CallFinished(1, "a", "x", "ok", "a\0b\ud800c", 0.1))
    assert body["content"] == "a␀b\ufffdc"
    json.dumps(body, ensure_ascii=False).encode()


def test_a_kind_of_a_newer_release_is_named() -> None:
    with pytest.raises(UnknownEventError, match="tool_changed"):
        from_row("tool_changed", {})
