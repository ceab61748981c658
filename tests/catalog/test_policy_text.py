"""Contexts and conditions as people write them."""

from typing import Any

import pytest

from catalog.policy import Condition
from catalog.policy_text import UnreadableError, conditions_text, context_text, read_conditions, read_context

CONTEXTS = [
    ("", {}),
    ("role = guest", {"role": "guest"}),
    ("role=guest\n\n level = 5 \n trusted = true", {"role": "guest", "level": 5, "trusted": True}),
    ('level = "5"', {"level": "5"}),
    ("note = a = b", {"note": "a = b"}),
    ("team = [1]", {"team": "[1]"}),
    ('{"role": "guest", "share": 0.5}', {"role": "guest", "share": 0.5}),
    ("mastra__threadId = t-1", {"mastra__threadId": "t-1"}),
]


@pytest.mark.parametrize(("text", "context"), CONTEXTS)
def test_a_context_is_read_and_written(text: str, context: dict[str, Any]) -> None:
    assert read_context(text) == context
    assert read_context(context_text(context)) == context
    assert [type(value) for value in read_context(text).values()] == [type(value) for value in context.values()]


@pytest.mark.parametrize("value", [" spaced ", "true", "5", "two\nlines", '"quoted"', "", "null", "发票"])
def test_any_text_survives_being_written(value: str) -> None:
    assert read_context(context_text({"name": value})) == {"name": value}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("guest", "Line 1: write it as"),
        ("a b = c", "is no name"),
        ("\u202erole = guest", "is no name"),
        ('{"role": {"of": "me"}}', "The value of role must be"),
        ('{"role": null}', "The value of role must be"),
        ('{"share": NaN}', "The value of share must be"),
        ("{", "begins like JSON"),
        ("{" * 20_000, "begins like JSON"),
        ("role = " + "x" * 501, "longer than 500"),
        ('role = "\\u0000"', "NUL"),
        ("\n".join(f"k{number} = 1" for number in range(21)), "At most 20"),
        ("x" * 10_000 + " = 1", "is no name"),
    ],
)
def test_what_is_no_small_flat_context_is_refused(text: str, said: str) -> None:
    with pytest.raises(UnreadableError, match=said):
        read_context(text)


CONDITIONS = [
    ("", ()),
    ("role is guest", (Condition("role", ("guest",)),)),
    ("role is not guest", (Condition("role", ("guest",), is_not=True),)),
    ("team is sales or customer care", (Condition("team", ("sales", "customer care")),)),
    ("a is b\nc is not d or e", (Condition("a", ("b",)), Condition("c", ("d", "e"), is_not=True))),
    ("role is notary", (Condition("role", ("notary",)),)),
]


@pytest.mark.parametrize(("text", "conditions"), CONDITIONS)
def test_conditions_are_read_and_written(text: str, conditions: tuple[Condition, ...]) -> None:
    assert read_conditions(text) == conditions
    assert conditions_text(conditions) == text


@pytest.mark.parametrize("text", ["role", "role = guest", "role is", "a is b or  or c", "é is x", "a is " + "x" * 501])
def test_what_is_no_condition_is_refused_with_its_line(text: str) -> None:
    with pytest.raises(UnreadableError, match="Line 2: "):
        read_conditions(f"role is guest\n{text}")
