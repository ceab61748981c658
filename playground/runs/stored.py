"""Events as rows keep them: a kind and a JSON body, read back as the dataclass that they were."""

from typing import Any, cast
from uuid import UUID

from pydantic import TypeAdapter

from playground.agent.events import EVENTS, Event
from playground.agent.well_formed import well_formed

_ADAPTERS: dict[str, TypeAdapter[Any]] = {kind: TypeAdapter(event) for kind, event in EVENTS.items()}


class UnknownEventError(Exception):
    """A recorded event is of a kind that this release does not know: a newer one wrote it."""


def to_body(event: Event) -> dict[str, Any]:
    """JSON that every database can hold: no NUL, no lone surrogates."""
    return cast("dict[str, Any]", storable(_ADAPTERS[event.kind].dump_python(event)))


def from_row(kind: str, body: dict[str, Any]) -> Event:
    if kind not in _ADAPTERS:
        raise UnknownEventError(kind)
    return cast(Event, _ADAPTERS[kind].validate_python(body))


def storable(value: Any) -> Any:
    match value:
        case str():
            return well_formed(value)
        case UUID():
            return str(value)
        case dict():
            return {key: storable(part) for key, part in value.items()}
        case list() | tuple():
            return [storable(part) for part in value]
    return value
