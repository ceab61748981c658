"""Played answers say no more than the template and the call."""

import json
from typing import Any

import pytest

from catalog.sources.simulation import simulate

PARAMETERS = {
    "type": "object",
    "properties": {"city": {"type": "string"}, "days": {"type": "integer", "default": 3}, "unit": {"type": "string"}},
}


@pytest.mark.parametrize(
    ("template", "answer"),
    [
        ({"where": "{city}"}, {"where": "Oslo"}),
        ({"days": "{days}"}, {"days": 3}),
        ({"unit": "{unit}"}, {"unit": None}),
        ("Weather in {city} for {days} days{unit}", "Weather in Oslo for 3 days"),
        (["{city}", {"{city}": [1, True, None, 2.5]}], ["Oslo", {"Oslo": [1, True, None, 2.5]}]),
        ("{other} and {} and {not a name}", "{other} and {} and {not a name}"),
        (0, 0),
    ],
)
def test_placeholders_are_filled(template: Any, answer: Any) -> None:
    assert json.loads(simulate(template, {"city": "Oslo"}, PARAMETERS)) == answer


@pytest.mark.parametrize("value", [7, 2.5, True, None, ["a"], {"a": 1}, "plain"])
def test_a_whole_placeholder_keeps_the_kind_of_value(value: Any) -> None:
    assert json.loads(simulate("{city}", {"city": value}, PARAMETERS)) == value


def test_an_argument_cannot_bring_placeholders_of_its_own() -> None:
    assert json.loads(simulate("x{city}", {"city": "{days}"}, PARAMETERS)) == "x{days}"


def test_without_a_template_the_answer_is_honest() -> None:
    assert json.loads(simulate(None, {"a": "ü"}, {}, tool="send")) == {
        "ok": True,
        "tool": "send",
        "arguments": {"a": "ü"},
        "note": "simulated",
    }


def test_a_broken_schema_fills_nothing_in() -> None:
    assert json.loads(simulate("{a}", {}, {"properties": [1]})) == "{a}"
    assert json.loads(simulate("{a}", {}, {"properties": {"a": True}})) is None
