"""What went wrong with a model call, told from the wire: the kind of failure and a plain sentence."""

import json
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

import httpx

from catalog.redaction import Redactor
from playground.agent.chat_model import FailureKind, ModelFailed
from playground.agent.well_formed import well_formed
from playground.agent.wire import WatchingTransport

LONGEST_MESSAGE = 300


def read_fault(wire: WatchingTransport, error: Exception | None, redactor: Redactor) -> ModelFailed:
    """The failure of a call that raised `error`, or whose stream ended with something missing."""
    kind, sentence = _kind_and_sentence(wire, error)
    message = " ".join(redactor.text(well_formed(sentence)).split())[:LONGEST_MESSAGE]
    return ModelFailed(kind, message, _retry_after(wire.headers) if kind == "refused" else None)


def _kind_and_sentence(wire: WatchingTransport, error: Exception | None) -> tuple[FailureKind, str]:
    match wire.fault:
        case httpx.ConnectTimeout() | httpx.PoolTimeout():
            return "timeout", f"no connection within {wire.patience.connect:g} seconds"
        case httpx.TimeoutException():
            return "timeout", f"nothing arrived for {wire.patience.idle:g} seconds"
        case Exception() as fault if not wire.status:
            return "unreachable", f"the endpoint cannot be reached: {str(fault) or type(fault).__name__}"
    if wire.status and wire.status != httpx.codes.OK:
        return _refusal(wire)
    if wire.frames.problem:
        return "bad stream", f"the endpoint sent {wire.frames.problem}"
    if wire.fault and not isinstance(wire.fault, httpx.TransportError):
        return "bad stream", f"the answer was given up: {wire.fault}"
    if wire.status and not wire.frames.ended:
        return "truncated", _how_it_ended(wire)
    if wire.status:
        return "bad stream", f"LiteLLM cannot read the answer: {error}"
    return "rejected", f"LiteLLM did not send the request: {error}"


def _refusal(wire: WatchingTransport) -> tuple[FailureKind, str]:
    status = wire.status
    said = _said(wire.refusal)
    if status in (401, 403):
        return "rejected", f"the endpoint refused the key ({status}){said}"
    may_pass = status == httpx.codes.TOO_MANY_REQUESTS or status >= 500
    return ("refused" if may_pass else "rejected"), f"the endpoint answered {status}{said}"


def _said(body: bytes) -> str:
    """What a refusal says, as `: message`, if it says it in JSON."""
    try:
        error = json.loads(body)["error"]
        return f": {error['message'] if isinstance(error, dict) else error}"
    except (ValueError, LookupError, TypeError, RecursionError):
        return ""


def _how_it_ended(wire: WatchingTransport) -> str:
    kind = wire.headers.get("content-type", "").partition(";")[0]
    if kind in ("text/html", "text/plain"):
        return f"the endpoint sent {kind} where an answer was due"
    return "the connection ended before the answer did"


def _retry_after(headers: httpx.Headers) -> float | None:
    """Seconds to wait as the endpoint names them, as a number or as a date."""
    named = headers.get("retry-after", "")
    try:
        return max(0.0, float(named))
    except ValueError:
        pass
    try:
        return max(0.0, (parsedate_to_datetime(named) - datetime.now(UTC)).total_seconds())
    except ValueError:
        return None
