"""The form of a tool's arguments: which field each parameter gets, and what is written comes back as the same value."""

from typing import Any

import pytest

from catalog.argument_fields import MAX_FIELDS, argument_fields, by_path
from catalog.argument_texts import read_arguments, read_json, shown_fields, written_of

SCHEMA: dict[str, Any] = {
    "type": "object",
    "required": ["title", "where"],
    "$defs": {"place": {"type": "object", "properties": {"city": {"type": "string"}, "floor": {"type": "integer"}}}},
    "properties": {
        "title": {"type": "string"},
        "price": {"type": "number"},
        "urgent": {"type": "boolean"},
        "level": {"enum": ["low", 2, None]},
        "days": {"type": "array", "items": {"enum": ["mon", "tue", "wed"]}},
        "sizes": {"type": "array", "items": {"type": "integer"}},
        "where": {"$ref": "#/$defs/place"},
        "note": {"type": ["string", "null"]},
        "until": {"anyOf": [{"type": "integer"}, {"type": "null"}]},
        "more": {"type": "object"},
        "rows": {"type": "array", "items": {"type": "object"}},
        "pay": {
            "oneOf": [
                {"title": "Card", "type": "object", "properties": {"card": {"type": "string"}}, "required": ["card"]},
                {"type": "object", "properties": {"vat": {"type": "string"}}, "required": ["vat"]},
                {"type": "null"},
            ]
        },
        "size": {"type": ["integer", "string"]},
        "tone": {"anyOf": [{"const": "warm"}, {"enum": ["cold"]}]},
    },
}
ARGUMENTS = {
    "title": "Two\nlines",
    "price": 1.5,
    "urgent": False,
    "level": 2,
    "days": ["tue", "wed"],
    "sizes": [1, 2],
    "where": {"city": "Kobe", "floor": 3},
    "note": "n",
    "until": 7,
    "more": {"a": [1]},
    "rows": [{"b": None}],
    "pay": {"vat": "DE1"},
    "size": "XL",
    "tone": "cold",
}


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("title", "text"),
        ("price", "number"),
        ("urgent", "choice"),
        ("level", "choice"),
        ("days", "several"),
        ("sizes", "lines"),
        ("where", "group"),
        ("where.floor", "whole"),
        ("note", "text"),
        ("until", "whole"),
        ("more", "json"),
        ("rows", "json"),
        ("pay", "either"),
        ("pay.vat", "text"),
        ("size", "either"),
        ("tone", "choice"),
    ],
)
def test_each_parameter_gets_the_field_of_its_type(name: str, kind: str) -> None:
    assert by_path(argument_fields(SCHEMA))[name].kind == kind


def test_what_is_written_for_arguments_is_read_as_the_same_arguments() -> None:
    fields = argument_fields(SCHEMA)
    read = read_arguments(fields, written_of(fields, ARGUMENTS))
    assert read.arguments == ARGUMENTS
    assert read.problems == {}


def test_what_is_left_empty_is_left_out_but_an_object_that_is_required_is_there() -> None:
    read = read_arguments(argument_fields(SCHEMA), {})
    assert read.arguments == {"where": {}}


@pytest.mark.parametrize(
    ("name", "text", "problem"),
    [
        ("price", "much", "“much” is not a number."),
        ("until", "1.5", "“1.5” is not a whole number."),
        ("until", "true", "“true” is not a whole number."),
        ("urgent", "7", "Choose one of the values."),
        ("more", "{", "This is no JSON"),
        ("sizes", "1\nx", "“x” is not a whole number."),
    ],
)
def test_what_cannot_be_read_is_told_at_its_field_and_stays_written(name: str, text: str, problem: str) -> None:
    fields = argument_fields(SCHEMA)
    key = by_path(fields)[name].key
    read = read_arguments(fields, {key: [text]})
    assert problem in read.problems[key]
    shown = {one.field.name: one for one in shown_fields(fields, {key: [text]}, read.problems)}
    assert (shown[name].text, shown[name].problem) == (text, read.problems[key])


def test_one_of_several_forms_is_chosen_by_name_and_what_stands_in_the_others_is_not_read() -> None:
    pay = by_path(argument_fields(SCHEMA))["pay"]
    assert [form.name for form in pay.inner] == ["Card", "vat"]
    card, vat = (form.inner[0].key for form in pay.inner)
    both = {card: ["1234"], vat: ["DE1"]}
    chosen = {choice: read_arguments([pay], {pay.key: [choice], **both}).arguments for choice in ("0", "1", "", "9")}
    assert chosen == {"0": {"pay": {"card": "1234"}}, "1": {"pay": {"vat": "DE1"}}, "": {}, "9": {}}
    assert read_arguments([pay], {vat: ["DE1"]}).arguments == {"pay": {"vat": "DE1"}}, (
        "without a choice, the one written"
    )


def test_where_json_is_written_an_example_is_given_and_limits_are_told() -> None:
    line = {"type": "object", "properties": {"count": {"default": 1}, "sku": {"type": "string"}}, "required": ["sku"]}
    schema = {"properties": {"lines": {"type": "array", "items": line, "minItems": 1}, "day": {"maximum": 31}}}
    lines, day = argument_fields(schema)
    assert (lines.example, lines.limits) == ([{"sku": "", "count": 1}], ("at least 1 of them",))
    assert (day.example, day.limits) == (None, ("≤ 31",))


def test_an_object_that_lies_too_deep_is_written_as_json() -> None:
    deep: dict[str, Any] = {"type": "string"}
    for _ in range(5):
        deep = {"type": "object", "properties": {"in": deep}}
    fields = by_path(argument_fields(deep))
    assert fields["in.in.in"].kind == "group"
    assert fields["in.in.in.in"].kind == "json"


def test_a_schema_without_end_makes_a_form_that_ends() -> None:
    wide: dict[str, Any] = {"type": "string"}
    for _ in range(4):
        wide = {"type": "object", "properties": {f"p{number}": wide for number in range(200)}}
    assert len(by_path(argument_fields(wide))) <= MAX_FIELDS
    for around in ({"$ref": "#"}, {"oneOf": [{"$ref": "#"}, {"items": {"$ref": "#"}}]}):
        assert len(by_path(argument_fields({"properties": {"a": around}}))) <= MAX_FIELDS


@pytest.mark.parametrize("schema", [{"properties": 3}, {"properties": {"a": 7}, "required": "a"}, {"enum": [1]}])
def test_a_schema_that_is_none_makes_a_form_all_the_same(schema: dict[str, Any]) -> None:
    assert all(field.kind == "json" for field in argument_fields(schema))


@pytest.mark.parametrize(
    ("text", "problem"), [("{", "This is no JSON"), ("[]", "a JSON object"), ("[" * 9000, "no JSON")]
)
def test_json_that_is_no_object_is_told(text: str, problem: str) -> None:
    assert problem in read_json(text).problems["json"]
