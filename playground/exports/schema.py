"""The JSON Schema of a run as JSON, made of the events themselves; docs/run.schema.json is what it says."""

from typing import Any

from pydantic import TypeAdapter

from playground.agent.events import EVENTS, Event
from playground.foreign.pegboard import FORMAT, VERSION

_TEXT, _TIME = {"type": "string"}, {"type": "string", "format": "date-time"}
_RUN: dict[str, Any] = {
    "type": "object",
    "description": "The run's row. `position` counts the runs of its thread; `parent_call` is the call of the run above it.",
    "required": ["id", "task"],
    "properties": {
        "id": {"type": "string", "format": "uuid"},
        "thread": {"type": "string", "format": "uuid"},
        "position": {"type": "integer", "minimum": 1},
        "task": _TEXT,
        "status": _TEXT,
        "created_at": _TIME,
        "ended_at": {"anyOf": [_TIME, {"type": "null"}]},
        "parent_call": _TEXT,
        "imported_from": _TEXT,
        "origin": _TEXT,
    },
}
_NOTE: dict[str, Any] = {
    "type": "object",
    "description": "What a speaker means to say when the event `seq` has been told.",
    "required": ["seq", "text"],
    "properties": {"seq": {"type": "integer", "minimum": 1}, "text": _TEXT},
}


def run_schema() -> dict[str, Any]:
    found = TypeAdapter(Event).json_schema(ref_template="#/$defs/{model}")
    definitions = found["$defs"]
    for kind, event in EVENTS.items():
        _name(definitions[event.__name__], kind)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A run of Pegboard",
        "$ref": "#/$defs/Document",
        "$defs": {**definitions, "Document": _document()},
    }


def _document() -> dict[str, Any]:
    events = [{"$ref": f"#/$defs/{event.__name__}"} for event in EVENTS.values()]
    return {
        "type": "object",
        "required": ["run", "events"],
        "properties": {
            "format": {"const": FORMAT},
            "version": {"type": "integer", "minimum": 1, "maximum": VERSION},
            "run": _RUN,
            "events": {"type": "array", "items": {"oneOf": events}},
            "notes": {"type": "array", "items": _NOTE},
            "nested": {"type": "array", "items": {"$ref": "#/$defs/Document"}},
        },
    }


def _name(definition: dict[str, Any], kind: str) -> None:
    """What each event has beside its own fields: its number, its time and its kind."""
    own = {"seq": {"type": "integer", "minimum": 1}, "at": _TIME, "kind": {"const": kind}}
    definition["properties"] = {**own, **definition["properties"]}
    definition["required"] = ["kind", *definition.get("required", ())]
