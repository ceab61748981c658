"""What a parameter schema says in words."""

from typing import Any

import pytest

from catalog.search.parameters import MAX_DEPTH, MAX_NODES, parameter_words


def test_names_and_descriptions_are_found_at_any_depth() -> None:
    schema = {
        "type": "object",
        "description": "Where to look",
        "properties": {
            "city": {"type": "string", "description": "Name of the city"},
            "days": {"type": "array", "items": {"properties": {"weekday": {"enum": ["monday"]}}}},
        },
    }
    assert list(parameter_words(schema)) == ["city", "days", "Where to look", "Name of the city", "weekday"]


@pytest.mark.parametrize("keyword", ["enum", "const", "default", "examples"])
def test_values_are_not_words(keyword: str) -> None:
    assert list(parameter_words({"properties": {"a": {keyword: [{"description": "a value"}]}}})) == ["a"]


@pytest.mark.parametrize(
    "schema", [{"properties": 5}, {"properties": {"a": None}, "description": ["x"]}, {"items": "x"}]
)
def test_a_malformed_schema_is_read_as_far_as_it_goes(schema: dict[str, Any]) -> None:
    list(parameter_words(schema))


def test_a_deep_schema_is_read_to_the_bound() -> None:
    schema: dict[str, Any] = {}
    for _ in range(10_000):
        schema = {"items": schema, "description": "level"}
    assert len(list(parameter_words(schema))) == MAX_DEPTH


def test_a_wide_schema_is_read_to_the_bound() -> None:
    schema = {"anyOf": [{"description": "one of many"} for _ in range(3 * MAX_NODES)]}
    assert len(list(parameter_words(schema))) < MAX_NODES
