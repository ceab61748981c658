"""YAML as strangers send it, read into plain JSON values: no tags, no recursion, and no more than it says.

Values are built from the parser's events one by one, so that neither depth nor aliases can exhaust the process.
Plain words are read as YAML 1.2 does: `no` and `on` are text, and so are dates and keys such as 200.
"""

import math
import re
from dataclasses import dataclass, field
from typing import Any

import yaml

from catalog.sources.errors import SourceError

MAX_DEPTH = 64
MAX_EVENTS = 1_500_000
MAX_WEIGHT = 3_000_000
"""Values, and 64 characters of text each, once every alias is written out."""
_CORE = {f"tag:yaml.org,2002:{kind}" for kind in ("str", "int", "float", "bool", "null", "map", "seq")}
_NULL = frozenset(("", "~", "null", "Null", "NULL"))
_BOOL = {"true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False}
_INT = re.compile(r"[-+]?[0-9]{1,300}")
_FLOAT = re.compile(r"[-+]?(\.[0-9]{1,300}|[0-9]{1,300}(\.[0-9]{0,300})?)([eE][-+]?[0-9]{1,3})?")
_MERGE = "<<"
_PLACES_WITHIN = 4
"""Levels down to which it is kept where each list and mapping begins."""
_MAX_REPEATED = 20


@dataclass(frozen=True, slots=True)
class YamlText:
    """A document as read. `places` has 'line 3, column 5' by the identity of each list and mapping near the top.

    `keys` has where each key of such a mapping stands, by the identity of the mapping and the key.
    """

    value: Any
    places: dict[int, str]
    keys: dict[tuple[int, str], str]
    repeated: tuple[str, ...]
    """Keys that stand twice in one mapping, each with its place; the last one counts."""


def load_yaml(text: str) -> YamlText:
    """The first document. Raises SourceError with the place of what cannot be read or is not taken."""
    building = _Building()
    try:
        for event in yaml.parse(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader)):
            if isinstance(event, yaml.DocumentEndEvent):
                return YamlText(building.root, building.places, building.keys, tuple(building.repeated))
            building.take(event)
    except yaml.YAMLError as error:
        raise SourceError(f"The file is not valid YAML: {_place(error)}.") from None
    raise SourceError("The file is empty.")


@dataclass(slots=True)
class _Open:
    """A list or mapping that is yet to be closed."""

    value: list[Any] | dict[str, Any]
    anchor: str | None
    weight_before: int
    key: str | None = None
    merges: bool = False
    """Whether the key is `<<` without quotes."""
    merged: list[Any] = field(default_factory=list)


