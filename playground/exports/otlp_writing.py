"""Spans in OTLP's JSON: ids, times, and attributes as its typed pairs."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from hashlib import blake2b
from typing import Any

INTERNAL, CLIENT = 1, 3
FAILED = 2


@dataclass(frozen=True, slots=True)
class Timing:
    """Where a span belongs and when it was: `seq` is the number of its event, 0 for the root."""

    run: str
    seq: int
    began: datetime
    ended: datetime


def written_span(
    timing: Timing, name: str, kind: int, attributes: Mapping[str, Any], failure: str | None = None
) -> dict[str, Any]:
    """Under the root, unless it is that. `failure` says what went wrong, if anything did."""
    parent = {"parentSpanId": _span_id(timing.run, 0)} if timing.seq else {}
    return {
        "traceId": timing.run.replace("-", ""),
        "spanId": _span_id(timing.run, timing.seq),
        **parent,
        "name": name,
        "kind": kind,
        "startTimeUnixNano": _nanos(timing.began),
        "endTimeUnixNano": _nanos(max(timing.began, timing.ended)),
        "attributes": pairs(attributes),
        "status": {} if failure is None else {"code": FAILED, "message": failure},
    }


def pairs(attributes: Mapping[str, Any]) -> list[dict[str, Any]]:
    """What is not known, or empty, is left out."""
    told = ((name, value) for name, value in attributes.items() if value is not None and value not in ("", (), []))
    return [{"key": name, "value": _value(value)} for name, value in told]


def _span_id(run: str, seq: int) -> str:
    return blake2b(f"{run} {seq}".encode(), digest_size=8).hexdigest()


def _nanos(moment: datetime) -> str:
    since = moment - datetime.fromtimestamp(0, moment.tzinfo)
    return str((since.days * 86_400 + since.seconds) * 10**9 + since.microseconds * 1_000)


def _value(value: Any) -> dict[str, Any]:
    match value:
        case bool():
            return {"boolValue": value}
        case int():
            return {"intValue": str(value)}
        case float():
            return {"doubleValue": value}
        case list() | tuple():
            return {"arrayValue": {"values": [_value(part) for part in value]}}
    return {"stringValue": str(value)}
