"""What a parameter schema says in words: the names and descriptions of the parameters, however deep they lie."""

from collections.abc import Iterator, Mapping
from typing import Any

from catalog.tools import JsonSchema

MAX_DEPTH = 32
MAX_NODES = 2_000
"""Objects and arrays of a schema that are read; schemas come from strangers."""
VALUES = frozenset({"const", "default", "enum", "example", "examples"})
"""Keywords that hold values and not schemas."""


def parameter_words(schema: JsonSchema) -> Iterator[str]:
    """Names and descriptions, outer ones before inner ones."""
    level: list[Any] = [schema]
    nodes = 0
    for _ in range(MAX_DEPTH):
        level = level[: MAX_NODES - nodes]
        nodes += len(level)
        for node in level:
            yield from _said_by(node)
        level = [child for node in level for child in _children(node)]


def _said_by(node: Any) -> Iterator[str]:
    if isinstance(node, Mapping):
        properties = node.get("properties")
        if isinstance(properties, Mapping):
            yield from map(str, properties)
        if isinstance(description := node.get("description"), str):
            yield description


def _children(node: Any) -> Iterator[Any]:
    values = node if isinstance(node, list | tuple) else ()
    if isinstance(node, Mapping):
        values = [value for key, value in node.items() if key not in VALUES]
    return (value for value in values if isinstance(value, Mapping | list | tuple))
