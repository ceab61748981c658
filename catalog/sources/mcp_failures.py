"""What went wrong with an MCP server, in one or two plain sentences: what happened, and what to do."""

from collections.abc import Iterator

import httpx2
from mcp.shared.exceptions import MCPError
from mcp_types import CONNECTION_CLOSED, REQUEST_TIMEOUT
from pydantic import ValidationError

from catalog.redaction import Redactor
from catalog.sources.errors import SourceError
from catalog.sources.gate import OutboundRefused
from catalog.sources.mcp_sign_in import Challenge
from catalog.sources.stdio import MAX_LINE, ServerLog
from catalog.sources.storable import storable_text

MAX_QUOTED = 300
OVERGROWN = 253
"""The exit status by which catalog/spawn_minder.py says so."""
_ADVICE = {
    401: "Check the headers with which Pegboard signs in.",
    403: "Check the headers with which Pegboard signs in, and what they allow.",
    404: "Check the address: the endpoint often ends in /mcp.",
    405: "Check the address: the endpoint often ends in /mcp, or in /sse with the older transport.",
    429: "It has had too many requests. Try again later.",
}


def leaves(error: BaseException) -> Iterator[BaseException]:
    """The errors in a group, or the error itself."""
    if isinstance(error, BaseExceptionGroup):
        for part in error.exceptions:
            yield from leaves(part)
    else:
        yield error


def command_failure(error: BaseException, log: ServerLog, redactor: Redactor) -> SourceError:
    """Why a server that was started cannot be used."""
    for leaf in leaves(error):
        if isinstance(leaf, SourceError):
            return leaf
    if log.too_long:
        return SourceError(f"The server sent a message of more than {MAX_LINE // 1024**2} MB and was ended.")
    words = storable_text(redactor.text("\n".join(log.last_words))).strip()
    if log.exit_status is not None:
        told = f"Its last words: {words}" if words else "It said nothing about why: try its command in a terminal."
        return SourceError(
            f"The server ended ({_status(log.exit_status)}) instead of answering.{_strays(log, redactor)} {told}"
        )
    if _is_timeout(error):
        told = f" Its last words: {words}" if words else ""
        return SourceError(f"The server did not answer in time.{_strays(log, redactor)}{told}")
    return SourceError(_plain(error, redactor))


def address_failure(
    error: BaseException, host: str, status: int, redactor: Redactor, challenge: Challenge | None = None
) -> SourceError:
    """Why a server at an address cannot be used. `status` is the last HTTP status that it answered, 0 if none."""
    for leaf in leaves(error):
        match leaf:
            case SourceError():
                return leaf
            case OutboundRefused():
                return SourceError(str(leaf))
            case httpx2.ConnectError() | httpx2.ConnectTimeout():
                return SourceError(f"{host} cannot be reached. Is the server running, and is its address right?")
            case httpx2.InvalidURL() | httpx2.UnsupportedProtocol():
                return SourceError("The address cannot be read. Expected is something like https://example.com/mcp.")
    if status >= 400:
        advice = _asked_for(challenge) or _ADVICE.get(status, "Look into its own log.")
        return SourceError(f"{host} answered with the HTTP status {status}. {advice}")
    if _is_timeout(error):
        return SourceError(f"{host} did not answer in time.")
    return SourceError(f"{host}: {_plain(error, redactor)}")


def _asked_for(challenge: Challenge | None) -> str:
    if challenge is None or not challenge.asks_for_sign_in:
        return ""
    if challenge.status == 403:
        scopes = storable_text(challenge.scopes)[:MAX_QUOTED]
        return (
            f"It asks for rights that were not granted{f' ({scopes})' if scopes else ''}: an admin can sign in again."
        )
    return "It asks for a sign-in, by an admin on the server’s page, or for other headers."


def _strays(log: ServerLog, redactor: Redactor) -> str:
    if not log.strays:
        return ""
    first = storable_text(redactor.text(log.first_stray))[:MAX_QUOTED]
    return f" It wrote {log.strays:,} lines that are no MCP messages, the first: “{first}”."


def _is_timeout(error: BaseException) -> bool:
    return any(
        isinstance(leaf, TimeoutError | httpx2.TimeoutException)
        or (isinstance(leaf, MCPError) and leaf.error.code == REQUEST_TIMEOUT)
        for leaf in leaves(error)
    )


def _plain(error: BaseException, redactor: Redactor) -> str:
    leaf = next(leaves(error))
    if isinstance(leaf, MCPError) and leaf.error.code == CONNECTION_CLOSED:
        return "The connection to the server was lost."
    if isinstance(leaf, MCPError):
        return f"The server answered with an error: “{storable_text(redactor.text(leaf.error.message))[:MAX_QUOTED]}”."
    if isinstance(leaf, ValidationError | RuntimeError):
        return "The server’s answer does not follow the MCP protocol."
    return f"The connection failed ({type(leaf).__name__})."


def _status(status: int) -> str:
    if status == OVERGROWN:
        return "it had started more than 256 processes, and all were ended"
    return f"killed by signal {status - 128}" if status > 128 else f"exit status {status}"
