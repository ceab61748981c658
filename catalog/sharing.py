"""Texts that stand in very many tools, kept once: keywords of schemas, names of parameters, categories, texts of servers."""

from sys import intern
from typing import Any

LONGEST = 40
"""Characters of a text in a schema that is likely to stand in another too; longer ones are descriptions."""


def shared(text: str) -> str:
    """The one text of these letters."""
    return intern(text)


def shared_json(value: Any) -> Any:
    """The JSON value over again, its keys and short texts each the one of these letters."""
    if isinstance(value, dict):
        return {intern(key): shared_json(part) for key, part in value.items()}
    if isinstance(value, list):
        return [shared_json(part) for part in value]
    return intern(value) if isinstance(value, str) and len(value) <= LONGEST else value
