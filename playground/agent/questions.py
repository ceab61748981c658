"""A question to a person, read from the arguments of the call that asks it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

ASKED_IN = ("question", "prompt", "message", "text", "query", "ask", "content")
CHOICES_IN = ("options", "choices", "answers", "enum", "suggestions")
MOST_CHOICES = 20


@dataclass(frozen=True, slots=True)
class AskedQuestion:
    """`text` is empty where no argument says what is asked: then all of them are shown anyway."""

    text: str
    choices: tuple[str, ...] = ()


def question_of(arguments: Mapping[str, Any]) -> AskedQuestion:
    """By the usual names of arguments; else the first that is a text."""
    texts = {name: value for name, value in arguments.items() if isinstance(value, str) and value.strip()}
    text = next((texts[name] for name in ASKED_IN if name in texts), next(iter(texts.values()), ""))
    lists = (arguments[name] for name in CHOICES_IN if isinstance(arguments.get(name), list))
    return AskedQuestion(text, _choices(next(lists, [])))


def _choices(values: list[Any]) -> tuple[str, ...]:
    """Texts, and what has a label, as forms in protocols have it."""
    named = (
        value.get("label") or value.get("title") or value.get("value") if isinstance(value, dict) else value
        for value in values
    )
    return tuple(dict.fromkeys(str(one) for one in named if isinstance(one, str | int | float)))[:MOST_CHOICES]
