"""Runs written out: by the schema, as spans that come back, as Markdown that no stranger's text can break."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from catalog.models import Catalog, Server
from catalog.roles import Role
from playground.agent.events import CallFinished, CallMade, Event, ModelAnswered, TextStreamed
from playground.exports.markdown import code, fenced, inline, markdown
from playground.exports.run_json import run_document
from playground.exports.schema import run_schema
from playground.exports.spans import Exported, spans_of
from playground.foreign.otel import read as read_spans
from playground.runs.state import state_of
from tests.playground.runs.recordings import EVERY_KIND, recorded, recordings
from tests.playground.test_run_import_pages import ClientAs, imported
from tests.playground.test_views_runs import run_with

ROOT = Path(__file__).parents[3]
SCHEMA = json.loads((ROOT / "docs" / "run.schema.json").read_text())


def test_the_shipped_schema_is_that_of_the_events() -> None:
    assert run_schema() == SCHEMA


def test_a_run_as_json_is_as_its_schema_says(db: None) -> None:
    document = run_document(run_with(*EVERY_KIND))
    problems = [error.message for error in Draft202012Validator(SCHEMA).iter_errors(document)]
    assert problems == []
    del document["events"][1]["tools"]
    assert [*Draft202012Validator(SCHEMA).iter_errors(document)]


@pytest.mark.parametrize(("name", "times"), [("run_events", 2), ("run_spans", 2), ("run_markdown", 2), ("run_html", 1)])
def test_a_secret_that_is_known_now_is_in_no_export(client_as: ClientAs, team: Catalog, name: str, times: int) -> None:
    secret = "a-word-that-was-no-secret-then"
    run = run_with(
        *EVERY_KIND[:2], TextStreamed(1, f"It is {secret}."), ModelAnswered(1, "stop", 0.1), task=secret, catalog=team
    )
    viewer, address = client_as(Role.VIEWER), reverse(name, args=[run.pk])
    assert re.sub(r"\\", "", viewer.get(address).content.decode()).count(secret) >= times
    Server.objects.filter(in_catalogs__catalog=team).update(env={"TOKEN": secret})
    shown = viewer.get(address)
    assert secret not in re.sub(r"\\", "", shown.content.decode())
    assert "attachment" in shown["Content-Disposition"]


def exported(*events: Event) -> dict[str, Any]:
    return spans_of(Exported("0" * 32, "t", "Weather"), recorded(events or EVERY_KIND))


def attributes(span: dict[str, Any]) -> dict[str, Any]:
    return {pair["key"]: next(iter(pair["value"].values())) for pair in span["attributes"]}


def spans(found: dict[str, Any]) -> list[dict[str, Any]]:
    return list(found["resourceSpans"][0]["scopeSpans"][0]["spans"])


def test_spans_are_the_run_its_turns_and_its_calls() -> None:
    found = spans(exported())
    names = [span["name"] for span in found]
    assert names[:5] == ["invoke_agent Weather", *["chat scripted"] * 4]
    assert sorted(names[5:]) == [
        "execute_tool add_tool",
        "execute_tool files__list",
        "execute_tool mail__send",
        "execute_tool search_tools",
        "execute_tool weather__get",
    ]
    assert {span.get("parentSpanId") for span in found[1:]} == {found[0]["spanId"]}
    assert all(len(span["spanId"]) == 16 and len(span["traceId"]) == 32 for span in found)
    assert all(int(span["startTimeUnixNano"]) <= int(span["endTimeUnixNano"]) for span in found)


def test_a_turn_tells_tokens_messages_and_tools_by_the_conventions() -> None:
    turn = attributes(spans(exported())[1])
    assert (turn["gen_ai.provider.name"], turn["gen_ai.request.model"]) == ("demo", "scripted")
    assert (turn["gen_ai.usage.input_tokens"], turn["gen_ai.usage.output_tokens"]) == ("300", "20")
    assert json.loads(turn["gen_ai.input.messages"]) == [
        {"role": "user", "parts": [{"type": "text", "content": "Weather in Oslo?"}]}
    ]
    answer = json.loads(turn["gen_ai.output.messages"])[0]
    assert [part["type"] for part in answer["parts"]] == ["text", "tool_call"]
    assert [tool["name"] for tool in json.loads(turn["gen_ai.tool.definitions"])] == [
        "search_tools",
        "add_tool",
        "files__list",
    ]


def test_spans_can_be_imported_again() -> None:
    (thread,) = read_spans(json.dumps(exported(*EVERY_KIND[:23]))).threads
    (run,) = thread.runs
    assert run.task == "Weather in Oslo?"
    made = [event.tool for _, event in run.events if isinstance(event, CallMade)]
    assert made[:2] == ["search_tools", "add_tool"]
    assert next(event.content for _, event in run.events if isinstance(event, CallFinished)) == "found weather__get"


@settings(max_examples=30, deadline=None)
@given(recordings())
def test_any_recording_can_be_written_out(events: list[Any]) -> None:
    spans_of(Exported("0" * 32, "t", "x"), events)
    markdown("x", {}, state_of(events))


def test_markdown_tells_the_run_turn_by_turn() -> None:
    text = markdown("Weather", {"Model": "demo"}, state_of(recorded(EVERY_KIND)))
    for told in (
        "## Task\n\n> Weather in Oslo?",
        "In view: 1 of 40 tools, about 260 tokens.",
        "Searched for `weather` with bm25f: 2 of 40 tools match.",
        "| 1 | weather\\_\\_get | 7.50 | loaded |",
        "Loaded `weather__get`, by `add_tool`.",
        "Called `weather__get` (simulated): ok in 0.20 s.",
        '```json\n{"city": "Oslo"}\n```',
        "Taken away: `files__list`.",
        "Interrupted. The server was stopped.",
    ):
        assert told in text


STRANGE = [
    "![x](https://evil/?d=1)",
    "<script>",
    "# head",
    "[a](javascript:1)",
    "```\n<b>",
    "`` ` ``",
    "a|b",
    "\u202eabc",
    "- x",
]


@pytest.mark.parametrize("text", STRANGE)
def test_a_strangers_text_makes_no_markup(text: str) -> None:
    told = inline(text)
    assert not re.search(r"(?<!\\)[<\[\]`#|!]", told.replace("[U+202E]", "")) or "U+202E" in told
    block = [*fenced(text)]
    assert all(not line.startswith(block[-1]) for line in block[1:-1])


@given(st.text(max_size=40))
def test_code_in_a_line_cannot_be_left(text: str) -> None:
    told = code(text)
    if told:
        ticks = re.match("`+", told)
        assert ticks and told.endswith(ticks[0]) and "\n" not in told
        assert ticks[0] not in re.findall("`+", told[len(ticks[0]) : -len(ticks[0])])


def test_markdown_of_an_imported_run_says_what_is_not_in_the_log(client_as: ClientAs) -> None:
    from tests.playground.foreign.logs import lines
    from tests.playground.foreign.test_claude_code import SESSION

    run = imported(lines(*SESSION))
    client: Client = client_as(Role.VIEWER)
    text = client.get(reverse("run_markdown", args=[run.pk])).content.decode()
    assert "the others are not in the log" in text and "Claude Code session" in text