@dataclass(slots=True)
class _Building:
    root: Any = None
    weight: int = 0
    events: int = 0
    open: list[_Open] = field(default_factory=list)
    anchors: dict[str, tuple[Any, int]] = field(default_factory=dict)
    places: dict[int, str] = field(default_factory=dict)
    keys: dict[tuple[int, str], str] = field(default_factory=dict)
    repeated: list[str] = field(default_factory=list)

    def take(self, event: Any) -> None:
        self.events += 1
        if self.events > MAX_EVENTS:
            raise SourceError(f"The file has more than {MAX_EVENTS:,} parts, which is too large to be read as YAML.")
        match event:
            case yaml.ScalarEvent():
                self._take_scalar(event)
            case yaml.AliasEvent():
                self._take_alias(event)
            case yaml.SequenceStartEvent() | yaml.MappingStartEvent():
                self._begin(event)
            case yaml.SequenceEndEvent() | yaml.MappingEndEvent():
                self._end()

    def _take_scalar(self, event: yaml.ScalarEvent) -> None:
        _refuse_tag(event)
        self._weigh(1 + len(event.value) // 64, event)
        if self._waits_for_key:
            self._key(event.value, event)
            self._name(event.anchor, event.value, 1)
            return
        value = event.value if not event.implicit[0] or event.tag else plain_value(event.value)
        self._name(event.anchor, value, 1 + len(event.value) // 64)
        self._place(value)

    def _take_alias(self, event: yaml.AliasEvent) -> None:
        if event.anchor not in self.anchors:
            raise SourceError(
                f"The file refers to &{str(event.anchor)[:60]} inside itself or before it is written{_at(event)}."
            )
        value, weight = self.anchors[event.anchor]
        self._weigh(weight, event)
        if self._waits_for_key:
            self._key(str(value), event)
        else:
            self._place(value)

    def _begin(self, event: Any) -> None:
        _refuse_tag(event)
        if len(self.open) >= MAX_DEPTH:
            raise SourceError(f"The file is nested deeper than {MAX_DEPTH} levels{_at(event)}.")
        if self._waits_for_key:
            raise SourceError(f"A key of the file is no plain text{_at(event)}.")
        value: list[Any] | dict[str, Any] = {} if isinstance(event, yaml.MappingStartEvent) else []
        if len(self.open) < _PLACES_WITHIN:
            self.places[id(value)] = _where(event.start_mark)
        self.open.append(_Open(value, event.anchor, self.weight))
        self._weigh(1, event)

    def _key(self, key: str, event: Any) -> None:
        parent = self.open[-1]
        if key in parent.value and len(self.repeated) < _MAX_REPEATED:
            self.repeated.append(f"“{key[:60]}”{_at(event)}")
        if len(self.open) <= _PLACES_WITHIN:
            self.keys[id(parent.value), key] = _where(event.start_mark)
        parent.key = key
        parent.merges = key == _MERGE and isinstance(event, yaml.ScalarEvent) and event.implicit[0]

    def _end(self) -> None:
        closed = self.open.pop()
        for other in closed.merged:
            if isinstance(closed.value, dict):
                closed.value.update({key: part for key, part in other.items() if key not in closed.value})
        self._name(closed.anchor, closed.value, self.weight - closed.weight_before)
        self._place(closed.value)

    def _place(self, value: Any) -> None:
        if not self.open:
            self.root = value
            return
        parent = self.open[-1]
        if isinstance(parent.value, list):
            parent.value.append(value)
        elif parent.merges:
            found = value if isinstance(value, list) else [value]
            parent.merged += [other for other in found if isinstance(other, dict)]
        elif parent.key is not None:
            parent.value[parent.key] = value
        parent.key, parent.merges = None, False

    @property
    def _waits_for_key(self) -> bool:
        return bool(self.open) and isinstance(self.open[-1].value, dict) and self.open[-1].key is None

    def _name(self, anchor: str | None, value: Any, weight: int) -> None:
        if anchor:
            self.anchors[anchor] = (value, weight)

    def _weigh(self, weight: int, event: Any) -> None:
        self.weight += weight
        if self.weight > MAX_WEIGHT:
            raise SourceError(f"The file grows too large once its aliases are written out{_at(event)}.")


def plain_value(text: str) -> Any:
    """What a word without quotes stands for: null, true or false, a number, or itself."""
    if text in _NULL:
        return None
    if text in _BOOL:
        return _BOOL[text]
    if _INT.fullmatch(text):
        return int(text)
    return number if _FLOAT.fullmatch(text) and math.isfinite(number := float(text)) else text


def _refuse_tag(event: Any) -> None:
    if event.tag and event.tag != "!" and event.tag not in _CORE:
        raise SourceError(f"The file holds the tag {event.tag[:60]}{_at(event)}. Only plain values are read.")


def _at(event: Any) -> str:
    return f" ({_where(event.start_mark)})"


def _where(mark: Any) -> str:
    return f"line {mark.line + 1}, column {mark.column + 1}"


def _place(error: yaml.YAMLError) -> str:
    mark = getattr(error, "problem_mark", None)
    what = str(getattr(error, "problem", None) or getattr(error, "reason", None) or "it cannot be read")[:200]
    return f"{_where(mark)}: {what}" if mark else what
