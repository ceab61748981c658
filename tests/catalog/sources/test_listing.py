"""Lists of tools from strangers: what is kept, what is left out, and what is said of it."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catalog.sources.errors import SourceError
from catalog.sources.flattening import unique_names
from catalog.sources.listing import Listing, read_listing

GOOD = {"name": "ok", "inputSchema": {"type": "object"}}


def nested(depth: int) -> Any:
    schema: Any = {"type": "string"}
    for _ in range(depth):
        schema = {"not": schema}
    return schema


@pytest.mark.parametrize(
    "value",
    [
        {"tools": [GOOD]},
        {"jsonrpc": "2.0", "id": 1, "result": {"tools": [GOOD]}},
        [GOOD],
        GOOD,
        [{"name": "ok", "parameters": {"type": "object"}}],
        [{"name": "ok", "input_schema": {"type": "object"}}],
        [{"type": "function", "function": {"name": "ok", "parameters": {"type": "object"}}}],
    ],
)
def test_every_usual_form_is_read(value: Any) -> None:
    listing = read_listing(value)
    assert [(tool.name, tool.parameters) for tool in listing.tools] == [("ok", {"type": "object"})]
    assert listing.problems == ()


def test_a_tool_is_read_whole() -> None:
    entry = {
        "name": "get_time",
        "title": "Time",
        "description": "What time it is",
        "inputSchema": {"type": "object", "properties": {"zone": {"type": "string", "default": "UTC"}}},
        "outputSchema": {"type": "object"},
        "annotations": {"readOnlyHint": True, "title": "Other"},
        "_meta": {"x": 1},
    }
    [tool] = read_listing([entry]).tools
    assert (tool.name, tool.title, tool.description) == ("get_time", "Time", "What time it is")
    assert tool.parameters == entry["inputSchema"]
    assert tool.output_schema == {"type": "object"}
    assert tool.annotations == {"readOnlyHint": True, "title": "Other"}


@pytest.mark.parametrize(
    ("entry", "reason"),
    [
        ({}, "it has no name"),
        ({"name": None}, "it has no name"),
        ({"name": ""}, "it has no name"),
        ({"name": 7}, "its name is a number, not text"),
        ({"name": "  "}, "its name is blank"),
        ({"name": "a\x00b"}, "its name holds a control character"),
        ({"name": "a\nb"}, "its name holds a control character"),
        ({"name": "a\ud800"}, "its name holds a control character"),
        ({"name": "n" * 129}, "its name has 129 characters, at most 128 are allowed"),
        ("send", "it is text, not an object"),
        (None, "it is null, not an object"),
        ({"name": "a", "inputSchema": "str"}, "its input schema is text, not an object"),
        ({"name": "a", "inputSchema": []}, "its input schema is a list, not an object"),
        ({"name": "a", "inputSchema": {"type": "nope"}}, "its input schema is for “nope”, not for an object"),
        ({"name": "a", "description": {"en": "x"}}, "its description is an object, not text"),
        ({"name": "a", "inputSchema": nested(64)}, "its input schema is nested deeper than 64 levels"),
        ({"name": "a", "inputSchema": {"allOf": [{}] * 2_000}}, "its input schema is too large"),
        ({"name": "a", "inputSchema": {"enum": ["x"] * 20_001}}, "its input schema is too large"),
        ({"name": "a", "inputSchema": {"default": float("inf")}}, "a number that JSON cannot write"),
        ({"name": "a", "inputSchema": {"default": 10**400}}, "a number of more than 300 digits"),
    ],
)
def test_a_bad_tool_costs_that_tool_and_says_why(entry: Any, reason: str) -> None:
    listing = read_listing([GOOD, entry, {"name": "after"}])
    assert [tool.name for tool in listing.tools] == ["ok", "after"]
    [problem] = listing.problems
    assert problem.where.startswith("tool 2")
    assert problem.message.startswith("It is left out: it")
    assert reason in problem.message


@pytest.mark.parametrize(
    ("part", "note"),
    [
        ({"title": 3}, "without its title: it is a number, not text"),
        ({"annotations": [1]}, "without its annotations: that is a list, not an object"),
        ({"outputSchema": {"type": "string"}}, "without its output schema: its output schema is for “string”"),
        (
            {"inputSchema": {"$ref": "http://trap/x"}},
            "its input schema refers to http://trap/x, which is never fetched",
        ),
        ({"inputSchema": {"properties": {"a": {"$ref": "file:///etc/passwd"}}}}, "refers to file:///etc/passwd"),
        ({"name": "a\u202eb"}, "its name holds invisible characters"),
    ],
)
def test_what_a_tool_can_do_without_is_left_away(part: dict[str, Any], note: str) -> None:
    listing = read_listing([GOOD | part])
    assert len(listing.tools) == 1
    assert note in listing.problems[0].message


def test_of_two_tools_with_one_name_the_first_wins() -> None:
    listing = read_listing([GOOD | {"description": "first"}, GOOD | {"description": "second"}, {"name": "OK"}])
    assert [(tool.name, tool.description) for tool in listing.tools] == [("ok", "first"), ("OK", "")]
    assert str(listing.problems[0]) == (
        "tool 2 “ok”: It is left out: tool 1 “ok” has the same name, and the first wins."
    )


def test_a_huge_description_is_cut_and_told() -> None:
    listing = read_listing([GOOD | {"description": "ü" * 2_500_000}])
    assert len(listing.tools[0].description.encode()) == 64 * 1024
    assert "description of 4,882 KB is cut to 64 KB" in listing.problems[0].message


def test_a_server_cannot_curate_itself() -> None:
    [tool] = read_listing([GOOD | {"permission": "read", "search_text": "everything", "category": "human"}]).tools
    assert (tool.permission, tool.search_text, tool.category) == (None, "", "")


def test_what_no_database_holds_is_replaced_everywhere() -> None:
    entry = GOOD | {"description": "a\x00b\ud800", "inputSchema": {"properties": {"k\x00": {"default": "\udfff"}}}}
    [tool] = read_listing([entry]).tools
    assert tool.description == "a\ufffdb\ufffd"
    assert tool.parameters == {"properties": {"k\ufffd": {"default": "\ufffd"}}}


def test_problems_do_not_grow_without_end() -> None:
    problems = read_listing([None] * 5_000).problems
    assert len(problems) == 1_001
    assert "the rest is not shown" in problems[-1].message


def test_no_more_tools_are_read_than_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("catalog.sources.listing.MAX_TOOLS", 3)
    listing = read_listing([{"name": str(number)} for number in range(9)])
    assert len(listing.tools) == 3
    assert listing.problems[-1].message == "Only the first 3 tools are read."


@pytest.mark.parametrize("value", [None, 1, "x", {}, {"tools": {}}, {"error": {"message": "no"}}])
def test_what_is_no_listing_is_refused(value: Any) -> None:
    with pytest.raises(SourceError):
        read_listing(value)


def test_names_of_one_server_stay_as_they_are() -> None:
    listing = read_listing([GOOD | {"server": "a"}, GOOD | {"server": "a", "name": "b"}])
    assert [tool.name for tool in listing.as_one_server().tools] == ["ok", "b"]
    assert Listing().as_one_server() == Listing()


def test_names_of_several_servers_carry_their_server() -> None:
    listing = read_listing([GOOD | {"server": "a b"}, GOOD | {"server": "a_b"}, GOOD | {"server": "x" * 90}, GOOD])
    names = [tool.name for tool in listing.as_one_server().tools]
    assert names[0] == "a_b__ok"
    assert names[1].startswith("a_b__ok_")
    assert names[2].startswith("xxx")
    assert names[2].endswith("__ok")
    assert names[3] == "ok"
    assert len(set(names)) == 4
    assert max(map(len, names)) <= 64


@given(st.lists(st.tuples(st.text(max_size=80), st.text(min_size=1, max_size=128)), unique=True, max_size=30))
def test_made_names_are_unique_and_short(pairs: list[tuple[str, str]]) -> None:
    names = unique_names(pairs)
    assert len(set(names)) == len(pairs)
    assert all(len(name) <= 64 for name in names)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)
ENTRY = st.dictionaries(
    st.sampled_from(
        ["name", "title", "description", "inputSchema", "outputSchema", "annotations", "server", "tags", "localised",
         "category", "permission", "aliases", "search_text", "simulated_result", "function", "$ref"]
    ),
    JSON,
)  # fmt: skip


@given(st.lists(ENTRY | JSON, max_size=5))
def test_any_json_gives_a_listing_that_can_be_stored(entries: list[Any]) -> None:
    listing = read_listing(entries, curated=True)
    for tool in listing.tools:
        stored = json.dumps([tool.parameters, tool.annotations, tool.simulated_result, tool.localised], allow_nan=False)
        text = "".join([stored, tool.name, tool.title, tool.description, tool.search_text, *tool.tags, *tool.aliases])
        assert "\x00" not in text
        text.encode()
