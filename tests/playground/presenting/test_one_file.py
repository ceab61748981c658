"""A run as one HTML file: it asks for nothing, nothing in it runs but its own script, and it stays small."""

import base64
import hashlib
import re
from html import unescape

import pytest
from django.test import Client
from django.urls import reverse

from catalog.roles import Role
from playground.agent.events import (
    CallFinished,
    CallMade,
    Event,
    HitFound,
    ModelAnswered,
    OfferMade,
    RunEnded,
    RunStarted,
    SearchAnswered,
    TextStreamed,
    ToolInView,
    ToolsLoaded,
)
from playground.presenting.deck import Shown, deck_of
from playground.presenting.one_file import one_file
from tests.playground.runs.recordings import EVERY_KIND, recorded
from tests.playground.test_run_import_pages import ClientAs
from tests.playground.test_views_runs import run_with
from tests.product.threats.payloads import MARKUP

PLAIN = Shown()
POLICY = re.compile(r'http-equiv="Content-Security-Policy" content="([^"]+)"')


def made(events: tuple[Event, ...] = EVERY_KIND, shown: Shown = PLAIN, note: str = "") -> str:
    return one_file(deck_of(recorded(events), shown, {6: note}))


def everywhere(text: str) -> tuple[Event, ...]:
    """A run in which every word that is not ours is this."""
    tool = ToolInView(text, text, "loaded", 10, "b")
    return (
        RunStarted(text, text, text, text, text, True, 40, 4_000),
        OfferMade(1, (), (), (), 0, True),
        TextStreamed(1, text),
        ModelAnswered(1, "tool_calls", 0.1),
        CallMade(1, "a", text, text, True),
        SearchAnswered(1, "a", text, text, (HitFound(1, text, text, 2.0, text),), 1, 40, True, (text,), text),
        CallFinished(1, "a", text, "ok", text, 0.1),
        CallMade(1, "b", text, text, True),
        ToolsLoaded(1, "b", (text,)),
        OfferMade(2, (tool,), (text,), (), 10, True),
        CallMade(2, "c", text, text, False),
        CallFinished(2, "c", text, "failed", text, 0.1),
        RunEnded("failed", text),
    )


@pytest.mark.threat("T52")
def test_its_policy_lets_in_its_own_style_and_script_and_nothing_else() -> None:
    text = made()
    policy = dict(part.strip().split(" ", 1) for part in unescape(POLICY.findall(text)[0]).split(";"))
    inside = {
        f"{kind}-src": re.findall(rf"<{kind}[^>]*>(.*?)</{kind}>", text, re.DOTALL) for kind in ("style", "script")
    }
    digests = {
        name: base64.b64encode(hashlib.sha256(one.encode()).digest()).decode() for name, (one,) in inside.items()
    }
    assert policy == {
        "default-src": "'none'",
        "base-uri": "'none'",
        "form-action": "'none'",
        **{name: f"'sha256-{digest}'" for name, digest in digests.items()},
    }


def test_it_asks_for_nothing() -> None:
    text = made()
    assert re.findall(r"url\([^)]*|@import[^;]*|\ssrc=\S*|https?://[^\s\"'<]*", text) == []
    assert {link[:6] for link in re.findall(r'href="([^"]*)"', text)} == {"#deck-"}


@pytest.mark.threat("T52")
def test_nothing_that_a_stranger_wrote_becomes_markup_in_it() -> None:
    calm = made(everywhere("word"), Shown(notes=True), note="word")
    tags = re.findall(r"</?([a-zA-Z!][\w-]*)", calm)
    for payload in MARKUP:
        text = made(everywhere(payload), Shown(notes=True), note=payload)
        assert re.findall(r"</?([a-zA-Z!][\w-]*)", text) == tags, payload
        assert not re.search(r"<[^>]*\szq[\s=>]", text)


def test_a_run_of_fifty_turns_is_small() -> None:
    events: list[Event] = [EVERY_KIND[0]]
    for turn in range(1, 51):
        loaded = tuple(ToolInView(f"server__tool_number_{n}", "server", "loaded", 100, "x") for n in range(turn))
        events += [
            OfferMade(turn, loaded, tuple(tool.name for tool in loaded[-1:]), (), 100 * turn, True),
            TextStreamed(turn, "I think about it. " * 30),
            ModelAnswered(turn, "tool_calls", 1.0),
            CallMade(turn, f"c{turn}", "server__tool_number_0", '{"a": "' + "x" * 2_000 + '"}', False),
            CallFinished(turn, f"c{turn}", "server__tool_number_0", "ok", "y" * 200_000, 1.0),
        ]
    assert len(made(tuple(events)).encode()) < 2_000_000


@pytest.mark.parametrize(("query", "there"), [({}, True), ({"texts": "off"}, False)])
def test_arguments_and_results_stay_out_if_one_says_so(client_as: ClientAs, query: dict[str, str], there: bool) -> None:
    viewer: Client = client_as(Role.VIEWER)
    answer = viewer.get(reverse("run_html", args=[run_with(*EVERY_KIND).pk]), query)
    assert ("celsius" in answer.content.decode()) is there
    assert "attachment" in answer["Content-Disposition"]
