"""Schemas of OpenAPI written as JSON Schema that stands alone: references written out, 3.0's own words translated.

What refers to itself, and what would grow too large, is cut at a reference, and the cut says so.
"""

from dataclasses import dataclass, field
from typing import Any, Literal

from catalog.sources.fields import kind_of
from catalog.sources.openapi.references import References, Unreadable, below, reference_of
from catalog.sources.storable import storable_text

Direction = Literal["request", "response"]
DEPTHS = (8, 3, 1, 0)
"""How many references inside references are written out: the next less where the one before grew too large."""
MAX_NODES: dict[Direction, int] = {"request": 1_500, "response": 400}
MAX_LEVELS = 48
_KINDS = frozenset(("string", "number", "integer", "boolean", "array", "object", "null"))
_TEXTS = ("title", "description", "format", "pattern")
_NUMBERS = ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf")
_COUNTS = ("minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties")
_FLAGS = ("uniqueItems", "deprecated", "exclusiveMinimum", "exclusiveMaximum")
_LISTS = ("enum", "required")
_OF_ONE = ("items", "additionalProperties", "not", "contains", "propertyNames", "if", "then", "else")
_OF_LIST = ("allOf", "anyOf", "oneOf", "prefixItems")
_OF_NAMES = ("properties", "patternProperties", "dependentSchemas")
_UNSEEN: dict[Direction, str] = {"request": "readOnly", "response": "writeOnly"}


class TooLarge(Exception):
    """The schema has grown beyond its bound."""


@dataclass(frozen=True, slots=True)
class Schemas:
    """The schemas of one document."""

    references: References

    def read(self, schema: Any, pointer: str, direction: Direction = "request") -> tuple[dict[str, Any], list[str]]:
        """The schema on its own, and remarks, each completing 'It is kept, but …'. Raises Unreadable."""
        for depth in DEPTHS:
            writing = _Writing(self.references, direction, depth)
            try:
                written = writing.schema(schema, pointer)
            except TooLarge:
                continue
            return written if isinstance(written, dict) else {}, sorted(writing.remarks)
        raise Unreadable("its schema is too large", pointer)


