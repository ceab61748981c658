"""A tool's JSON Schema read as a table: one row a parameter, nested ones by their path. Schemas come from strangers."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any

from catalog.tools import JsonSchema

MAX_DEPTH = 8
MAX_TYPE_DEPTH = 3
"""Levels of a type that are named: alternatives within alternatives grow by multiplication."""
MAX_ROWS = 200
MAX_VALUES = 24
"""Values of an enum that are named."""
MAX_WORD = 200
"""Characters of one value that are shown."""
LIMITS = {
    "format": "format {}",
    "pattern": "matches {}",
    "minimum": "≥ {}",
    "exclusiveMinimum": "> {}",
    "maximum": "≤ {}",
    "exclusiveMaximum": "< {}",
    "minLength": "at least {} characters",
    "maxLength": "at most {} characters",
    "minItems": "at least {} of them",
    "maxItems": "at most {} of them",
}


@dataclass(frozen=True, slots=True)
class ParameterRow:
    """One parameter. `path` is what stands before its name: `filter.` or `lines[].`."""

    path: str
    name: str
    type: str
    required: bool
    description: str
    values: tuple[str, ...] = ()
    default: str | None = None
    limits: tuple[str, ...] = ()


def parameter_rows(schema: JsonSchema) -> list[ParameterRow]:
    """The rows of a schema, outer parameters before what they hold; at most MAX_ROWS."""
    return list(islice(_rows(schema, schema, "", MAX_DEPTH), MAX_ROWS))


def _rows(schema: JsonSchema, root: JsonSchema, path: str, depth: int) -> Iterator[ParameterRow]:
    required = schema.get("required")
    needed = set(map(str, required)) if isinstance(required, list) else set()
    for name, part in _mapping(schema.get("properties")).items():
        part = resolved(part, root)
        yield _row(path, str(name), part, root, str(name) in needed)
        if depth:
            yield from _inner_rows(part, root, f"{path}{name}", depth - 1)


def _inner_rows(part: JsonSchema, root: JsonSchema, path: str, depth: int) -> Iterator[ParameterRow]:
    for option in [part, *_options(part, root)]:
        yield from _rows(option, root, f"{path}.", depth)
        entries = resolved(option.get("items"), root)
        for entry in [entries, *_options(entries, root)]:
            yield from _rows(entry, root, f"{path}[].", depth)


def _row(path: str, name: str, part: JsonSchema, root: JsonSchema, required: bool) -> ParameterRow:
    description = part.get("description")
    return ParameterRow(
        path=path,
        name=name,
        type=_type(part, root),
        required=required,
        description=description if isinstance(description, str) else "",
        values=_values(part),
        default=_word(part["default"]) if "default" in part else None,
        limits=limits_of(part),
    )


def limits_of(part: JsonSchema) -> tuple[str, ...]:
    """What a value has to keep to beside its type, in few words each."""
    return tuple(words.format(_word(part[key])) for key, words in LIMITS.items() if key in part)


def _type(part: JsonSchema, root: JsonSchema, depth: int = MAX_TYPE_DEPTH) -> str:
    match part.get("type"):
        case "array" if depth and part.get("items"):
            return f"list of {_type(resolved(part['items'], root), root, depth - 1)}"
        case "array":
            return "list"
        case str(name):
            return name
        case list(names):
            return " or ".join(map(str, names[:MAX_DEPTH]))
    options = [_type(option, root, depth - 1) for option in _options(part, root)] if depth else []
    if options:
        return " or ".join(dict.fromkeys(options))
    return "object" if "properties" in part else "one of" if "enum" in part else "anything"


def _options(part: JsonSchema, root: JsonSchema) -> list[JsonSchema]:
    found = part.get("anyOf") or part.get("oneOf") or part.get("allOf")
    return [resolved(option, root) for option in found[:MAX_DEPTH]] if isinstance(found, list) else []


def resolved(part: Any, root: JsonSchema) -> JsonSchema:
    """The schema itself, or the one in the same document that its `$ref` names; nothing is ever fetched."""
    for _ in range(MAX_DEPTH):
        reference = _mapping(part).get("$ref")
        if not isinstance(reference, str) or not reference.startswith("#/"):
            break
        target: Any = root
        for step in reference[2:].split("/"):
            target = _mapping(target).get(step.replace("~1", "/").replace("~0", "~"))
        part = {**_mapping(target), **{key: value for key, value in part.items() if key != "$ref"}}
    return _mapping(part)


def _values(part: JsonSchema) -> tuple[str, ...]:
    found = part.get("enum", [part["const"]] if "const" in part else _mapping(part.get("items")).get("enum"))
    if not isinstance(found, list):
        return ()
    more = (f"and {len(found) - MAX_VALUES:,} more",) if len(found) > MAX_VALUES else ()
    return (*map(_word, found[:MAX_VALUES]), *more)


def _word(value: Any) -> str:
    word = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return word if len(word) <= MAX_WORD else f"{word[:MAX_WORD]}…"


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}
