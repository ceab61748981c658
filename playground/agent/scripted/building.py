"""Putting the filled leaves of a schema together into one JSON value."""

from collections.abc import Iterator
from typing import Any

from catalog.tools import JsonSchema
from playground.agent.scripted.leaves import ITEM, Path, items, properties, required_names, type_of

Filled = dict[Path, list[Any]]
"""The values of each leaf: more than one only within a list."""


def build(schema: JsonSchema, filled: Filled) -> dict[str, Any]:
    return dict(_parts(schema, (), filled, 0))


def _parts(schema: JsonSchema, path: Path, filled: Filled, element: int) -> Iterator[tuple[str, Any]]:
    for name, part in properties(schema).items():
        value = _built(part, (*path, name), filled, element, required=name in required_names(schema))
        if value is not None:
            yield name, value


def _built(schema: JsonSchema, path: Path, filled: Filled, element: int, *, required: bool) -> Any:
    """The value at a path; None if nothing below it is filled and it need not be there. A schema may hold itself."""
    count = max((len(values) for leaf, values in filled.items() if leaf[: len(path)] == path), default=0)
    match type_of(schema):
        case "object":
            given = dict(_parts(schema, path, filled, element)) if count else {}
            return given if given or required else None
        case "array":
            below = (*path, ITEM)
            built = [_built(items(schema), below, filled, number, required=False) for number in range(count)]
            return built if built or required else None
    values = filled.get(path)
    return values[min(element, len(values) - 1)] if values else None
