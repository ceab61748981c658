"""Arguments against a stranger's schema: plain sentences, nothing fetched, nothing that stalls."""

import json
import sys
from typing import Any

import pytest

from catalog.sources.arguments import check_arguments
from tests.effort import bounded_effort

WEATHER = {
    "type": "object",
    "properties": {
        "city": {"type": "string", "minLength": 2, "maxLength": 20},
        "days": {"type": "integer", "minimum": 1, "maximum": 7},
        "unit": {"enum": ["C", "F"]},
        "date": {"type": "string", "format": "date"},
        "code": {"type": "string", "pattern": "^[A-Z]{2}$"},
        "tags": {"type": "array", "items": {"type": "string"}, "maxItems": 2},
        "place": {"type": "object", "properties": {"lat": {"type": ["number", "null"]}}, "required": ["lat"]},
    },
    "required": ["city"],
    "additionalProperties": False,
}


@pytest.mark.parametrize(
    ("arguments", "problems"),
    [
        ({"city": "Oslo", "days": 3, "unit": "C", "date": "2026-11-22", "code": "NO", "tags": ["a"]}, []),
        ({}, ["city: is required"]),
        ({"city": 7}, ["city: 7 is not text"]),
        ({"city": "O"}, ["city: “O” is shorter than 2 characters"]),
        ({"city": "Oslo", "days": "3"}, ["days: “3” is not a whole number"]),
        ({"city": "Oslo", "days": 0}, ["days: 0 is less than 1"]),
        ({"city": "Oslo", "days": 8}, ["days: 8 is more than 7"]),
        ({"city": "Oslo", "unit": "K"}, ["unit: “K” is not one of “C”, “F”"]),
        ({"city": "Oslo", "date": "x"}, ["date: “x” is not a date"]),
        ({"city": "Oslo", "code": "no"}, ["code: “no” does not match ^[A-Z]{2}$"]),
        ({"city": "Oslo", "tags": ["a", 1]}, ["tags.1: 1 is not text"]),
        ({"city": "Oslo", "tags": ["a", "b", "c"]}, ["tags: has 3 entries, at most 2 are allowed"]),
        ({"city": "Oslo", "place": {}}, ["place.lat: is required"]),
        ({"city": "Oslo", "place": {"lat": "x"}}, ["place.lat: “x” is not a number or null"]),
        ({"city": "Oslo", "town": 1}, ["town: is not a parameter of this tool"]),
    ],
)
def test_each_problem_is_a_plain_sentence(arguments: dict[str, Any], problems: list[str]) -> None:
    assert check_arguments(arguments, WEATHER) == problems


@pytest.mark.parametrize(
    ("kind", "good", "bad"),
    [
        ("date-time", "2026-11-22T10:00:00Z", "2026-11-22"),
        ("time", "10:00", "noon"),
        ("email", "a@example.com", "a@"),
        ("uri", "https://example.com", "example"),
        ("uuid", "123e4567-e89b-12d3-a456-426614174000", "123"),
        ("ipv4", "10.0.0.1", "10.0.0"),
        ("ipv6", "::1", "1"),
    ],
)
def test_formats_are_checked(kind: str, good: str, bad: str) -> None:
    schema = {"properties": {"a": {"format": kind}}}
    assert check_arguments({"a": good}, schema) == []
    assert check_arguments({"a": 5}, schema) == []
    assert len(check_arguments({"a": bad}, schema)) == 1


def test_a_value_of_several_forms_is_told_in_one_sentence() -> None:
    schema = {"properties": {"a": {"anyOf": [{"type": "integer"}, {"type": "null"}]}}}
    assert check_arguments({"a": "x"}, schema) == ["a: “x” has none of the forms that are allowed"]


def test_pattern_properties_let_names_in() -> None:
    schema = {"patternProperties": {"^x-": {"type": "string"}}, "additionalProperties": False}
    assert check_arguments({"x-a": "b"}, schema) == []
    assert check_arguments({"x-a": 1, "y": 2}, schema) == ["x-a: 1 is not text", "y: is not a parameter of this tool"]
    assert check_arguments({"y": 2}, {"additionalProperties": {"type": "string"}}) == ["y: 2 is not text"]


@pytest.mark.parametrize("reference", ["http://127.0.0.1:9/x", "file:///etc/passwd", "//trap/x", "other.json#/a"])
def test_nothing_that_a_schema_refers_to_is_fetched(reference: str, touched: list[str]) -> None:
    assert check_arguments({"a": 1}, {"properties": {"a": {"$ref": reference}}}) == []
    assert touched == []


def choices(depth: int) -> dict[str, Any]:
    return {"type": "number"} if depth == 0 else {"anyOf": [choices(depth - 1)] * 3}


@pytest.mark.parametrize(
    "schema",
    [
        {"$ref": "#"},
        {"$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}, "$ref": "#/$defs/a"},
        {"properties": {"a": choices(9)}},
        {"properties": {"a": {"pattern": "^(a+)+$"}}},
        {"properties": {"a": {"pattern": "(?i)a.{0,200}b.{0,200}c"}}},
        {"properties": {"a": {"pattern": "(?<=x)a"}}},
        {"patternProperties": {"^(a+)+$": {}}, "additionalProperties": False, "unevaluatedProperties": False},
        {"properties": {"a": {"type": "nope"}}},
        {"properties": [1]},
        {"required": 7},
        {"properties": {"a": {"minLength": 1e12}}},
        {"allOf": [{"properties": {f"p{n}": {"type": "string"} for n in range(5_000)}}] * 20},
    ],
    ids=lambda schema: json.dumps(schema)[:40],
)
def test_a_hostile_schema_costs_little(schema: dict[str, Any]) -> None:
    with bounded_effort():
        check_arguments({"a": "a" * 5_000 + "!"}, schema)


@pytest.fixture
def touched() -> Any:
    """Files opened, names resolved and sockets connected while a test runs."""
    seen: list[str] = []
    watching = [True]

    def watch(event: str, args: tuple[Any, ...]) -> None:
        if watching and (
            event in ("socket.connect", "socket.getaddrinfo") or (event == "open" and args[0] == "/etc/passwd")
        ):
            seen.append(event)

    sys.addaudithook(watch)
    yield seen
    watching.clear()


def test_of_several_forms_that_none_fits_the_closest_is_told_unless_the_value_is_of_another_type() -> None:
    card = {"type": "object", "properties": {"card": {"minLength": 4}}, "required": ["card"]}
    schema = {"properties": {"pay": {"oneOf": [card, {"type": "object", "required": ["vat", "name"]}]}}}
    assert check_arguments({"pay": {"card": "12"}}, schema) == ["pay.card: “12” is shorter than 4 characters"]
    assert check_arguments({"pay": {}}, schema) == ["pay.card: is required"]
    assert check_arguments({"pay": [1]}, schema) == ["pay: [1] has not exactly one of the forms that are allowed"]
