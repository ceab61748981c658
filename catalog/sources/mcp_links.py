"""How an MCP server is reached, and what can be told when it cannot be."""

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import urlsplit

import httpx2
from mcp.client._transport import TransportStreams
from mcp.client.sse import sse_client
from mcp.client.streamable_http import streamable_http_client

from catalog.outbound import MAX_BODY, mcp_http_client
from catalog.redaction import Redactor
from catalog.sources.errors import NotCarriedOut, SourceError
from catalog.sources.gate import AllowPrivate
from catalog.sources.headers import header_problems
from catalog.sources.mcp_failures import address_failure, command_failure
from catalog.sources.mcp_sign_in import BearerAuth, Challenge, SignIn, challenge_of
from catalog.sources.stdio import ServerLog, open_stdio
from catalog.spawning import ApprovedCommand, SandboxMode

_NOT_STREAMABLE = frozenset((400, 404, 405, 406, 415, 501))
_HTTP_TIMEOUT = httpx2.Timeout(30.0, read=600.0)
"""How long a call may take is the session's affair."""


@dataclass(frozen=True, slots=True)
class StdioConnection:
    """A server that is started. `hidden` are files and folders that a sandbox does not show it."""

    approved: ApprovedCommand
    sandbox: SandboxMode = "auto"
    hidden: Sequence[Path] = ()


@dataclass(frozen=True, slots=True)
class HttpConnection:
    """A server at an address; its headers are secrets. `sign_in` is there where somebody signed in to it."""

    url: str
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    allow_private: AllowPrivate = False
    proxy: str | None = None
    sign_in: SignIn | None = None

    @property
    def host(self) -> str:
        try:
            return urlsplit(self.url).netloc.rpartition("@")[2] or "The address"
        except ValueError:
            return "The address"


Connection = StdioConnection | HttpConnection


class Link(Protocol):
    """One use of a connection."""

    @property
    def knows_why(self) -> bool:
        """Whether it is known already why no answer came."""
        ...

    def transport(self) -> AbstractAsyncContextManager[TransportStreams]: ...

    def explain(self, error: BaseException) -> SourceError: ...

    def masked(self, text: str) -> str:
        """Without the tokens that went with requests, which no model has to see."""
        ...


def link_to(connection: Connection) -> Link:
    return StdioLink(connection) if isinstance(connection, StdioConnection) else HttpLink(connection)


def older_link(connection: Connection, tried: Link) -> Link | None:
    """SSE, where streamable HTTP was refused in the way in which servers do that know only the transport before it."""
    is_refused = isinstance(tried, HttpLink) and tried.status in _NOT_STREAMABLE
    return SseLink(connection) if is_refused and isinstance(connection, HttpConnection) else None


class StdioLink:
    def __init__(self, connection: StdioConnection) -> None:
        self._connection = connection
        self._log = ServerLog()

    @property
    def knows_why(self) -> bool:
        return self._log.exit_status is not None or self._log.too_long

    def transport(self) -> AbstractAsyncContextManager[TransportStreams]:
        connection = self._connection
        return open_stdio(connection.approved, self._log, connection.sandbox, connection.hidden)

    def explain(self, error: BaseException) -> SourceError:
        return command_failure(error, self._log, Redactor(self._connection.approved.command.env.values()))

    def masked(self, text: str) -> str:
        return text


class HttpLink:
    def __init__(self, connection: HttpConnection) -> None:
        self._connection = connection
        self._auth = BearerAuth(connection.sign_in) if connection.sign_in else None
        self._status = 0
        self._is_message = False
        self._challenge = Challenge()

    @property
    def knows_why(self) -> bool:
        """A status with a message of the protocol (400 for arguments that do not fit, say) is an answer."""
        return self._status >= 400 and not (self._status == httpx2.codes.BAD_REQUEST and self._is_message)

    @asynccontextmanager
    async def transport(self) -> AsyncIterator[TransportStreams]:
        connection = self._connection
        if problems := header_problems(connection.headers):
            raise SourceError(problems[0])
        async with AsyncExitStack() as stack:
            client = await stack.enter_async_context(self._client())
            opened = streamable_http_client(connection.url, http_client=client, max_sse_event_size=MAX_BODY)
            yield await stack.enter_async_context(opened)

    def _client(self) -> httpx2.AsyncClient:
        connection = self._connection
        client = mcp_http_client(connection.allow_private, connection.headers, connection.proxy)
        client.timeout = _HTTP_TIMEOUT
        if self._auth:
            client.auth = self._auth
        client.event_hooks = {"response": [self._note]}
        return client

    @property
    def status(self) -> int:
        """The last HTTP status with which a message was answered, 0 if none was."""
        return self._status

    async def _note(self, response: httpx2.Response) -> None:
        self._challenge = challenge_of(response)
        if self._auth:
            await self._auth.note(self._challenge)
        if response.request.method == "POST":
            self._status = response.status_code
            self._is_message = response.headers.get("content-type", "").startswith("application/json")

    def explain(self, error: BaseException) -> SourceError:
        tokens = self._auth.tokens if self._auth else ()
        redactor = Redactor([*self._connection.headers.values(), *tokens])
        problem = address_failure(error, self._connection.host, self._status, redactor, self._challenge)
        return NotCarriedOut(str(problem)) if self._status in (401, 403) else problem

    def masked(self, text: str) -> str:
        return self._auth.masked(text) if self._auth else text


class SseLink(HttpLink):
    """The transport of 2024-11-05, before streamable HTTP: answers come over one event stream."""

    @asynccontextmanager
    async def transport(self) -> AsyncIterator[TransportStreams]:
        def client(*_: Any, **__: Any) -> httpx2.AsyncClient:
            return self._client()

        async with sse_client(self._connection.url, httpx_client_factory=client) as streams:
            yield streams
