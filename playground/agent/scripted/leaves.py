"""The parameters of a tool as leaves: every place of its JSON Schema that holds one plain value, however deep."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from catalog.search.words import index_words, is_common
from catalog.tools import JsonSchema

DEEPEST = 6
MOST_HOPS = 4
"""Choices within choices that are followed."""
Path = tuple[str, ...]
"""The names down to a leaf; ITEM stands for the one element of a list."""
ITEM = "[]"


@dataclass(frozen=True)
class Leaf:
    path: Path
    schema: JsonSchema
    required: bool
    """It and all that it lies in are required."""

    @property
    def name(self) -> str:
        return next((part for part in reversed(self.path) if part != ITEM), "")

    @property
    def type(self) -> str:
        return type_of(self.schema)

    @cached_property
    def name_words(self) -> frozenset[str]:
        return frozenset(word.term for word in index_words(self.name))

    @cached_property
    def words(self) -> frozenset[str]:
        """The stems of its name, and of its description without the small words."""
        text = self.schema.get("description")
        described = index_words(text) if isinstance(text, str) else ()
        return self.name_words | {word.term for word in described if not is_common(word.term)}

    @property
    def examples(self) -> list[Any]:
        examples = self.schema.get("examples")
        return examples if isinstance(examples, list) else []

    @property
    def options(self) -> list[Any]:
        """What it must be one of, if it must."""
        options = self.schema.get("enum")
        return options if isinstance(options, list) else [self.schema["const"]] if "const" in self.schema else []


def leaves(schema: JsonSchema, path: Path = (), *, required: bool = True) -> Iterator[Leaf]:
    if len(path) > DEEPEST:
        return
    match type_of(schema):
        case "object":
            for name, part in properties(schema).items():
                yield from leaves(part, (*path, name), required=required and name in required_names(schema))
        case "array":
            yield from leaves(items(schema), (*path, ITEM), required=required and bool(schema.get("minItems")))
        case _:
            yield Leaf(path, schema, required)


def type_of(schema: JsonSchema) -> str:
    named = schema.get("type")
    if isinstance(named, list):
        named = next((kind for kind in named if kind != "null"), "string")
    if isinstance(named, str):
        return named
    return "object" if "properties" in schema else "array" if "items" in schema else "string"


def properties(schema: JsonSchema) -> dict[str, JsonSchema]:
    named = schema.get("properties")
    return {name: plain(part, schema) for name, part in named.items()} if isinstance(named, Mapping) else {}


def items(schema: JsonSchema) -> JsonSchema:
    part = plain(schema.get("items"), schema)
    return (
        part if "description" in part or "description" not in schema else {**part, "description": schema["description"]}
    )


def required_names(schema: JsonSchema) -> frozenset[str]:
    named = schema.get("required")
    return frozenset(name for name in named if isinstance(name, str)) if isinstance(named, list) else frozenset()


def plain(part: Any, within: JsonSchema, hops: int = 0) -> JsonSchema:
    """A schema without choices and references: the first option that is not null, the definition that is meant."""
    if not isinstance(part, Mapping) or hops > MOST_HOPS:
        return {}
    definitions = _mapping(within.get("$defs")) or _mapping(within.get("definitions"))
    if isinstance(reference := part.get("$ref"), str):
        part = _mapping(definitions.get(reference.rpartition("/")[2]))
    for choice in ("anyOf", "oneOf", "allOf"):
        if isinstance(options := part.get(choice), list):
            first = next((one for one in options if isinstance(one, Mapping) and one.get("type") != "null"), {})
            rest = {key: value for key, value in part.items() if key != choice}
            part = {**plain(first, {"$defs": definitions}, hops + 1), **rest}
    return {**part, "$defs": definitions} if definitions else part


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}
