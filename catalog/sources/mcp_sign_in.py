"""Requests to an MCP server that go with a token, and what a server says to those without a good one."""

from collections.abc import AsyncGenerator
from dataclasses import dataclass
from typing import Protocol

import httpx2
from mcp.client.auth.utils import extract_field_from_www_auth, extract_scope_from_www_auth

from catalog.redaction import MASK

_TURNED_AWAY = (httpx2.codes.UNAUTHORIZED, httpx2.codes.FORBIDDEN)


class SignIn(Protocol):
    """Somebody signed in to the server."""

    async def token(self) -> str:
        """One that is good now. Raises SourceError."""
        ...

    async def refused(self, token: str, status: int, scopes: str) -> None:
        """The server did not take the token; with 403, `scopes` are those that it asks for."""
        ...


@dataclass(frozen=True, slots=True)
class Challenge:
    """What a server answers to a request that it turns away; `status` is 0 where it did not."""

    status: int = 0
    asks_for_sign_in: bool = False
    scopes: str = ""


def challenge_of(response: httpx2.Response) -> Challenge:
    """Of a 403, only one that asks for more rights says something of the sign-in (RFC 6750, 3.1)."""
    lacks_scope = extract_field_from_www_auth(response, "error") == "insufficient_scope"
    if response.status_code not in _TURNED_AWAY or (response.status_code == 403 and not lacks_scope):
        return Challenge()
    asks = response.headers.get("www-authenticate", "").lower().startswith("bearer")
    return Challenge(response.status_code, asks, extract_scope_from_www_auth(response) or "")


class BearerAuth(httpx2.Auth):
    """Puts the token on every request, once: one that is turned away is not sent a second time."""

    def __init__(self, sign_in: SignIn) -> None:
        self._sign_in = sign_in
        self.tokens: list[str] = []
        """Those that went out, the last one last."""

    async def async_auth_flow(self, request: httpx2.Request) -> AsyncGenerator[httpx2.Request, httpx2.Response]:
        token = await self._sign_in.token()
        if token not in self.tokens:
            self.tokens.append(token)
        request.headers["authorization"] = f"Bearer {token}"
        yield request

    async def note(self, challenge: Challenge) -> None:
        if challenge.status and self.tokens:
            await self._sign_in.refused(self.tokens[-1], challenge.status, challenge.scopes)

    def masked(self, text: str) -> str:
        for token in self.tokens:
            text = text.replace(token, MASK)
        return text
