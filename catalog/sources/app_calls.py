"""Calling a tool of an app: a signed request to its callback address, sent once."""

import hashlib
import hmac
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

import anyio
import httpx

from catalog.outbound import AnswerRefused, OutboundRefused, http_client
from catalog.redaction import Redactor
from catalog.sources.call_outcome import CallOutcome, told
from catalog.sources.errors import SourceError

TIMESTAMP = "X-Pegboard-Timestamp"
SIGNATURE = "X-Pegboard-Signature"
CONNECT_WITHIN = 10.0
CALL_WITHIN = 55.0
"""Seconds for the whole call: less than a run waits for a tool, so that what went wrong is told."""


class NotSentError(SourceError):
    """The call never reached the app."""


@dataclass(frozen=True, slots=True)
class AppAddress:
    """Where an app takes calls, as an admin approved it."""

    url: str
    signing_key: str = field(repr=False)

    @property
    def host(self) -> str:
        return urlsplit(self.url).netloc


def signature(key: str, timestamp: str, body: bytes) -> str:
    """HMAC-SHA256 over the timestamp, a full stop and the body, in hexadecimal digits."""
    return hmac.new(key.encode(), timestamp.encode() + b"." + body, hashlib.sha256).hexdigest()


async def call_app(
    app: AppAddress, request: Mapping[str, Any], timestamp: int, seconds: float = CALL_WITHIN
) -> CallOutcome:
    """Send it once; no redirect is followed. `timestamp` is in seconds since 1970.

    What the app objects to is an outcome. Raises NotSentError, or another SourceError where no answer can be read.
    """
    body = json.dumps(request, ensure_ascii=False).encode("utf-8", "replace")
    headers = {
        "content-type": "application/json",
        TIMESTAMP: str(timestamp),
        SIGNATURE: signature(app.signing_key, str(timestamp), body),
    }
    try:
        with anyio.fail_after(seconds):
            return _outcome(app, await _posted(app, body, headers))
    except TimeoutError:
        raise SourceError(f"{app.host} did not answer within {seconds:,.3g} seconds.") from None


async def _posted(app: AppAddress, body: bytes, headers: Mapping[str, str]) -> httpx.Response:
    timeout = httpx.Timeout(None, connect=CONNECT_WITHIN)
    async with http_client(allow_private=True) as client:
        try:
            return await client.post(app.url, content=body, headers=headers, timeout=timeout)
        except (httpx.ConnectError, httpx.ConnectTimeout):
            raise NotSentError(f"{app.host} cannot be reached. Is the app running?") from None
        except AnswerRefused as refused:
            raise SourceError(str(refused)) from None
        except OutboundRefused as refused:
            raise NotSentError(str(refused)) from None
        except httpx.HTTPError as error:
            raise SourceError(f"The connection to {app.host} was lost ({type(error).__name__}).") from None


def _outcome(app: AppAddress, answer: httpx.Response) -> CallOutcome:
    if answer.is_redirect:
        raise SourceError(
            f"{app.host} sent the call elsewhere (status {answer.status_code}); redirects are not followed."
        )
    clean = Redactor([app.signing_key]).text
    if not answer.is_success:
        return CallOutcome(f"The app refused the call with the HTTP status {answer.status_code}.", is_error=True)
    match _json(answer):
        case {"content": content, "is_error": bool(is_error)}:
            text = content if isinstance(content, str) else json.dumps(content, ensure_ascii=False)
            return CallOutcome(told(clean(text)), is_error=is_error)
    raise SourceError(f'{app.host} answered with something other than {{"content": …, "is_error": false}}.')


def _json(answer: httpx.Response) -> Any:
    try:
        return json.loads(answer.content)
    except (ValueError, RecursionError):
        return None
