"""The form of a tool's arguments, made from its JSON Schema, and what was written in it. Schemas come from strangers."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, Literal

from catalog.argument_alternatives import alternatives_of, example_of, words_of
from catalog.schema_table import limits_of, resolved
from catalog.tools import JsonSchema

Kind = Literal["text", "number", "whole", "choice", "several", "lines", "group", "either", "json"]
"""`several` is a list of values out of an enum, `lines` a list of texts or numbers, `either` one of several forms, `json`
all that has no field of its own.
"""
MAX_DEPTH = 3
MAX_FIELDS = 120
_SIMPLE: Mapping[str, Kind] = {"string": "text", "number": "number", "integer": "whole"}


@dataclass(frozen=True, slots=True)
class ArgumentField:
    """`key` names the field in a form, `path` the parameter as problems name it. `values` are those of a choice.

    `entry` is the kind of a line, `inner` the fields of an object or the forms of an `either`, `example` a value to begin
    from where JSON is written, `limits` what a value has to keep to. `part` is the schema of the parameter.
    """

    key: str
    path: str
    name: str
    kind: Kind
    required: bool = False
    description: str = ""
    values: tuple[Any, ...] = ()
    default: Any = None
    entry: Kind = "text"
    inner: tuple["ArgumentField", ...] = ()
    limits: tuple[str, ...] = ()
    example: Any = None
    part: JsonSchema = field(default_factory=dict, compare=False, repr=False)


def argument_fields(parameters: JsonSchema) -> tuple[ArgumentField, ...]:
    """The fields of a schema, at most MAX_FIELDS of them; a part that lies deeper than MAX_DEPTH is written as JSON."""
    return tuple(_fields(parameters, parameters, "p", "", MAX_DEPTH, iter(range(MAX_FIELDS))))


def _fields(
    schema: JsonSchema, root: JsonSchema, key: str, path: str, depth: int, room: Iterator[int]
) -> Iterator[ArgumentField]:
    properties, required = schema.get("properties"), schema.get("required")
    needed = required if isinstance(required, list) else []
    for number, (name, part) in enumerate(properties.items() if isinstance(properties, Mapping) else ()):
        if next(room, None) is None:
            return
        place = (f"{key}-{number}", f"{path}{name}", str(name), name in needed)
        yield _field(_bare(resolved(part, root), root), root, place, depth, room)


def _field(
    part: JsonSchema, root: JsonSchema, place: tuple[str, str, str, bool], depth: int, room: Iterator[int]
) -> ArgumentField:
    key, path, name, required = place
    kind, values, entry = _kind(part, root, depth)
    inner: tuple[ArgumentField, ...] = ()
    if kind == "group":
        inner = tuple(_fields(part, root, key, f"{path}.", depth - 1, room))
    elif kind == "either":
        inner = tuple(_forms(part, root, place, depth - 1, room))
    kind = kind if inner or kind not in ("group", "either") else "json"
    description = part.get("description")
    return ArgumentField(
        key=key,
        path=path,
        name=name,
        kind=kind,
        required=required,
        description=description if isinstance(description, str) else "",
        values=values,
        default=part.get("default"),
        entry=entry,
        inner=inner,
        limits=limits_of(part),
        example=example_of(part, root) if kind == "json" else None,
        part=part,
    )


def _forms(
    part: JsonSchema, root: JsonSchema, place: tuple[str, str, str, bool], depth: int, room: Iterator[int]
) -> Iterator[ArgumentField]:
    key, path, _, _ = place
    for number, option in enumerate(alternatives_of(part, root)):
        if next(room, None) is None:
            return
        yield _field(_bare(option, root), root, (f"{key}-{number}", path, words_of(option), True), depth, room)


def _kind(part: JsonSchema, root: JsonSchema, depth: int) -> tuple[Kind, tuple[Any, ...], Kind]:
    if values := _values(part):
        return "choice", values, "text"
    match part.get("type"):
        case "boolean":
            return "choice", (True, False), "text"
        case "string" | "number" | "integer" as name:
            return _SIMPLE[name], (), "text"
        case "array":
            return _list_kind(_bare(resolved(part.get("items"), root), root))
        case "object" | None if depth and isinstance(part.get("properties"), Mapping):
            return "group", (), "text"
    if depth and alternatives_of(part, root):
        return "either", (), "text"
    return "json", (), "text"


def _list_kind(entry: JsonSchema) -> tuple[Kind, tuple[Any, ...], Kind]:
    if values := _values(entry):
        return "several", values, "text"
    kind = entry.get("type")
    return ("lines", (), _SIMPLE[kind]) if isinstance(kind, str) and kind in _SIMPLE else ("json", (), "text")


def _values(part: JsonSchema) -> tuple[Any, ...]:
    """Of an enum or a constant, or of forms that all are such."""
    options = part.get("anyOf") or part.get("oneOf")
    if isinstance(options, list) and options and all(isinstance(one, Mapping) for one in options):
        each = [_values(one) for one in options]
        return tuple(islice((value for values in each for value in values), MAX_FIELDS)) if all(each) else ()
    found = part.get("enum", [part["const"]] if "const" in part else None)
    return tuple(islice(found, MAX_FIELDS)) if isinstance(found, list) else ()


def _bare(part: JsonSchema, root: JsonSchema) -> JsonSchema:
    """A part that may be null as well as one other thing is that thing: left empty, it is left out."""
    kinds = part.get("type")
    if isinstance(kinds, list) and len(rest := [kind for kind in kinds if kind != "null"]) == 1:
        return {**part, "type": rest[0]}
    options = part.get("anyOf") or part.get("oneOf")
    if isinstance(options, list) and "properties" not in part:
        others = [found for option in options if (found := resolved(option, root)).get("type") != "null"]
        if len(others) == 1:
            return {**part, **others[0], "description": part.get("description") or others[0].get("description")}
    return part


def by_path(fields: Sequence[ArgumentField]) -> dict[str, ArgumentField]:
    """Every field, inner ones too, by the path that problems name."""
    found: dict[str, ArgumentField] = {}
    for one in fields:
        forms = one.inner if one.kind == "either" else ()
        inner = [by_path(form.inner) for form in forms] if forms else [by_path(one.inner)]
        found |= {path: other for paths in inner for path, other in paths.items()} | {one.path: one}
    return found
