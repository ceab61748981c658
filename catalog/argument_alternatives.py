"""The forms that one parameter may have (`anyOf`, `oneOf`, several types), and a small example of a value of a schema."""

from collections.abc import Mapping
from typing import Any

from catalog.schema_table import resolved
from catalog.tools import JsonSchema

MOST = 8
"""Forms that are offered; a parameter of more is written as JSON."""
_EXAMPLE_DEPTH = 3
_EXAMPLE_PROPERTIES = 6
_WORDS = {
    "string": "text",
    "number": "number",
    "integer": "whole number",
    "boolean": "true or false",
    "array": "list",
    "object": "object",
}
_EMPTY: Mapping[str, Any] = {"string": "", "number": 0, "integer": 0, "boolean": False}


def alternatives_of(part: JsonSchema, root: JsonSchema) -> list[JsonSchema]:
    """The forms beside null, where there are several that a person could choose from; else none."""
    options, kinds = part.get("anyOf") or part.get("oneOf"), part.get("type")
    if isinstance(options, list) and "properties" not in part:
        found = [resolved(option, root) for option in options]
    elif isinstance(kinds, list):
        found = [{**part, "type": kind} for kind in kinds]
    else:
        return []
    found = [option for option in found if option.get("type") != "null" and option.get("enum") != [None]]
    return found if 2 <= len(found) <= MOST else []


def words_of(option: JsonSchema) -> str:
    """What a form is called where one is chosen: by its title, by its first properties, or by its type."""
    title, properties, kind = option.get("title"), option.get("properties"), option.get("type")
    if isinstance(title, str) and title.strip():
        return title
    if isinstance(properties, Mapping) and properties:
        return ", ".join(map(str, list(properties)[:3]))
    return _WORDS.get(kind, kind) if isinstance(kind, str) else "value"


def example_of(part: JsonSchema, root: JsonSchema, depth: int = _EXAMPLE_DEPTH) -> Any:
    """A value to begin from, of the shape that the schema asks for; None where it asks for none."""
    part = resolved(part, root)
    for known in ("default", "const"):
        if known in part:
            return part[known]
    if isinstance(values := part.get("enum"), list) and values:
        return values[0]
    if options := alternatives_of(part, root):
        return example_of(options[0], root, depth - 1) if depth else None
    if isinstance(properties := part.get("properties"), Mapping):
        return _object(properties, part.get("required"), root, depth)
    match part.get("type"):
        case "array":
            entry = example_of(part.get("items") or {}, root, depth - 1) if depth else None
            return [] if entry is None else [entry]
        case "object":
            return {}
        case str(kind):
            return _EMPTY.get(kind)
    return None


def _object(properties: Mapping[str, Any], required: Any, root: JsonSchema, depth: int) -> dict[str, Any]:
    needed = required if isinstance(required, list) else []
    names = sorted(properties, key=lambda name: name not in needed)[:_EXAMPLE_PROPERTIES]
    return {name: example_of(properties[name], root, depth - 1) for name in names} if depth else {}
