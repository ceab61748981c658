"""Sockets are for pages of this very origin: a page of another port or scheme of the same host is a stranger, too."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any
from urllib.parse import urlsplit

from channels.security.websocket import WebsocketDenier
from django.conf import settings
from django.utils.http import is_same_domain

Application = Callable[..., Awaitable[None]]


class SameOrigin:
    """Refuses a socket unless its page came from where it connects to, or from one of PEGBOARD_ORIGINS."""

    def __init__(self, application: Application) -> None:
        self._application = application

    async def __call__(self, scope: Mapping[str, Any], receive: Any, send: Any) -> None:
        origins, hosts = (_values(scope, name) for name in (b"origin", b"host"))
        if len(origins) == len(hosts) == 1 and _is_own(origins[0], hosts[0], scope):
            await self._application(scope, receive, send)
        else:
            await WebsocketDenier()(scope, receive, send)


def _values(scope: Mapping[str, Any], name: bytes) -> list[str]:
    return [value.decode("latin-1") for key, value in scope["headers"] if key == name]


def _is_own(origin: str, host: str, scope: Mapping[str, Any]) -> bool:
    """As Django judges the origin of a form."""
    is_secure = settings.SESSION_COOKIE_SECURE or scope.get("scheme") == "wss"
    return origin == f"{'https' if is_secure else 'http'}://{host}" or any(
        _is_trusted(origin, trusted) for trusted in settings.CSRF_TRUSTED_ORIGINS
    )


def _is_trusted(origin: str, trusted: str) -> bool:
    """`trusted` may stand for every subdomain, as `https://*.example.com` does."""
    here, there = urlsplit(origin), urlsplit(trusted)
    return here.scheme == there.scheme and is_same_domain(here.netloc, there.netloc.removeprefix("*"))
