"""Where logs of requests keep the request and its answer, and when they were."""

from datetime import datetime, timedelta
from typing import Any

from playground.foreign.values import mapping, moment, parsed

_REQUESTS = ("request", "body", "request_body", "input", "payload")
_RESPONSES = ("response", "response_body", "output", "completion")
_BEGINNINGS = ("startTime", "start_time", "started_at", "timestamp", "created_at", "time")
_ENDS = ("endTime", "end_time", "ended_at", "completed_at")


def request_of(record: dict[str, Any]) -> dict[str, Any]:
    """The record itself, or the part of it that is the request."""
    return _part(record, _REQUESTS, ("messages", "input", "tools")) or record


def response_of(record: dict[str, Any]) -> dict[str, Any]:
    """The part that is the answer; the record itself where request and answer are one object; nothing without an answer."""
    found = _part(record, _RESPONSES, ("choices", "content", "output", "usage"))
    if found is None and ("choices" in record or isinstance(record.get("output"), list)):
        return record
    return found or {}


def answered_at(
    record: dict[str, Any], response: dict[str, Any]
) -> tuple[datetime | None, datetime | None, float | None]:
    """When the model was asked, when it had answered, and the seconds between, each where the log tells."""
    began = next((found for name in _BEGINNINGS if (found := moment(record.get(name)))), None)
    at = next((found for name in _ENDS if (found := moment(record.get(name)))), None)
    if began and at:
        seconds = max((at - began).total_seconds(), 0.0)
        return began, began + timedelta(seconds=seconds), seconds
    known = began or at or moment(response.get("created")) or moment(response.get("created_at"))
    return known, known, None


def _part(record: dict[str, Any], names: tuple[str, ...], needed: tuple[str, ...]) -> dict[str, Any] | None:
    for name in names:
        found = mapping(parsed(record.get(name)))
        inner = mapping(found.get("body"))
        for part in (found, inner):
            if any(key in part for key in needed):
                return part
    return None
