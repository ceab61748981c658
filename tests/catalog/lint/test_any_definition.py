"""Whatever a stranger's definition holds, the rules end, and speak of tools that there are."""

from itertools import pairwise
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from catalog import lint
from catalog.lint.side_by_side import side_by_side
from catalog.lint.survey import LedHere, Survey
from catalog.tools import ToolSpec

TEXTS = st.text(max_size=40) | st.sampled_from(["Get a page", "get_page", "获取页面", "\u202e\ud800\x00"])
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
    max_leaves=8,
)
PARTS = st.dictionaries(
    st.sampled_from(["type", "description", "enum", "properties", "required", "items", "anyOf", "$ref", "default"]),
    VALUES,
)
SCHEMAS = st.fixed_dictionaries({}, optional={"properties": st.dictionaries(TEXTS, PARTS | VALUES), "required": VALUES})
TOOLS = st.lists(st.tuples(TEXTS, TEXTS, SCHEMAS | st.dictionaries(TEXTS, VALUES, max_size=3)), max_size=5)


@settings(max_examples=150, deadline=None)
@given(TOOLS, st.lists(TEXTS, max_size=4))
def test_any_definition_is_looked_at(definitions: list[tuple[str, str, dict[str, Any]]], queries: list[str]) -> None:
    tools = [
        ToolSpec(f"{number}{name}", description, schema, server="s", upstream_name=f"{number}{name}")
        for number, (name, description, schema) in enumerate(definitions)
    ]
    led = {tool.key: [LedHere(query, str(n)) for n, query in enumerate(queries * 2)] for tool in tools}
    keys = {tool.key for tool in tools}
    for finding in lint.look(Survey(tools, tools, queries, led)):
        assert {finding.tool, finding.other or finding.tool} <= keys
        assert finding.sentence and finding.advice and finding.facts and finding.rests_on
    for here, there in pairwise(tools):
        for side in side_by_side(here, there):
            assert "".join(piece.text for piece in side.name) == side.tool.upstream_name
