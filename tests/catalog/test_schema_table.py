"""A JSON Schema as rows: nested parameters by their path, types in words, and schemas that were written to hurt."""

from typing import Any

import pytest

from catalog.schema_table import MAX_ROWS, MAX_VALUES, MAX_WORD, parameter_rows
from tests.effort import bounded_effort


def of(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties}


def test_nested_parameters_follow_what_holds_them_under_its_path() -> None:
    line = of(sku={"type": "string"}) | {"required": ["sku"]}
    rows = parameter_rows(of(lines={"type": "array", "items": line}, filter=of(status={"type": "string"})))
    assert [(row.path, row.name, row.required) for row in rows] == [
        ("", "lines", False),
        ("lines[].", "sku", True),
        ("", "filter", False),
        ("filter.", "status", False),
    ]


@pytest.mark.parametrize(
    ("part", "words"),
    [
        ({"type": "string"}, "string"),
        ({"type": ["string", "null"]}, "string or null"),
        ({"type": "array", "items": {"type": "integer"}}, "list of integer"),
        ({"type": "array"}, "list"),
        ({"anyOf": [{"type": "string"}, {"type": "null"}]}, "string or null"),
        ({"enum": ["a", "b"]}, "one of"),
        ({"$ref": "#/$defs/City"}, "string"),
        ({"properties": {}}, "object"),
        ({}, "anything"),
        (True, "anything"),
        ({"type": {"odd": 1}}, "anything"),
    ],
)
def test_a_type_in_words(part: Any, words: str) -> None:
    schema = of(it=part) | {"$defs": {"City": {"type": "string"}}}
    assert parameter_rows(schema)[0].type == words


def test_values_default_and_limits_are_told() -> None:
    (row,) = parameter_rows(of(k={"type": "integer", "minimum": 1, "maximum": 50, "default": 5, "enum": [1, 5]}))
    assert (row.values, row.default, row.limits) == (("1", "5"), "5", ("≥ 1", "≤ 50"))


def test_long_lists_of_values_and_long_values_are_cut() -> None:
    (row,) = parameter_rows(of(k={"enum": list(range(100)), "default": "x" * 1_000}))
    assert row.values[-1] == f"and {100 - MAX_VALUES} more"
    assert row.default is not None
    assert len(row.default) == MAX_WORD + 1


@pytest.mark.parametrize(
    "schema",
    [
        of(me={"$ref": "#"}, you={"$ref": "#"}, we={"anyOf": [{"$ref": "#"}] * 9}),
        of(loop={"$ref": "#/$defs/a"}) | {"$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}},
        of(tree={"$ref": "#/$defs/t"}) | {"$defs": {"t": {"anyOf": [{"$ref": "#/$defs/t"}] * 100}}},
        of(**{f"p{number}": {"type": "string"} for number in range(1_000)}),
        {"properties": "odd", "required": 7},
        {"properties": {"a": {"items": [1], "enum": 3, "required": {}, "description": []}}},
    ],
)
def test_a_schema_that_was_written_to_hurt_costs_little(schema: dict[str, Any]) -> None:
    with bounded_effort():
        assert len(parameter_rows(schema)) <= MAX_ROWS
