"""The requests by which Pegboard finds out where to sign in, and signs in: each passes the gate, and they are few.

What names the addresses is a stranger's document, so none is reached for that word alone: https only, nothing private
that an admin did not name, no redirect, so many documents, so many seconds.
"""

from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager
from dataclasses import dataclass
from ipaddress import ip_address
from urllib.parse import SplitResult, urlsplit

import anyio
import httpx2

from catalog.outbound import mcp_http_client
from catalog.redaction import Redactor
from catalog.sources.addresses import literal_reach, normal_host, url_problem
from catalog.sources.errors import SourceError
from catalog.sources.mcp_failures import address_failure

MOST_DOCUMENTS = 5
MOST_SECONDS = 10.0
"""For all requests of one step together."""

Named = Collection[tuple[str, int]]
"""Private hosts with their ports that an admin named."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """Which addresses may take part in signing in to the server at `server_url`, which an admin approved."""

    server_url: str
    named: Named = ()

    def problem(self, address: str) -> str:
        """Why an address may not take part, as a sentence; empty if it may. Nothing is resolved yet."""
        if problem := url_problem(address, allow_private=self._named_with_own()):
            return problem
        parts = urlsplit(address)
        if parts.scheme == "http" and not (_is_loopback(parts) and _place(parts) in self._named_with_own()):
            return "The address does not begin with https://, so that what is sent there could be read on the way."
        return ""

    def is_own(self, address: str) -> bool:
        """Whether it has the scheme, host and port of the server itself."""
        own, other = urlsplit(self.server_url), urlsplit(address)
        return (own.scheme, _place(own)) == (other.scheme, _place(other))

    def _named_with_own(self) -> Named:
        own = urlsplit(self.server_url)
        is_private = literal_reach(own.hostname or "") == "private"
        return {*self.named, *((_place(own),) if is_private else ())}


class Hops:
    """The requests of one step of a sign-in."""

    def __init__(self, bounds: Bounds, own: httpx2.AsyncClient, others: httpx2.AsyncClient) -> None:
        self.bounds = bounds
        self._own = own
        self._others = others
        self._documents = 0

    async def document(self, request: httpx2.Request) -> httpx2.Response:
        """As `send`, for one of the few documents that may be asked for on the way."""
        self._documents += 1
        if self._documents > MOST_DOCUMENTS:
            raise SourceError(f"It takes more than {MOST_DOCUMENTS} documents to find out where to sign in.")
        return await self.send(request)

    async def send(self, request: httpx2.Request, secrets: Collection[str] = ()) -> httpx2.Response:
        """The answer, whatever its status, redirects among them. Raises SourceError."""
        address = str(request.url)
        if problem := self.bounds.problem(address):
            raise SourceError(f"{host_of(address)}: {problem}")
        client = self._own if self.bounds.is_own(address) else self._others
        try:
            return await client.send(request)
        except Exception as error:
            raise address_failure(error, host_of(address), 0, Redactor(secrets)) from None


@asynccontextmanager
async def hops(bounds: Bounds) -> AsyncIterator[Hops]:
    """For one step. Raises SourceError if it takes too long."""
    try:
        with anyio.fail_after(MOST_SECONDS):
            async with mcp_http_client(allow_private=True) as own, mcp_http_client(bounds.named) as others:
                yield Hops(bounds, own, others)
    except TimeoutError:
        raise SourceError(f"Signing in took more than {MOST_SECONDS:.0f} seconds. Try again later.") from None


def host_of(address: str) -> str:
    """The host and port of an address, for texts."""
    try:
        return urlsplit(address).netloc.rpartition("@")[2][:200] or "The address"
    except ValueError:
        return "The address"


def _place(parts: SplitResult) -> tuple[str, int]:
    return normal_host(parts.hostname or ""), parts.port or {"http": 80, "https": 443}.get(parts.scheme, 0)


def _is_loopback(parts: SplitResult) -> bool:
    host = normal_host(parts.hostname or "")
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")
