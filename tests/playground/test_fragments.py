"""What changed in a run, as HTML: by the same templates as the whole page."""

import re
from html.parser import HTMLParser
from itertools import pairwise
from uuid import uuid4

import pytest
from django.template.loader import render_to_string

from playground.agent.events import EVENTS, CallMade, Event, OfferMade, RunStarted, SearchAnswered, TextStreamed
from playground.agent.provider_searches import PROVIDER_SEARCH
from playground.fragments import PANELS, SharedFrames, frame
from playground.modes.protocol import SearchPath
from playground.runs.state import RunState, state_of
from playground.runs.steps import STEPS
from playground.runs.stored import from_row, to_body
from playground.view_fragments import VIEW_FRAMES
from tests.playground.runs.recordings import EVERY_KIND, recorded

EVENTS_IN_ORDER = recorded(EVERY_KIND)
HOSTILE = '<img src=x onerror="x()">{{ 7 }}\u202e'


class _TopElements(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.depth = 0
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        if not self.depth:
            self.found.append(self.get_starttag_text() or "")
        self.depth += tag not in ("br", "input")

    def handle_endtag(self, tag: str) -> None:
        self.depth -= 1


def top_elements(html: str) -> list[str]:
    parser = _TopElements()
    parser.feed(html)
    assert parser.depth == 0
    return parser.found


def states() -> list[RunState]:
    """The state before the first event, and after each."""
    found = [RunState()]
    for one in EVENTS_IN_ORDER:
        found.append(state_of([one], found[-1]))
    return found


@pytest.mark.parametrize("place", range(len(EVERY_KIND)), ids=lambda place: EVERY_KIND[place].kind)
def test_every_event_makes_a_frame_of_elements_with_a_place(place: int) -> None:
    before, after = states()[place : place + 2]
    html = frame(before, after)
    assert html.count('id="run-seq"') == 1
    assert all("hx-swap-oob" in element for element in top_elements(html))


@pytest.mark.parametrize("kind", STEPS)
def test_every_kind_of_step_has_a_template_with_its_number(kind: str) -> None:
    step = next(step for state in reversed(states()) for step in state.steps if step.kind == kind)
    html = render_to_string(f"playground/steps/{kind}.html", {"step": step, "swap": True}).strip()
    assert re.match(rf'<li [^>]*id="step-{step.seq}" hx-swap-oob="true">', html)
    assert "hx-swap-oob" not in render_to_string(f"playground/steps/{kind}.html", {"step": step})


@pytest.mark.parametrize("panel", PANELS)
def test_every_panel_has_a_template_with_its_id(panel: str) -> None:
    for state in states():
        html = render_to_string(f"playground/_{panel}.html", {panel: getattr(state, panel), "swap": True})
        assert re.search(rf'id="run-{panel}"[^>]*hx-swap-oob="true"', html)


@pytest.mark.parametrize("view", VIEW_FRAMES)
def test_every_view_is_told_of_every_event_by_elements_with_a_place(view: str) -> None:
    seen = states()
    for before, after in pairwise(seen):
        html = frame(before, after, view)
        assert html.count('id="run-seq"') == 1
        assert all("hx-swap-oob" in element for element in top_elements(html))
    hostile_frame = frame(RunState(), state_of(recorded([hostile(event) for event in EVERY_KIND])), view)
    assert "<img" not in hostile_frame


def test_a_trace_is_sent_the_rows_that_changed_and_those_that_came() -> None:
    found = states()
    html = frame(found[8], found[9], "trace")
    assert re.findall(r'id="(e[\w-]+)"', html) == ["e7"]
    assert "beforeend:#run-trace" not in html
    assert "beforeend:#run-trace" in frame(found[9], found[10], "trace")


def test_words_that_stream_in_change_neither_trace_nor_toolset() -> None:
    before, after = states()[4:6]
    assert all("e2" not in frame(before, after, view) for view in ("trace", "toolset"))


def test_text_that_goes_on_is_sent_alone() -> None:
    before, after = states()[4:6]
    assert frame(before, after).count("<") == 4
    assert "look." in frame(before, after)
    assert "I will" not in frame(before, after)


def test_an_invisible_character_is_judged_with_its_neighbours() -> None:
    family: list[Event] = [
        RunStarted("t", "c", "m", "e", "x", True, 9, 900),
        TextStreamed(1, "👩"),
        TextStreamed(1, "\u200d"),
        TextStreamed(1, "👧"),
    ]
    before, after = state_of(recorded(family[:3])), state_of(recorded(family))
    assert "👩\u200d👧" in frame(before, after)


def test_tools_that_were_just_hung_up_arrive_once() -> None:
    found = states()
    assert "arriving" in frame(found[14], found[15])
    assert "arriving" not in frame(found[22], found[23])


@pytest.mark.parametrize(
    ("path", "handed", "told"),
    [("provider", 1_200, "1,200 handed over hidden, the provider searches"), ("client", 0, "tool_search searches")],
)
def test_an_offer_says_who_searches(path: SearchPath, handed: int, told: str) -> None:
    offer = OfferMade(1, (), (), (), 0, True, path, handed)
    assert told in frame(RunState(), state_of(recorded([offer])))
    assert "searches" not in frame(RunState(), state_of(recorded([OfferMade(1, (), (), (), 0, True)])))


@pytest.mark.parametrize(("engine", "can_be_asked"), [("mcpagent", True), (PROVIDER_SEARCH, False)])
def test_a_search_that_gives_no_reasons_is_not_linked_to_them(engine: str, can_be_asked: bool) -> None:
    search = SearchAnswered(1, "s-1", "mail", engine, (), 0, 9, False)
    html = frame(RunState(), state_of(recorded([CallMade(1, "s-1", engine, "{}", True), search])))
    assert engine in html
    assert ("why?" in html) == can_be_asked


def hostile(event: Event) -> Event:
    """The event with every text made hostile."""
    body = {
        key: HOSTILE
        if isinstance(part, str) and key not in ("outcome", "call_id", "path", "asks", "decision")
        else part
        for key, part in to_body(event).items()
    }
    return from_row(event.kind, body)


def test_texts_of_models_and_tools_are_escaped() -> None:
    html = frame(RunState(), state_of(recorded([hostile(event) for event in EVERY_KIND])))
    assert "<img" not in html
    assert "&lt;img" in html
    assert "\u202e" not in html


def test_a_frame_is_rendered_once_for_all() -> None:
    frames = SharedFrames()
    run_id = uuid4()
    first = frames.advance(run_id, RunState(), EVENTS_IN_ORDER)
    assert frames.advance(run_id, RunState(), EVENTS_IN_ORDER) is first


def test_the_recording_shows_every_kind_of_event_and_step() -> None:
    assert {event.kind for event in EVERY_KIND} == set(EVENTS)
    assert {step.kind for state in states() for step in state.steps} == set(STEPS)
