"""The scripted model's rules: what it reads in a task, what it looks for, what it fills in, and what it says."""

import json
from collections.abc import Sequence
from dataclasses import asdict
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from catalog.search import ENGINES
from catalog.search.engine import Corpus
from catalog.tools import JsonSchema, ToolPool, ToolSpec
from playground.agent.events import CallMade, Event, RunEnded, TextStreamed
from playground.agent.loop import run_agent
from playground.agent.scripted.arguments import fill_arguments
from playground.agent.scripted.dates import find_dates
from playground.agent.scripted.needs import split_needs
from playground.agent.scripted.queries import queries, speaks_of_patterns
from playground.agent.scripted.values import find_values
from playground.agent.scripted_model import reply, words_of
from playground.agent.tool_runner import ToolResult
from playground.modes.mcpagent import Mcpagent
from tests.playground.agent.doubles import PlayedTools, ScriptedModel, collect, of_kind

TODAY = date(2026, 11, 21)
NUMBER = {"type": "number"}
TEXT = {"type": "string"}
EVERYTHING = ToolPool(
    tuple(
        ToolSpec(
            f"everything__{name}",
            description,
            {"type": "object", "properties": properties, "required": list(properties)},
            server="everything",
        )
        for name, description, properties in (
            ("echo", "Echoes back the input string", {"message": TEXT}),
            ("get-sum", "Returns the sum of two numbers", {"a": NUMBER, "b": NUMBER}),
            ("get-tiny-image", "Returns a tiny logo image.", {}),
        )
    )
)


def run(task: str, tmp_path: Path, tools: PlayedTools) -> list[Event]:
    mode = Mcpagent(EVERYTHING, ENGINES["mcpagent"](Corpus(EVERYTHING.searchable, tmp_path)))
    return collect(run_agent(mode, ScriptedModel(), tools, task, catalog="c", engine="mcpagent"))


def said(events: Sequence[Event]) -> str:
    return "".join(piece.text for piece in of_kind(events, TextStreamed))


def test_a_task_for_the_everything_server(tmp_path: Path) -> None:
    tools = PlayedTools(lambda tool, arguments: ToolResult(f"It says {json.dumps(dict(arguments))}"))
    events = run('Echo "hello pegboard" and add 17 and 25', tmp_path, tools)
    assert tools.calls == [
        ("everything__echo", {"message": "hello pegboard"}),
        ("everything__get-sum", {"a": 17, "b": 25}),
    ]
    assert 'everything__get-sum: It says {"a": 17, "b": 25}' in said(events)
    assert events[-1] == RunEnded("completed")


def test_what_no_tool_does_is_said(tmp_path: Path) -> None:
    events = run("Order a pizza for tomorrow", tmp_path, PlayedTools())
    assert {call.tool for call in of_kind(events, CallMade)} == {"search_tools"}
    assert 'I found no tool for "Order a pizza for tomorrow"' in said(events)


def test_a_failed_call_is_told_as_it_was(tmp_path: Path) -> None:
    tools = PlayedTools(lambda tool, _: ToolResult("the line is down", is_error=True))
    assert "everything__echo: the line is down" in said(run('Echo "hi"', tmp_path, tools))


def test_without_a_task_it_says_what_it_is() -> None:
    answer = reply([{"role": "user", "content": "Hello!"}], [])
    assert "scripted demo model" in answer.text and not answer.calls


def test_its_last_words_say_that_it_is_scripted(tmp_path: Path) -> None:
    assert said(run('Echo "hi"', tmp_path, PlayedTools())).endswith("(Scripted demo, no LLM.)")


def test_a_tool_that_is_already_in_view_is_called_without_a_search() -> None:
    tools = [tool.as_function() for tool in (*Mcpagent.meta_tools, *EVERYTHING)]
    answer = reply([{"role": "user", "content": 'Echo "hi"'}], tools)
    assert [(call.tool, call.arguments) for call in answer.calls] == [("everything__echo", {"message": "hi"})]


def test_handed_tools_are_searched_within_the_answer_and_the_one_that_fits_is_called() -> None:
    handed = [tool.as_function() for tool in EVERYTHING]
    answer = reply([{"role": "user", "content": 'Echo "hi"'}], [], handed)
    assert [(search.query, search.names) for search in answer.searches] == [("echo", ("everything__echo",))]
    assert [(call.tool, call.arguments) for call in answer.calls] == [("everything__echo", {"message": "hi"})]
    assert answer.text.splitlines() == [
        'Step 1 of 1: I look for a tool with "echo".',
        "Step 1 of 1: I call everything__echo.",
    ]


