"""OTLP as JSON: its spans and log records as plain values, whatever exporter wrote them."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from playground.foreign.values import count, dicts, mapping, moment, words

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MOST_NANOS = 1 << 62


@dataclass(slots=True)
class Span:
    """One span. `events` are its own and the log records that name it, in order of time."""

    line: int
    trace: str
    id: str
    parent: str
    name: str
    attributes: dict[str, Any]
    began: datetime | None
    ended: datetime | None
    failed: bool
    failure: str = ""
    events: list[tuple[str, dict[str, Any]]] = field(default_factory=list)

    @property
    def seconds(self) -> float | None:
        if self.began is None or self.ended is None:
            return None
        return max((self.ended - self.began).total_seconds(), 0.0)

    def text(self, *names: str) -> str:
        """The first of the attributes that is a text, and not empty."""
        return next((found for name in names if (found := words(self.attributes.get(name)))), "")


def spans_of(line: int, value: dict[str, Any]) -> Iterator[Span]:
    for resource in dicts(value.get("resourceSpans", value.get("resource_spans"))):
        common = attributes_of(mapping(resource.get("resource")).get("attributes"))
        scopes = resource.get("scopeSpans", resource.get("instrumentationLibrarySpans", resource.get("scope_spans")))
        for scope in dicts(scopes):
            yield from (_span(line, span, common) for span in dicts(scope.get("spans")))


def logs_of(value: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Of each log record the id of its span, the name of its event, and its attributes and body together."""
    for resource in dicts(value.get("resourceLogs")):
        for scope in dicts(resource.get("scopeLogs")):
            for record in dicts(scope.get("logRecords")):
                attributes = attributes_of(record.get("attributes"))
                body = _any(record.get("body"))
                name = words(record.get("eventName")) or words(attributes.get("event.name"))
                told = {**attributes, **(body if isinstance(body, dict) else {"content": body} if body else {})}
                yield words(record.get("spanId")), name, told


def attributes_of(pairs: Any) -> dict[str, Any]:
    """Attributes in OTLP's list of pairs, or as an object, as other exporters write them."""
    if isinstance(pairs, dict):
        return pairs
    return {words(pair.get("key")): _any(pair.get("value")) for pair in dicts(pairs)}


def _span(line: int, told: dict[str, Any], common: dict[str, Any]) -> Span:
    status = mapping(told.get("status"))
    events = [(words(event.get("name")), attributes_of(event.get("attributes"))) for event in dicts(told.get("events"))]
    return Span(
        line,
        words(told.get("traceId")),
        words(told.get("spanId")),
        words(told.get("parentSpanId")),
        words(told.get("name")),
        {**common, **attributes_of(told.get("attributes"))},
        _moment(told.get("startTimeUnixNano")),
        _moment(told.get("endTimeUnixNano")),
        status.get("code") in (2, "STATUS_CODE_ERROR"),
        words(status.get("message")),
        events,
    )


def _moment(value: Any) -> datetime | None:
    """Nanoseconds since 1970, which OTLP writes as a text."""
    nanos = int(value) if isinstance(value, str) and value.isdecimal() and len(value) < 20 else value
    if not isinstance(nanos, int) or not 0 < nanos < _MOST_NANOS:
        return None
    return moment((_EPOCH + timedelta(microseconds=nanos // 1000)).isoformat())


def _any(value: Any) -> Any:
    """An AnyValue as what it holds; what is none stays as it is."""
    match value:
        case {"stringValue": found} | {"boolValue": found} | {"doubleValue": found} | {"bytesValue": found}:
            return found
        case {"intValue": found}:
            return found if count(found) is None else count(found)
        case {"arrayValue": dict(found)}:
            return [_any(part) for part in found.get("values") or ()]
        case {"kvlistValue": dict(found)}:
            return attributes_of(found.get("values"))
    return value
