"""An HTTP answer as the outcome of a call: text that a model can read."""

import json
import re
from http import HTTPStatus
from typing import Any

from catalog.sources.call_outcome import CallOutcome, told
from catalog.sources.storable import UnfitError

_JSON = re.compile(r"(application|text)/([\w.+-]+\+)?json", re.IGNORECASE)
_TEXT = re.compile(
    r"text/.*|application/([\w.+-]+\+)?(xml|yaml|javascript|x-ndjson|graphql|x-yaml|problem)", re.IGNORECASE
)
_CHARSET = re.compile(r"charset=\"?([\w.:-]{1,40})", re.IGNORECASE)


def read_answer(status: int, content_type: str, body: bytes, advice: str = "") -> CallOutcome:
    """JSON is indented, other text stays as it is, and what is no text is told by type and size.

    A status of 300 and above is an error: its number, what it means, `advice`, and the answer's own words.
    """
    text = _text(content_type, body)
    if status < 300:
        return CallOutcome(told(text or f"[completed with HTTP status {status}, and no content]"))
    lines = [f"HTTP status {status} {_phrase(status)}".rstrip() + ".", advice, text]
    return CallOutcome(told("\n".join(line for line in lines if line)), is_error=True)


def _text(content_type: str, body: bytes) -> str:
    if not body:
        return ""
    kind = content_type.partition(";")[0].strip().lower()
    if _JSON.fullmatch(kind) or (not kind and body[:1] in b"{["):
        return _indented(_decoded(body, "utf-8"))
    if _TEXT.fullmatch(kind):
        found = _CHARSET.search(content_type)
        return _decoded(body, found[1] if found else "utf-8")
    size = f"{len(body):,} bytes" if len(body) < 10_000 else f"{len(body) // 1024:,} KB"
    return f"[{kind[:100] or 'an answer of unknown type'}, {size}, which is no text]"


def _decoded(body: bytes, charset: str) -> str:
    try:
        return body.decode(charset, "replace")
    except (LookupError, UnicodeError, ValueError):
        return body.decode("utf-8", "replace")


def _indented(text: str) -> str:
    """The JSON indented; what is none, or would change by being read, stays as it is."""
    try:
        return json.dumps(json.loads(text, parse_float=_exact, parse_constant=_refuse), ensure_ascii=False, indent=2)
    except (ValueError, RecursionError, UnfitError):
        return text


def _exact(number: str) -> float:
    value = float(number)
    if repr(value) != number:
        raise ValueError(number)
    return value


def _refuse(constant: str) -> Any:
    raise ValueError(constant)


def _phrase(status: int) -> str:
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return ""
