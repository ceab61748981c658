"""Between what was written in the form of a tool's arguments and the arguments themselves, in both directions."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from catalog.argument_fields import ArgumentField, Kind
from catalog.sources.arguments import check_result
from catalog.sources.json_text import load_strict

Written = Mapping[str, Sequence[str]]
"""Texts by the key of their field: several for the ticks of a list, else one. Of a choice, the number of the value."""
_NUMBERS: Mapping[str, type] = {"whole": int, "number": float}
_LEFT_OUT = object()


@dataclass(frozen=True, slots=True)
class Read:
    """`problems` by the key of the field."""

    arguments: dict[str, Any]
    problems: dict[str, str]


class _UnreadableError(Exception):
    """What is wrong with what was written, as a sentence."""


@dataclass(frozen=True, slots=True)
class ShownField:
    """A field with what is written in it. `chosen` are the numbers of the values that are ticked."""

    field: ArgumentField
    text: str
    chosen: frozenset[int]
    problem: str
    inner: tuple["ShownField", ...]

    @property
    def forms(self) -> list[tuple[int, "ShownField", bool]]:
        """Number, field and tick of each form of an `either`."""
        return [(number, one, number in self.chosen) for number, one in enumerate(self.inner)]

    @property
    def options(self) -> list[tuple[int, str, bool]]:
        """Number, text and tick of each value."""
        return [
            (number, _text(value, "json" if not isinstance(value, str) else "text"), number in self.chosen)
            for number, value in enumerate(self.field.values)
        ]


def read_arguments(fields: Sequence[ArgumentField], written: Written) -> Read:
    """A field that is left empty is left out; an object of which nothing was written is, too, unless it is required."""
    arguments: dict[str, Any] = {}
    problems: dict[str, str] = {}
    for field in fields:
        if field.kind == "group":
            inner = read_arguments(field.inner, written)
            problems |= inner.problems
            if inner.arguments or field.required:
                arguments[field.name] = inner.arguments
            continue
        if field.kind == "either":
            inner = read_arguments(_form_of(field, written), written)
            problems |= inner.problems
            arguments |= inner.arguments
            continue
        try:
            value = _value(field, [text for text in written.get(field.key, ()) if text.strip()])
        except _UnreadableError as problem:
            problems[field.key] = str(problem)
        else:
            if value is not _LEFT_OUT:
                arguments[field.name] = value
    return Read(arguments, problems)


def read_json(text: str) -> Read:
    """Arguments that were written as JSON; a problem stands under the key `json`."""
    try:
        value = load_strict(text or "{}")
    except ValueError as error:
        return Read({}, {"json": f"This is no JSON: {error}."})
    if not isinstance(value, dict):
        return Read({}, {"json": "Arguments are a JSON object: {…}."})
    return Read(value, {})


def written_of(fields: Sequence[ArgumentField], arguments: Mapping[str, Any]) -> dict[str, list[str]]:
    """What has to be written for these arguments; what has no field is not in it."""
    found: dict[str, list[str]] = {}
    for field in fields:
        if field.name not in arguments:
            continue
        value = arguments[field.name]
        if field.kind == "either":
            found |= _written_form(field, value)
        elif field.kind == "group" and isinstance(value, Mapping):
            found |= written_of(field.inner, value)
        elif field.kind in ("choice", "several"):
            wanted = value if field.kind == "several" and isinstance(value, list) else [value]
            found[field.key] = [str(field.values.index(one)) for one in wanted if one in field.values]
        elif field.kind == "lines" and isinstance(value, list):
            found[field.key] = ["\n".join(_text(one, field.entry) for one in value)]
        elif field.kind != "group":
            found[field.key] = [_text(value, field.kind)]
    return found


def _form_of(field: ArgumentField, written: Written) -> list[ArgumentField]:
    """The form that was chosen, under the parameter's own name; where nothing says which, the first in which something stands."""
    if field.key in written:
        chosen = written[field.key][0]
        forms = [field.inner[int(chosen)]] if chosen.isdecimal() and int(chosen) < len(field.inner) else []
    else:
        forms = [form for form in field.inner if _is_written(form, written)][:1]
    return [replace(form, name=field.name) for form in forms]


def _is_written(form: ArgumentField, written: Written) -> bool:
    keys = [key for key in written if key == form.key or key.startswith(f"{form.key}-")]
    return any(text.strip() for key in keys for text in written[key])


def _written_form(field: ArgumentField, value: Any) -> dict[str, list[str]]:
    """In the first form that the value fits, or the first of all."""
    fits = (number for number, form in enumerate(field.inner) if not check_result(value, form.part))
    number = next(fits, 0)
    written = written_of([replace(field.inner[number], name=field.name)], {field.name: value})
    return {field.key: [str(number)], **written}


def shown_fields(
    fields: Sequence[ArgumentField], written: Written, problems: Mapping[str, str]
) -> tuple[ShownField, ...]:
    return tuple(
        ShownField(
            field,
            next(iter(written.get(field.key, ())), ""),
            frozenset(
                int(text)
                for text in written.get(field.key, ())
                if (field.values or field.kind == "either") and text.isdecimal()
            ),
            problems.get(field.key, ""),
            shown_fields(field.inner, written, problems),
        )
        for field in fields
    )


def _value(field: ArgumentField, texts: Sequence[str]) -> Any:
    """_LEFT_OUT where nothing was written. Raises _UnreadableError."""
    if not texts:
        return _LEFT_OUT
    match field.kind:
        case "choice":
            return _chosen(field, texts[0])
        case "several":
            return [_chosen(field, text) for text in texts]
        case "lines":
            return [_simple(line, field.entry) for line in texts[0].splitlines() if line.strip()]
        case "json":
            return _from_json(texts[0])
    return _simple(texts[0], field.kind)


def _chosen(field: ArgumentField, text: str) -> Any:
    if not text.isdecimal() or int(text) >= len(field.values):
        raise _UnreadableError("Choose one of the values.")
    return field.values[int(text)]


def _simple(text: str, kind: Kind) -> Any:
    if kind not in _NUMBERS:
        return text.replace("\r\n", "\n")
    try:
        value = load_strict(text.strip())
    except ValueError:
        value = None
    if isinstance(value, bool) or not isinstance(value, int | _NUMBERS[kind]):
        raise _UnreadableError(f"“{text.strip()[:60]}” is not a {'whole ' if kind == 'whole' else ''}number.")
    return value


def _from_json(text: str) -> Any:
    try:
        return load_strict(text)
    except ValueError as error:
        raise _UnreadableError(f"This is no JSON: {error}.") from None


def _text(value: Any, kind: Kind) -> str:
    if isinstance(value, str) and kind != "json":
        return value
    return json.dumps(
        value, ensure_ascii=False, indent=2 if kind == "json" and isinstance(value, dict | list) else None
    )
