"""The schemas of Gemini's function declarations: OpenAPI's subset, types in capitals, turned into JSON Schema."""

from typing import Any

from catalog.sources.storable import MAX_DEPTH

_NESTED = ("items", "additionalProperties")
_LISTS = ("anyOf", "any_of", "prefixItems", "prefix_items")
_SPELLED = {
    "any_of": "anyOf",
    "prefix_items": "prefixItems",
    "min_items": "minItems",
    "max_items": "maxItems",
    "min_length": "minLength",
    "max_length": "maxLength",
    "min_properties": "minProperties",
    "max_properties": "maxProperties",
}
_COUNTS = frozenset(("minItems", "maxItems", "minLength", "maxLength", "minProperties", "maxProperties"))
"""Counts, which the protocol behind it writes as texts: `"5"`."""
_LEFT_AWAY = frozenset(("nullable", "propertyOrdering", "property_ordering"))


def json_schema(schema: Any, depth: int = 0) -> Any:
    """The schema with types in small letters, `nullable` as a type of its own, and counts as numbers.

    What is nested too deep, or is no schema, stays as it stands: who reads the tool says so.
    """
    if not isinstance(schema, dict) or depth > MAX_DEPTH:
        return schema
    found = {_SPELLED.get(key, key): _part(key, part, depth) for key, part in schema.items() if key not in _LEFT_AWAY}
    if schema.get("nullable") is True and isinstance(found.get("type"), str):
        found["type"] = [found["type"], "null"]
        if isinstance(found.get("enum"), list):
            found["enum"] = [*found["enum"], None]
    return found


def _part(key: str, part: Any, depth: int) -> Any:
    if key == "type" and isinstance(part, str):
        return part.lower()
    if key == "properties" and isinstance(part, dict):
        return {name: json_schema(schema, depth + 1) for name, schema in part.items()}
    if key in _NESTED:
        return json_schema(part, depth + 1)
    if key in _LISTS and isinstance(part, list):
        return [json_schema(schema, depth + 1) for schema in part]
    if _SPELLED.get(key, key) in _COUNTS and isinstance(part, str) and part.isascii() and part.isdigit():
        return int(part[:18])
    return part
