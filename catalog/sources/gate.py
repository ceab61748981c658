"""The gate that every outgoing connection passes: which addresses may be connected to.

Addresses are judged after the name is resolved, and the judged address is the one that is connected to, so that a name
that changes its mind in between gains nothing. Private addresses need an admin's word.
"""

import contextlib
from collections.abc import Collection, Iterable
from types import ModuleType
from typing import Any

import anyio
import httpcore
import httpcore2
import httpx
from anyio import getaddrinfo

from catalog.sources.addresses import Reach, literal_reach, normal_host, reach

AllowPrivate = bool | Collection[tuple[str, int]]
"""What an admin allowed beside public addresses: hosts with their ports, or True for private networks and loopback.

True never opens link-local addresses (where clouds keep credentials) nor those that stand for another address.
"""
_PORTS = {"http": 80, "https": 443, "socks5": 1080, "socks5h": 1080}


class OutboundRefused(Exception):
    """A request or its answer may not pass; the text is a plain sentence."""


class AnswerRefused(OutboundRefused):
    """The answer may not pass; its request went out."""


async def resolve(host: str, port: int) -> Iterable[str]:
    return dict.fromkeys(str(info[4][0]) for info in await getaddrinfo(host, port, type=1))


class Gate:
    """Says which addresses a request may go to."""

    def __init__(self, allow_private: AllowPrivate, proxy: str | None) -> None:
        named = () if isinstance(allow_private, bool) else allow_private
        self._named = {(normal_host(host), port) for host, port in named}
        if proxy is not None:
            url = httpx.URL(proxy)
            self._named.add((normal_host(url.host), url.port or _PORTS.get(url.scheme, 0)))
        self._open: set[Reach] = {"public", "private"} if allow_private is True else {"public"}

    async def addresses(self, host: str, port: int) -> list[str]:
        """The addresses of a host. Raises OutboundRefused if any is out of bounds, OSError if there is none."""
        found = list(await resolve(host, port))
        if not found:
            raise OSError(f"{host} has no address")
        if not self._is_named(host, port) and any(reach(address) not in self._open for address in found):
            raise _refusal(host, port)
        return found

    def judge(self, scheme: str, host: str, port: int | None) -> None:
        """Raises OutboundRefused for what can be told without resolving the host."""
        port = port or _PORTS.get(scheme, 0)
        if scheme not in ("http", "https"):
            raise OutboundRefused(f"Only http and https addresses are reached, not {scheme or 'one without a scheme'}.")
        if not self._is_named(host, port) and literal_reach(host) not in (None, *self._open):
            raise _refusal(host, port)

    def _is_named(self, host: str, port: int) -> bool:
        return (normal_host(host), port) in self._named


def _refusal(host: str, port: int) -> OutboundRefused:
    """The same text whether anything listens there or not."""
    return OutboundRefused(f"{host}:{port} is a private or reserved address. An admin must allow it by host and port.")


class GatedBackend(httpcore.AsyncNetworkBackend, httpcore2.AsyncNetworkBackend):
    """Opens connections for either library; `core` is its httpcore."""

    def __init__(self, gate: Gate, core: ModuleType) -> None:
        self._gate = gate
        self._core = core
        self._inner = core.AnyIOBackend()

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ASYNC109
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> Any:
        addresses = await self._resolved(host, port, timeout)
        each = timeout / len(addresses) if timeout is not None else None
        for address in addresses[:-1]:
            with contextlib.suppress(self._core.ConnectError, self._core.ConnectTimeout):
                return await self._inner.connect_tcp(address, port, each, local_address, socket_options)
        return await self._inner.connect_tcp(addresses[-1], port, each, local_address, socket_options)

    async def connect_unix_socket(self, *args: Any, **options: Any) -> Any:
        raise OutboundRefused("Sockets of this machine are not reached.")

    async def sleep(self, seconds: float) -> None:
        await anyio.sleep(seconds)

    async def _resolved(self, host: str, port: int, seconds: float | None) -> list[str]:
        try:
            with anyio.fail_after(seconds):
                return await self._gate.addresses(host, port)
        except TimeoutError:
            raise self._core.ConnectTimeout(f"{host} could not be resolved in time") from None
        except (OSError, UnicodeError):
            raise self._core.ConnectError(f"{host} could not be resolved") from None