def test_what_its_provider_loaded_before_is_not_searched_again() -> None:
    handed = [tool.as_function() for tool in EVERYTHING]
    first = reply([{"role": "user", "content": 'Echo "hi"'}], [], handed)
    call = {"id": "1", "function": {"name": "everything__echo", "arguments": '{"message": "hi"}'}}
    searches = [asdict(search) for search in first.searches]
    told: list[dict[str, Any]] = [
        {"role": "user", "content": 'Echo "hi"'},
        {"role": "assistant", "content": first.text, "tool_calls": [call], "searches": searches},
        {"role": "tool", "tool_call_id": "1", "content": "It says hi"},
    ]
    last = reply(told, [], handed)
    assert (last.searches, last.calls) == ((), ())
    assert "everything__echo: It says hi" in last.text


def test_without_meta_tools_it_makes_do_with_what_it_sees() -> None:
    answer = reply([{"role": "user", "content": "What is the sum of 3 and 4?"}], [EVERYTHING.tools[1].as_function()])
    assert [call.arguments for call in answer.calls] == [{"a": 3, "b": 4}]


def test_the_same_messages_get_the_same_reply() -> None:
    messages = [{"role": "user", "content": "Find a room in Berlin"}]
    tools = [tool.as_function() for tool in Mcpagent.meta_tools]
    assert reply(messages, tools) == reply(messages, tools)


def test_the_pieces_of_a_text_are_the_text() -> None:
    text = "Step 1 of 2: I call a__b.\n  第 1 步，共 2 步：搜索“报销”。 Done"
    assert "".join(words_of(text)) == text
    assert len(list(words_of(text))) > 10


@pytest.mark.parametrize(
    ("task", "needs"),
    [
        ("Look up the forecast for Oslo, then notify #ops.", ["Look up the forecast for Oslo", "notify #ops"]),
        ('Echo "a and b" and add 1 and 2', ['Echo "a and b"', "add 1 and 2"]),
        ("Send it to Ann and Bob", ["Send it to Ann and Bob"]),
        ("I need PTO. Please put it in for me.", ["I need PTO. Please put it in for me"]),
        (
            "Draft an invoice, quantity 2, unit price 4. I want to read it first.",
            ["Draft an invoice, quantity 2, unit price 4. I want to read it first"],
        ),
        ("Hi, can you help me? Find the phone number of Ann.", ["Find the phone number of Ann"]),
        ("I want to book a flight and I also need a hotel.", ["I want to book a flight", "I also need a hotel"]),
        ("查一下天气，然后通知 #ops：“带伞”", ["查一下天气", "通知 #ops：“带伞”"]),
        ("帮我提交一笔报销：差旅 12 元，发生日期 2026-11-18", ["帮我提交一笔报销：差旅 12 元，发生日期 2026-11-18"]),
        ("Hello", []),
        ("", []),
    ],
)
def test_a_task_is_cut_into_needs(task: str, needs: list[str]) -> None:
    assert [need.text for need in split_needs(task)] == needs


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("on 2026-12-14", "2026-12-14"),
        ("on 12 December 2026", "2026-12-12"),
        ("on December 3rd, 2026", "2026-12-03"),
        ("on 5 May", "2027-05-05"),
        ("tomorrow", "2026-11-22"),
        ("the day after tomorrow", "2026-11-23"),
        ("on Friday", "2026-11-27"),
        ("on Saturday", "2026-11-28"),
        ("2026年11月18日", "2026-11-18"),
        ("明天", "2026-11-22"),
    ],
)
def test_days_are_read(text: str, day: str) -> None:
    assert [found for _, _, found in find_dates(text, TODAY)] == [day]


@pytest.mark.parametrize("text", ["on 30 February 2026", "2026-13-01", "may I", "version 1.2.3"])
def test_what_is_no_day(text: str) -> None:
    assert list(find_dates(text, TODAY)) == []


def test_a_day_that_leans_on_today_needs_today() -> None:
    assert list(find_dates("tomorrow or on 5 May", None)) == []


@pytest.mark.parametrize(
    ("text", "kind", "value"),
    [
        ('say "two words"', "quote", "two words"),
        ("事由“客户 2 位”", "quote", "客户 2 位"),
        ("「東京」", "quote", "東京"),
        ("see https://x.example/a?b=1.", "url", "https://x.example/a?b=1"),
        ("to ann@x.example", "email", "ann@x.example"),
        ("in #offsite-2", "channel", "#offsite-2"),
        ("ask @bob", "mention", "@bob"),
        ("open /Finance/2026", "path", "/Finance/2026"),
        ("open report.pdf", "path", "report.pdf"),
        ("at 7 pm", "time", "19:00"),
        ("at 14:30", "time", "14:30"),
        ("close TCK-2291", "id", "TCK-2291"),
        ("pay 1,250.5 now", "number", "1,250.5"),
        ("in Oslo", "name", "Oslo"),
        ("with Anna de Vries", "name", "Anna de Vries"),
        ("it's John's", None, None),
    ],
)
def test_values_are_read(text: str, kind: str | None, value: str | None) -> None:
    assert [(found.kind, found.text) for found in find_values(text, TODAY)] == ([(kind, value)] if kind else [])


