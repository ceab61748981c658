"""What a catalog's YAML has that its schema refuses, in words for whoever wrote it."""

from collections.abc import Iterable
from difflib import get_close_matches
from typing import Any

from jsonschema import ValidationError

MOST_SHOWN = 60
"""Characters of what was written that are repeated."""
_KINDS = {
    "object": "a block of named parts",
    "array": "a list",
    "string": "a text",
    "number": "a number",
    "boolean": "true or false",
}
_TOLD_BY_SCHEMA = frozenset(("oneOf", "minProperties", "maxProperties"))
"""Keywords whose failure the schema's own description tells better."""


def told(error: ValidationError) -> str:
    """One failure of the schema, as a sentence, whatever the size of what was written."""
    if error.validator in _TOLD_BY_SCHEMA:
        return f"{error.schema['description']}."
    wording = _WORDINGS.get(str(error.validator))
    return f"{wording(error) if wording else error.message[:300]}."


def told_of_unknown(key: str, known: Iterable[str]) -> str:
    near = get_close_matches(key, [*known], n=1)
    return f"There is no such part.{f' Is {near[0]} meant?' if near else ''}"


def _wrong_kind(error: ValidationError) -> str:
    wanted = error.validator_value if isinstance(error.validator_value, list) else [error.validator_value]
    kinds = [_KINDS[kind] for kind in wanted]
    return f"{' or '.join(kinds).capitalize()} belongs here, and {_written(error.instance)} is written{_quoting(error)}"


def _quoting(error: ValidationError) -> str:
    is_plain = isinstance(error.instance, int | float)
    return ". Put it in quotes to make it a text" if error.validator_value == "string" and is_plain else ""


def _none_of(error: ValidationError) -> str:
    return f"{_written(error.instance)} is none of {', '.join(error.validator_value)}"


def _another(error: ValidationError) -> str:
    return f"{_plain(error.validator_value)} belongs here, and {_written(error.instance)} is written"


def _unfit(error: ValidationError) -> str:
    return f"{_written(error.instance)} does not fit: {error.schema['description']}"


def _missing(error: ValidationError) -> str:
    return " and ".join(part for part in error.validator_value if part not in error.instance) + " is missing"


def _empty(_: ValidationError) -> str:
    return "It is empty, and at least one has to be there"


def _too_short(_: ValidationError) -> str:
    return "It is empty"


def _too_long(error: ValidationError) -> str:
    return f"It has {len(error.instance):,} characters; {error.validator_value:,} is the most"


def _too_many(error: ValidationError) -> str:
    return f"It has {len(error.instance):,} entries; {error.validator_value:,} is the most"


def _written(value: Any) -> str:
    """A value as its writer knows it, not as Python does."""
    if value is None:
        return "nothing"
    if isinstance(value, dict | list):
        return "a list" if isinstance(value, list) else "a block of named parts"
    return f"“{_plain(value)}”"


def _plain(value: Any) -> str:
    text = str(value).lower() if isinstance(value, bool) else str(value)
    return text if len(text) <= MOST_SHOWN else f"{text[:MOST_SHOWN]}…"


_WORDINGS = {
    "type": _wrong_kind,
    "enum": _none_of,
    "const": _another,
    "pattern": _unfit,
    "required": _missing,
    "minItems": _empty,
    "minLength": _too_short,
    "maxLength": _too_long,
    "maxItems": _too_many,
}
