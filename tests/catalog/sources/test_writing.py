"""Tools out and in again: the file that is written reads back as the same tools."""

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from catalog.sources import tool_file
from catalog.sources.tool_entry import ListedTool
from catalog.sources.writing import FORMATS
from catalog.sources.yaml_text import load_yaml
from catalog.sources.yaml_writing import write_yaml

ODD = st.sampled_from([
    *("no", "on", "~", "null", "1e5", "08", "0x1F", "1_000", "2024-01-31", "- a", "#x", " lead", "trail ", "a: b", "'"),
    *("<<", "=", "\n", "a\n b\n", "\ufeff", "\u2028", "\x85", "\x7f", "😀", "\t", "!x", "&a", "*a", "%x", "---", "..."),
])  # fmt: skip
TEXTS = ODD | st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), max_size=40)
NAMES = st.text(st.characters(categories=["L", "Nd"], include_characters="_-./"), min_size=1, max_size=20)
NUMBERS = st.integers(-(10**20), 10**20) | st.floats(allow_nan=False, allow_infinity=False)
JSON: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | NUMBERS | TEXTS,
    lambda part: st.lists(part, max_size=3) | st.dictionaries(TEXTS, part, max_size=3),
    max_leaves=8,
)
SCHEMAS = st.dictionaries(NAMES, JSON, max_size=3) | st.fixed_dictionaries(
    {
        "type": st.just("object"),
        "properties": st.dictionaries(TEXTS, st.dictionaries(NAMES, JSON, max_size=2), max_size=3),
    }
)
WORDS = st.lists(NAMES, max_size=3, unique=True).map(tuple)
LANGUAGES = st.sampled_from(["en", "de", "zh-CN", "no"])
TOOLS = st.builds(
    ListedTool,
    name=NAMES,
    group=NAMES | st.just(""),
    title=TEXTS,
    description=TEXTS,
    parameters=SCHEMAS.filter(lambda schema: schema.get("type", "object") == "object"),
    output_schema=st.none() | st.just({}) | st.just({"type": "object"}),
    annotations=st.dictionaries(NAMES, JSON, max_size=2),
    localised=st.dictionaries(
        LANGUAGES,
        st.dictionaries(st.sampled_from(["title", "description"]), TEXTS.filter(bool), max_size=2),
        max_size=3,
    ),
    category=TEXTS,
    tags=WORDS,
    aliases=WORDS,
    platforms=WORDS,
    permission=st.sampled_from([None, "read", "dangerous"]),
    search_text=TEXTS,
    simulated_result=JSON,
    available=st.booleans(),
    searchable=st.booleans(),
)


def written(kind: str, tools: list[ListedTool]) -> str:
    return "".join(FORMATS[kind].write(tools))


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(TOOLS, max_size=3, unique_by=lambda tool: tool.name))
def test_every_tool_reads_back_from_yaml_as_it_was(tools: list[ListedTool]) -> None:
    group = tools[0].group if tools else ""
    kept = [tool if tool.group == group else ListedTool(name=tool.name, group=group) for tool in tools]
    listing = tool_file.read(written("yaml", kept).encode())
    assert list(listing.tools) == kept
    assert [str(problem) for problem in listing.problems if "refers to" not in problem.message] == []


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(JSON)
def test_every_value_reads_back_from_yaml_as_it_was(value: Any) -> None:
    assert load_yaml(write_yaml([value])).value == [value]


@pytest.mark.parametrize("kind", FORMATS)
def test_what_a_model_reads_of_a_tool_comes_back_in_every_format(kind: str) -> None:
    schema = {"type": "object", "properties": {"to": {"type": "string"}}}
    tools = [ListedTool(name="send", description="Sends\na mail", parameters=schema), ListedTool(name="wait")]
    read = tool_file.read(written(kind, tools).encode()).tools
    assert [(tool.name, tool.description) for tool in read] == [("send", "Sends\na mail"), ("wait", "")]
    assert read[0].parameters == schema


def test_the_forms_are_those_of_their_makers() -> None:
    schema = {"type": "object", "properties": {}}
    tool = ListedTool(name="send", title="Send", description="Sends", annotations={"readOnlyHint": True})
    assert json.loads(written("openai", [tool])) == [
        {"type": "function", "function": {"name": "send", "description": "Sends", "parameters": schema}}
    ]
    assert json.loads(written("anthropic", [tool])) == [
        {"name": "send", "description": "Sends", "input_schema": schema}
    ]
    assert json.loads(written("mcp", [tool])) == {
        "tools": [
            {
                "name": "send",
                "title": "Send",
                "description": "Sends",
                "inputSchema": schema,
                "annotations": {"readOnlyHint": True},
            }
        ]
    }


def test_yaml_is_written_as_people_read_it() -> None:
    tool = ListedTool(
        name="send",
        title="Send",
        description="Sends a mail.\nTo anybody.",
        localised={"zh-CN": {"title": "发送"}, "en": {"title": "Send"}},
        available=False,
        tags=("no",),
    )
    assert written("yaml", [tool]) == (
        "tools:\n- name: send\n  display:\n    zh-CN: 发送\n    en: Send\n  description: |-\n    Sends a mail.\n"
        "    To anybody.\n  available: false\n  tags:\n  - 'no'\n"
    )
