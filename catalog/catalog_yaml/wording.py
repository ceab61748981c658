"""What a catalog's YAML has that its schema refuses, in words for whoever wrote it."""

from collections.abc import Callable, Iterable, Mapping
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
    schema: Any = error.schema
    if error.validator in _TOLD_BY_SCHEMA:
        return f"{schema['description']}."
    if error.validator == "pattern":
        return f"{_quoted(error.instance)} does not fit: {schema['description']}."
    return f"{_WORDINGS[str(error.validator)](error.validator_value, error.instance)}."


def told_of_unknown(key: str, known: Iterable[str]) -> str:
    near = get_close_matches(key, [*known], n=1)
    return f"There is no such part.{f' Is {near[0]} meant?' if near else ''}"


def _wrong_kind(wanted: Any, written: Any) -> str:
    kinds = [_KINDS[kind] for kind in (wanted if isinstance(wanted, list) else [wanted])]
    is_bare = wanted == "string" and isinstance(written, int | float)
    quote = ". Put it in quotes to make it a text" if is_bare else ""
    return f"{' or '.join(kinds).capitalize()} belongs here, and {_quoted(written)} is written{quote}"


def _none_of(wanted: Any, written: Any) -> str:
    return f"{_quoted(written)} is none of {', '.join(wanted)}"


def _another(wanted: Any, written: Any) -> str:
    return f"{_plain(wanted)} belongs here, and {_quoted(written)} is written"


def _missing(wanted: Any, written: Any) -> str:
    return f"{' and '.join(part for part in wanted if part not in written)} is missing"


def _empty(wanted: Any, written: Any) -> str:
    return "It is empty"


def _too_long(wanted: Any, written: Any) -> str:
    return f"It has {len(written):,} characters; {wanted:,} is the most"


def _too_many(wanted: Any, written: Any) -> str:
    return f"It has {len(written):,} entries; {wanted:,} is the most"


def _quoted(value: Any) -> str:
    """A value as its writer knows it."""
    if value is None:
        return "nothing"
    if isinstance(value, dict | list):
        return _KINDS["array" if isinstance(value, list) else "object"]
    return f"“{_plain(value)}”"


def _plain(value: Any) -> str:
    text = str(value).lower() if isinstance(value, bool) else str(value)
    return text if len(text) <= MOST_SHOWN else f"{text[:MOST_SHOWN]}…"


_WORDINGS: Mapping[str, Callable[[Any, Any], str]] = {
    "type": _wrong_kind,
    "enum": _none_of,
    "const": _another,
    "required": _missing,
    "minItems": _empty,
    "minLength": _empty,
    "maxLength": _too_long,
    "maxItems": _too_many,
}
