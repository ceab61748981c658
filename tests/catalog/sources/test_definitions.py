"""Definitions as MCP, OpenAI, Anthropic and Gemini write them: one tool in every form, and what each form brings along."""

import json
from typing import Any

import pytest

from catalog.sources import tool_file
from catalog.sources.listing import Listing

TEXT = {"type": "string", "description": "Whom"}
SCHEMA = {"type": "object", "properties": {"to": TEXT}, "required": ["to"]}
NAMED = {"name": "send", "description": "Sends a mail"}
GEMINI_SCHEMA = {"type": "OBJECT", "properties": {"to": {"type": "STRING", "description": "Whom"}}, "required": ["to"]}

FORMS: list[tuple[str, dict[str, Any]]] = [
    ("MCP", NAMED | {"inputSchema": SCHEMA}),
    ("OpenAI (chat completions)", {"type": "function", "function": NAMED | {"parameters": SCHEMA}}),
    ("OpenAI (responses)", {"type": "function", **NAMED, "parameters": SCHEMA}),
    ("Anthropic", NAMED | {"input_schema": SCHEMA}),
    ("Anthropic", {"type": "custom", **NAMED, "input_schema": SCHEMA}),
    ("Gemini", {"functionDeclarations": [NAMED | {"parameters": GEMINI_SCHEMA}]}),
    ("Gemini", {"function_declarations": [NAMED | {"parameters_json_schema": SCHEMA}]}),
    ("Gemini", NAMED | {"parameters": GEMINI_SCHEMA}),
    ("name, description and parameters", NAMED | {"parameters": SCHEMA}),
]


def read(value: Any) -> Listing:
    return tool_file.read(json.dumps(value).encode())


@pytest.mark.parametrize(("form", "entry"), FORMS)
def test_one_tool_is_the_same_in_every_form(form: str, entry: dict[str, Any]) -> None:
    for listing in (read({"tools": [entry]}), read([entry]), read(entry)):
        [tool] = listing.tools
        assert (tool.name, tool.description, tool.parameters) == ("send", "Sends a mail", SCHEMA)
        assert listing.read_as == f"1 as {form}"
        assert listing.problems == ()


def test_lines_of_several_forms_are_told_apart_line_by_line() -> None:
    entries = [entry | {"name": f"t{place}"} for place, (_, entry) in enumerate(FORMS) if "name" in entry]
    listing = tool_file.read("\n".join(map(json.dumps, entries)).encode())
    assert len(listing.tools) == len(entries)
    assert dict(listing.forms) == {
        "MCP": 1,
        "OpenAI (responses)": 1,
        "Anthropic": 2,
        "Gemini": 1,
        "name, description and parameters": 1,
    }


def test_what_says_how_a_tool_is_sent_is_told_once_and_not_kept() -> None:
    cached = {"input_schema": SCHEMA, "cache_control": {"type": "ephemeral"}, "defer_loading": True}
    listing = read([{"name": "a", **cached}, {"name": "b", **cached, "cache_control": None}])
    assert [str(problem) for problem in listing.problems] == [
        "the list: 1 tool is kept without cache_control: it says how to send a tool, not what it is.",
        "the list: 2 tools are kept without defer_loading: it says how to send a tool, not what it is.",
    ]


@pytest.mark.parametrize(
    ("entry", "kind"),
    [
        ({"type": "web_search_20250305", "name": "web_search", "max_uses": 5}, "web_search_20250305"),
        ({"type": "tool_search"}, "tool_search"),
        ({"googleSearch": {}}, "googleSearch"),
    ],
)
def test_a_tool_that_the_provider_runs_itself_costs_that_entry(entry: dict[str, Any], kind: str) -> None:
    listing = read({"tools": [entry, NAMED]})
    assert [tool.name for tool in listing.tools] == ["send"]
    assert listing.problems[0].message == f"It is left out: it is {kind}, which the provider of the model runs itself."


def test_a_namespace_of_openai_is_a_server_of_its_own() -> None:
    mail = {"type": "namespace", "name": "mail", "tools": [{"type": "function", "name": "send"}]}
    desk = {"type": "namespace", "name": "desk", "tools": [{"type": "function", "name": "send"}, "x"]}
    listing = read({"tools": [mail, desk]})
    assert [tool.name for tool in listing.tools] == ["mail__send", "desk__send"]
    assert str(listing.problems[0]) == "tool 2, tool 2: It is left out: it is text, not an object."


def test_a_bad_declaration_costs_that_declaration() -> None:
    listing = read([{"functionDeclarations": [{"name": "a"}, {"description": "x"}, {"name": "b", "parameters": 3}]}])
    assert [tool.name for tool in listing.tools] == ["a"]
    assert [problem.where for problem in listing.problems] == ["tool 1, declaration 2", "tool 1, declaration 3 “b”"]


def test_the_schemas_of_gemini_become_json_schema() -> None:
    parameters = {
        "type": "OBJECT",
        "properties": {
            "type": {"type": "STRING", "enum": ["a"], "nullable": True},
            "many": {"type": "ARRAY", "items": {"type": "INTEGER"}, "minItems": "1", "max_items": "5"},
            "either": {"any_of": [{"type": "NUMBER"}, {"type": "BOOLEAN"}]},
        },
        "propertyOrdering": ["type", "many"],
    }
    [tool] = read(
        {"functionDeclarations": [{"name": "a", "parameters": parameters, "response": {"type": "OBJECT"}}]}
    ).tools
    assert tool.parameters == {
        "type": "object",
        "properties": {
            "type": {"type": ["string", "null"], "enum": ["a", None]},
            "many": {"type": "array", "items": {"type": "integer"}, "minItems": 1, "maxItems": 5},
            "either": {"anyOf": [{"type": "number"}, {"type": "boolean"}]},
        },
    }
    assert tool.output_schema == {"type": "object"}
