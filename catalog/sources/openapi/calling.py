"""Calling an operation over HTTP, with the server's own secrets, through the gate."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import urljoin

import anyio
import httpx

from catalog.outbound import OutboundRefused, http_client
from catalog.redaction import Redactor
from catalog.sources.arguments import check_arguments
from catalog.sources.call_outcome import CallOutcome
from catalog.sources.errors import SourceError
from catalog.sources.openapi.answer import read_answer
from catalog.sources.openapi.call_plan import CallPlan
from catalog.sources.openapi.request import ApiConnection, Request, build_request, needed_credentials, origin
from catalog.sources.storable import storable_text
from catalog.tools import JsonSchema

CALL_SECONDS = 60.0
MAX_REDIRECTS = 5
_REDIRECTS = frozenset((301, 302, 303, 307, 308))


async def run(
    plan: CallPlan,
    parameters: JsonSchema,
    arguments: Mapping[str, Any],
    connection: ApiConnection,
    seconds: float = CALL_SECONDS,
) -> CallOutcome:
    """Call once. What does not fit and what the API objects to is an outcome; no answer at all is a SourceError."""
    if problems := await anyio.to_thread.run_sync(check_arguments, arguments, parameters):
        return CallOutcome("The arguments do not fit: " + "; ".join(problems), is_error=True)
    try:
        request = build_request(plan, arguments, connection)
    except SourceError as problem:
        return CallOutcome(str(problem), is_error=True)
    try:
        with anyio.fail_after(seconds):
            response = await send(request, connection)
    except TimeoutError:
        raise SourceError(f"{_host(connection)} did not answer in {seconds:g} seconds.") from None
    advice = _advice(plan, connection, response)
    return read_answer(response.status_code, response.headers.get("content-type", ""), response.content, advice)


async def send(request: Request, connection: ApiConnection) -> httpx.Response:
    """The answer, its body read. A redirect is followed for what changes nothing, and only within the same origin.

    Raises SourceError if none comes.
    """
    try:
        async with http_client(connection.allow_private) as client:
            client.timeout = httpx.Timeout(CALL_SECONDS)
            url = request.url
            for _ in range(MAX_REDIRECTS):
                response = await client.request(request.method, url, headers=request.headers, content=request.body)
                onward = _onward(request.method, url, response)
                if onward is None:
                    return response
                url = onward
            raise SourceError(f"{_host(connection)} redirects again and again.")
    except (OutboundRefused, httpx.HTTPError, httpx.InvalidURL) as error:
        raise SourceError(_failure(error, connection)) from None


def _onward(method: str, url: str, response: httpx.Response) -> str | None:
    if method not in ("GET", "HEAD") or response.status_code not in _REDIRECTS:
        return None
    target = urljoin(url, response.headers.get("location", ""))
    try:
        return target if target != url and origin(target) == origin(url) else None
    except ValueError:
        return None


def _advice(plan: CallPlan, connection: ApiConnection, response: httpx.Response) -> str:
    """What can be done about an answer that is none: who could write a secret, how long to wait, where it leads on to."""
    if 300 <= response.status_code < 400:
        onward = storable_text(response.headers.get("location", ""))[:300]
        return f"It leads on to {onward or 'nowhere'}, which is not followed."
    if response.status_code == 429 and (pause := storable_text(response.headers.get("retry-after", ""))[:100]):
        return f"It has had too many requests, and asks to wait: {pause}."
    if response.status_code in (401, 403) and any(plan.security) and not needed_credentials(plan, connection):
        names = ", ".join(dict.fromkeys(scheme for schemes in plan.security for scheme in schemes))
        return f"No secret is stored for what this operation asks for ({names}); a curator can write one."
    return ""


def _failure(error: Exception, connection: ApiConnection) -> str:
    host = _host(connection)
    match error:
        case OutboundRefused():
            return str(error)
        case httpx.ConnectError() | httpx.ConnectTimeout():
            return f"{host} cannot be reached. Is the API running, and is its base address right?"
        case httpx.TimeoutException():
            return f"{host} did not answer in time."
    words = Redactor(connection.secrets).text(str(error))[:200]
    return f"The call of {host} failed ({type(error).__name__}{': ' + words if words else ''})."


def _host(connection: ApiConnection) -> str:
    try:
        _, host, port = origin(connection.address)
    except ValueError:
        return "The address"
    return f"{host}:{port}" if port not in (80, 443) else host or "The address"
