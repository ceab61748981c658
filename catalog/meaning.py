"""Whether a source changed what a tool means, or only how it says it."""

from collections.abc import Iterable, Mapping
from typing import Any, Literal

from catalog.suspicion.finding import Suspicion
from catalog.suspicion.scanning import scan

ChangeKind = Literal[
    "wording",
    "parameters",
    "result",
    "annotations",
    "permission",
    "text of the skill",
    "how it is called",
    "suspicious text",
    "edited here",
]
WORDING: ChangeKind = "wording"
EDITED: ChangeKind = "edited here"
"""Another wording of what a person has written over: the two want to be brought together."""
_KIND_OF: dict[str, ChangeKind] = {
    "parameters": "parameters",
    "output_schema": "result",
    "annotations": "annotations",
    "permission": "permission",
    "files": "text of the skill",
    "call_plan": "how it is called",
}
_PROSE = frozenset({"description", "title", "examples", "example", "$comment"})
"""Keys of a JSON Schema whose values say something and decide nothing."""


def change_kinds(before: Mapping[str, Any], after: Mapping[str, Any]) -> tuple[ChangeKind, ...]:
    """Which kinds of change lie between two definitions (their upstream fields); none if only spaces or key order differ."""
    found: dict[ChangeKind, None] = {}
    for name, value in after.items():
        old = before.get(name)
        kind = _KIND_OF.get(name)
        if kind and _bare(old) != _bare(value):
            found[kind] = None
        elif _spaced(old) != _spaced(value):
            found["wording"] = None
    if new_suspicions(before, after):
        found["suspicious text"] = None
    return tuple(found)


def changes_meaning(kinds: Iterable[ChangeKind]) -> bool:
    return any(kind not in (WORDING, EDITED) for kind in kinds)


def must_wait(kinds: Iterable[ChangeKind], *, wording_too: bool = False) -> bool:
    """Whether a person has to look before it is in force; at a mere rewording only where that was asked for."""
    return any(wording_too or kind != WORDING for kind in kinds)


def new_suspicions(before: Mapping[str, Any], after: Mapping[str, Any]) -> tuple[Suspicion, ...]:
    """What stands in the later definition and, word for word, did not in the earlier one."""
    known = {(suspicion.reason, suspicion.text) for suspicion in scan(before)}
    return tuple(found for found in scan(after) if (found.reason, found.text) not in known)


def _bare(schema: Any, *, is_properties: bool = False) -> Any:
    """A schema without its prose. The names of parameters are kept, whatever they are."""
    if isinstance(schema, Mapping):
        return {
            key: _bare(value, is_properties=key in ("properties", "$defs", "definitions") and not is_properties)
            for key, value in schema.items()
            if is_properties or key not in _PROSE
        }
    if isinstance(schema, list | tuple):
        return [_bare(value) for value in schema]
    return schema


def _spaced(value: Any) -> Any:
    """A value with each run of white space in its texts as one space."""
    match value:
        case str():
            return " ".join(value.split())
        case Mapping():
            return {key: _spaced(part) for key, part in value.items()}
        case list() | tuple():
            return [_spaced(part) for part in value]
        case None:
            return ""
    return value
