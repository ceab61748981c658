"""The form of a tool's arguments, made from its JSON Schema, and what was written in it. Schemas come from strangers."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, Literal

from catalog.schema_table import resolved
from catalog.tools import JsonSchema

Kind = Literal["text", "number", "whole", "choice", "several", "lines", "group", "json"]
"""`several` is a list of values out of an enum, `lines` a list of texts or numbers, `json` all that has no field of its own."""
MAX_DEPTH = 3
MAX_FIELDS = 120
_SIMPLE: Mapping[str, Kind] = {"string": "text", "number": "number", "integer": "whole"}


@dataclass(frozen=True, slots=True)
class ArgumentField:
    """`key` names the field in a form, `path` the parameter as problems name it. `values` are those of a choice.

    `entry` is the kind of a line.
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
    inner = tuple(_fields(part, root, key, f"{path}.", depth - 1, room)) if kind == "group" else ()
    description = part.get("description")
    return ArgumentField(
        key=key,
        path=path,
        name=name,
        kind=kind if inner or kind != "group" else "json",
        required=required,
        description=description if isinstance(description, str) else "",
        values=values,
        default=part.get("default"),
        entry=entry,
        inner=inner,
    )


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
    return "json", (), "text"


def _list_kind(entry: JsonSchema) -> tuple[Kind, tuple[Any, ...], Kind]:
    if values := _values(entry):
        return "several", values, "text"
    kind = entry.get("type")
    return ("lines", (), _SIMPLE[kind]) if isinstance(kind, str) and kind in _SIMPLE else ("json", (), "text")


def _values(part: JsonSchema) -> tuple[Any, ...]:
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
    return {path: one for field in fields for path, one in [(field.path, field), *by_path(field.inner).items()]}