@dataclass(slots=True)
class _Writing:
    references: References
    direction: Direction
    most_references: int
    nodes: int = 0
    levels: int = 0
    trail: list[str] = field(default_factory=list)
    remarks: set[str] = field(default_factory=set)

    def schema(self, schema: Any, pointer: str) -> dict[str, Any] | bool:
        self._count()
        if isinstance(schema, bool):
            return schema
        if not isinstance(schema, dict):
            raise Unreadable(f"a schema is {kind_of(schema)}, not an object", pointer)
        reference = reference_of(schema)
        if reference is not None:
            return self._referred(schema, reference, pointer)
        self.levels += 1
        if self.levels > MAX_LEVELS:
            raise TooLarge
        try:
            return self._written(schema, pointer)
        finally:
            self.levels -= 1

    def _referred(self, schema: dict[str, Any], reference: str, pointer: str) -> dict[str, Any] | bool:
        target = self.references.target(reference, pointer)
        own: dict[str, Any] = {key: schema[key] for key in ("description", "default") if key in schema}
        if reference in self.trail:
            self.remarks.add(f"{_short(reference)} refers to itself, and is written out once")
            return {**self._cut(target, reference), **self._kept(own)}
        if len(self.trail) >= self.most_references:
            self.remarks.add("its schema is large, and references deep inside it are cut")
            return {**self._cut(target, reference), **self._kept(own)}
        self.trail.append(reference)
        try:
            written = self.schema(target, reference)
        finally:
            self.trail.pop()
        return {**written, **self._kept(own)} if isinstance(written, dict) and own else written

    def _cut(self, target: Any, reference: str) -> dict[str, Any]:
        """What stands in the place of a schema that is not written out."""
        kind = target.get("type") if isinstance(target, dict) else None
        told: dict[str, Any] = {"description": f"A {_short(reference)}, not written out here."}
        return {"type": kind, **told} if isinstance(kind, str) and kind in _KINDS else told

    def _written(self, schema: dict[str, Any], pointer: str) -> dict[str, Any]:
        written: dict[str, Any] = self._kind(schema)
        written |= self._kept(schema)
        for word in _OF_NAMES:
            if isinstance(parts := schema.get(word), dict):
                written[word] = self._named(parts, below(pointer, word))
        for word in _OF_LIST:
            if isinstance(parts := schema.get(word), list) and parts:
                where = below(pointer, word)
                written[word] = [self.schema(part, below(where, place)) for place, part in enumerate(parts)]
        for word in _OF_ONE:
            if isinstance(schema.get(word), dict | bool):
                written[word] = self.schema(schema[word], below(pointer, word))
        self._settle_required(schema, written)
        _settle_bounds(written)
        return _with_null(written) if schema.get("nullable") is True else written

    def _kind(self, schema: dict[str, Any]) -> dict[str, Any]:
        match schema.get("type"):
            case str(kind) if kind in _KINDS:
                return {"type": kind}
            case list(kinds) if kinds and all(isinstance(kind, str) and kind in _KINDS for kind in kinds):
                return {"type": list(dict.fromkeys(kinds))}
        return {}

    def _kept(self, schema: dict[str, Any]) -> dict[str, Any]:
        """The words that hold no schema, where they hold what they should: one odd bound would cost a whole prompt."""
        kept: dict[str, Any] = {word: schema[word] for word in _TEXTS if isinstance(schema.get(word), str)}
        kept |= {word: schema[word] for word in _NUMBERS if type(schema.get(word)) in (int, float)}
        kept |= {word: schema[word] for word in _COUNTS if type(schema.get(word)) is int and schema[word] >= 0}
        kept |= {word: schema[word] for word in _FLAGS if isinstance(schema.get(word), bool)}
        kept |= {word: schema[word] for word in _LISTS if isinstance(schema.get(word), list) and schema[word]}
        kept |= {"default": schema["default"]} if schema.get("default") is not None else {}
        kept |= {"const": schema["const"]} if "const" in schema else {}
        self._count(len(kept.get("enum", ())) // 10)
        return kept

    def _named(self, parts: dict[str, Any], pointer: str) -> dict[str, Any]:
        """Properties by name, less those that only the other side writes."""
        named = {}
        for name, part in parts.items():
            target, _ = self.references.follow(part, below(pointer, name))
            if not (isinstance(target, dict) and target.get(_UNSEEN[self.direction]) is True):
                named[storable_text(name)] = self.schema(part, below(pointer, name))
        return named

    def _settle_required(self, schema: dict[str, Any], written: dict[str, Any]) -> None:
        """`required` without the properties that were left away."""
        if "required" not in written:
            return
        listed = schema.get("properties")
        gone = set(listed) - set(written.get("properties", ())) if isinstance(listed, dict) else set()
        names = [name for name in written["required"] if isinstance(name, str) and name not in gone]
        written["required"] = list(dict.fromkeys(names))
        if not names:
            del written["required"]

    def _count(self, nodes: int = 1) -> None:
        self.nodes += nodes
        if self.nodes > MAX_NODES[self.direction]:
            raise TooLarge


def _settle_bounds(written: dict[str, Any]) -> None:
    """3.0 says whether a bound is exclusive; JSON Schema says the exclusive bound."""
    for bound, exclusive in (("minimum", "exclusiveMinimum"), ("maximum", "exclusiveMaximum")):
        if isinstance(flag := written.get(exclusive), bool):
            del written[exclusive]
            if flag and bound in written:
                written[exclusive] = written.pop(bound)


def _with_null(written: dict[str, Any]) -> dict[str, Any]:
    """3.0's `nullable`."""
    kind = written.get("type")
    if kind is None:
        told: dict[str, Any] = {key: written.pop(key) for key in ("title", "description") if key in written}
        return {**told, "anyOf": [written, {"type": "null"}]} if written else told
    kinds = [kind] if isinstance(kind, str) else kind
    nullable = {**written, "type": list(dict.fromkeys([*kinds, "null"]))}
    if "enum" in written and None not in written["enum"]:
        nullable["enum"] = [*written["enum"], None]
    return nullable


def _short(reference: str) -> str:
    return storable_text(reference.rpartition("/")[2][:60]) or "document"
