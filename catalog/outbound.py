"""The one way out over HTTP, for both HTTP libraries in use: httpx (model calls) and httpx2 (the MCP SDK).

Every connection passes the gate. Compressed bodies are not asked for and not taken, bodies are capped, redirects are
left to the caller, and no proxy is used that nobody configured.
"""

import ssl
from collections.abc import AsyncIterator, Mapping
from functools import cache
from typing import Any

import httpcore
import httpcore2
import httpx
import httpx2

from catalog.sources.gate import AllowPrivate, AnswerRefused, Gate, GatedBackend, OutboundRefused

__all__ = ["AnswerRefused", "OutboundRefused", "http_client", "http_transport", "mcp_http_client", "mcp_http_transport"]

MAX_BODY = 10 * 1024 * 1024
MAX_STREAM = 64 * 1024 * 1024
"""Bytes of one event stream."""
DEFAULT_TIMEOUT = 30.0


def http_client(
    allow_private: AllowPrivate = False, headers: Mapping[str, str] | None = None, proxy: str | None = None
) -> httpx.AsyncClient:
    return httpx.AsyncClient(
        transport=http_transport(allow_private, proxy),
        headers=headers,
        timeout=DEFAULT_TIMEOUT,
        follow_redirects=False,
        trust_env=False,
    )


def mcp_http_client(
    allow_private: AllowPrivate = False, headers: Mapping[str, str] | None = None, proxy: str | None = None
) -> httpx2.AsyncClient:
    return httpx2.AsyncClient(
        transport=mcp_http_transport(allow_private, proxy),
        headers=headers,
        timeout=DEFAULT_TIMEOUT,
        follow_redirects=False,
        trust_env=False,
    )


def http_transport(allow_private: AllowPrivate = False, proxy: str | None = None) -> httpx.AsyncBaseTransport:
    """With a proxy, the proxy resolves names: then only addresses written out in the URL are judged here."""
    return _HttpTransport(Gate(allow_private, proxy), verify=_tls(), proxy=proxy)


def mcp_http_transport(allow_private: AllowPrivate = False, proxy: str | None = None) -> httpx2.AsyncBaseTransport:
    return _McpHttpTransport(Gate(allow_private, proxy), verify=_tls(), proxy=proxy)


class _Gated:
    """What both transports do around a request."""

    _gate: Gate

    async def handle_async_request(self, request: Any) -> Any:
        self._gate.judge(request.url.scheme, request.url.host, request.url.port)
        request.headers["accept-encoding"] = "identity"
        response = await super().handle_async_request(request)  # type: ignore[misc]
        if response.headers.get("content-encoding", "identity").lower() != "identity":
            await response.aclose()
            raise AnswerRefused(f"{request.url.host} sent a compressed answer though it was asked not to.")
        is_stream = response.headers.get("content-type", "").lower().startswith("text/event-stream")
        response.stream = _CappedBody(response.stream, MAX_STREAM if is_stream else MAX_BODY, request.url.host)
        return response


class _HttpTransport(_Gated, httpx.AsyncHTTPTransport):
    def __init__(self, gate: Gate, **options: Any) -> None:
        super().__init__(**options)
        self._gate = gate
        self._pool._network_backend = GatedBackend(gate, httpcore)


class _McpHttpTransport(_Gated, httpx2.AsyncHTTPTransport):
    def __init__(self, gate: Gate, **options: Any) -> None:
        super().__init__(**options)
        self._gate = gate
        self._pool._network_backend = GatedBackend(gate, httpcore2)


class _CappedBody(httpx.AsyncByteStream, httpx2.AsyncByteStream):
    def __init__(self, inner: Any, limit: int, host: str) -> None:
        self._inner = inner
        self._limit = limit
        self._host = host

    async def __aiter__(self) -> AsyncIterator[bytes]:
        size = 0
        async for part in self._inner:
            size += len(part)
            if size > self._limit:
                raise AnswerRefused(f"The answer of {self._host} is larger than {self._limit // 1024**2} MB.")
            yield part

    async def aclose(self) -> None:
        await self._inner.aclose()


@cache
def _tls() -> ssl.SSLContext:
    """Certificates of the usual authorities, or of those that the operator named in SSL_CERT_FILE or SSL_CERT_DIR."""
    return httpx.create_ssl_context()