def filled(task: str, **properties: Any) -> dict[str, Any]:
    return filled_by(task, {"type": "object", "properties": properties, "required": list(properties)})


def filled_by(task: str, schema: JsonSchema) -> dict[str, Any]:
    needs = split_needs(task, TODAY)
    return fill_arguments(schema, needs[0], [value for need in needs[1:] for value in need.values])


@pytest.mark.parametrize(
    ("task", "properties", "arguments"),
    [
        ("Fly from Oslo to Rome", {"to_city": TEXT, "from_city": TEXT}, {"to_city": "Rome", "from_city": "Oslo"}),
        ("Bill 450 each, quantity 2", {"quantity": NUMBER, "price": NUMBER}, {"quantity": 2, "price": 450}),
        ("Set priority to high", {"priority": {"enum": ["low", "high"]}}, {"priority": "high"}),
        (
            "Invite a@x.example and b@x.example",
            {"who": {"type": "array", "items": {"type": "string", "format": "email"}}},
            {"who": ["a@x.example", "b@x.example"]},
        ),
        (
            "Meet at 14:00 tomorrow",
            {"start": {"type": "string", "format": "date-time"}},
            {"start": "2026-11-22T14:00:00Z"},
        ),
        ("Search for budget plans", {"query": TEXT}, {"query": "budget plans"}),
        ("Weather in oslo", {"city": TEXT}, {"city": "oslo"}),
        ("Count them", {"limit": {"type": "integer", "default": 10}}, {"limit": 10}),
        ("Count them", {"deep": {"type": "boolean"}, "names": {"type": "array"}}, {"deep": False, "names": []}),
        ("Count them", {"at": {"type": "string", "format": "date", "examples": ["2026-01-01"]}}, {"at": "2026-01-01"}),
        ("Include archived ones", {"include_archived": {"type": "boolean"}}, {"include_archived": True}),
    ],
)
def test_required_parameters_are_filled(task: str, properties: dict[str, Any], arguments: dict[str, Any]) -> None:
    assert filled(task, **properties) == arguments


def test_optional_parameters_are_left_out_without_evidence() -> None:
    schema = {
        "properties": {"city": TEXT, "units": {"enum": ["metric"]}, "days": NUMBER, "note": TEXT},
        "required": ["city"],
    }
    assert filled_by("Weather in Oslo", schema) == {"city": "Oslo"}


def test_what_a_need_leaves_unsaid_is_taken_from_the_rest_of_the_task() -> None:
    schema = {"properties": {"ticket": {"type": "string", "pattern": "^TCK-"}}, "required": ["ticket"]}
    assert filled_by("Close the ticket and archive TCK-7", schema) == {"ticket": "TCK-7"}


def test_what_a_need_leaves_unsaid_is_taken_from_an_earlier_answer() -> None:
    schema = {"properties": {"room_id": {"type": "string", "pattern": "^ROOM-"}}, "required": ["room_id"]}
    need = split_needs("Book it from 09:00")[0]
    assert fill_arguments(schema, need, results=[{"rooms": [{"id": "ROOM-12"}]}]) == {"room_id": "ROOM-12"}


SELF = {"$ref": "#/$defs/Node"}


@pytest.mark.parametrize(
    "schema",
    [
        {"properties": [1], "required": "a"},
        {
            "properties": {"a": None, "b": {"type": 5}, "c": {"enum": 5}, "d": {"items": [1]}},
            "required": ["a", "b", "c", "d"],
        },
        {"properties": {"a": {"pattern": "("}}, "required": ["a"]},
        {
            "properties": {"a": SELF},
            "required": ["a"],
            "$defs": {"Node": {"properties": {"a": SELF}, "required": ["a"]}},
        },
        {"properties": {"a": SELF}, "required": ["a"], "$defs": {"Node": {"anyOf": [SELF]}}},
        {"$defs": [1], "properties": {"a": SELF}, "required": ["a"]},
    ],
)
def test_a_strange_schema_is_survived(schema: JsonSchema) -> None:
    json.dumps(filled_by('Send "x" to a@x.example in Oslo', schema))


@pytest.mark.parametrize(
    ("task", "as_pattern", "asked"),
    [
        ("Search flights to Rome", True, ("flight",)),
        ("I need PTO", True, ("pto", "leave|absence|vacation")),
        ("Find a free meeting room", True, ("free|meeting|room",)),
        ("Find a free meeting room", False, ("free meeting room",)),
    ],
)
def test_what_is_searched_for(task: str, as_pattern: bool, asked: tuple[str, ...]) -> None:
    assert queries(split_needs(task)[0], as_pattern=as_pattern) == asked


@pytest.mark.parametrize("engine", ENGINES.values(), ids=ENGINES.keys())
def test_an_engine_that_takes_patterns_says_so(engine: Any) -> None:
    assert speaks_of_patterns(engine.query_help) == (engine.slug in {"mcpagent", "eino-regex"})
