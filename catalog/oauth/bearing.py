"""The token that goes with a request to a server: the kept one, or a fresh one before that ends.

Of all tasks and processes that need a fresh one, one asks for it and the others wait, since a refresh token is often good
for a single use.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from typing import Any, TypeVar

from django.db import connection
from django.db.models import Q
from django.utils import timezone

from catalog.models import Server, ServerSignIn
from catalog.oauth.granting import GrantEnded, Tokens, renew
from catalog.oauth.hops import MOST_SECONDS, hops
from catalog.oauth.kept import authority_of, bounds_of, client_of, times
from catalog.sources.errors import NotCarriedOut, SourceError
from catalog.sources.storable import storable_text

SIGN_IN_AGAIN = "Sign in again on the server’s page."
LEASE = timedelta(seconds=MOST_SECONDS + 5)
LOOK_EVERY = 0.1
T = TypeVar("T")
_renewals: set["asyncio.Task[str]"] = set()
"""The event loop itself holds tasks only weakly."""


@dataclass(frozen=True, slots=True)
class StoredSignIn:
    """A server's sign-in, by the server's key and the time of signing in: another sign-in is another way to reach it."""

    server: int
    at: datetime

    async def token(self) -> str:
        """The access token, renewed if it is about to end. Raises NotCarriedOut."""
        while True:
            row = await _in_thread(self._row)
            if row.renew_at is None or timezone.now() < row.renew_at:
                return _usable(row)
            if not row.renews:
                return await _in_thread(partial(_used_up, row))
            if await _in_thread(partial(_claim, row)):
                renewal = asyncio.create_task(_renewed(row))
                _renewals.add(renewal)
                renewal.add_done_callback(_renewals.discard)
                return await asyncio.shield(renewal)  # whoever asked may be gone before the new tokens are kept
            await asyncio.sleep(LOOK_EVERY)

    async def refused(self, token: str, status: int, scopes: str) -> None:
        """The server did not take the token: before it is used again it is renewed, or a person signs in."""
        await _in_thread(partial(self._note, token, status, scopes))

    def _row(self) -> ServerSignIn:
        if row := ServerSignIn.objects.filter(server=self.server, at=self.at).first():
            return row
        raise NotCarriedOut("Pegboard is no longer signed in to this server as it was. Nothing was sent.")

    def _note(self, token: str, status: int, scopes: str) -> None:
        row = ServerSignIn.objects.filter(server=self.server, at=self.at).first()
        if row is None or row.kept.get("access") != token:
            return
        if status == 401:
            now = timezone.now()
            problem = f"The server refused its token (HTTP status 401). {SIGN_IN_AGAIN}"
            _keep(row, problem=problem, renew_at=now, expires_at=now)
        else:
            wanted = storable_text(scopes)[:1000]
            named = f": {wanted}" if wanted else ""
            _keep(
                row, wanted=wanted, problem=f"The server asks for rights that were not granted{named}. {SIGN_IN_AGAIN}"
            )


def stored_sign_in(server: Server) -> StoredSignIn | None:
    """None where nobody signed in, or that was to another address."""
    row = ServerSignIn.objects.filter(server=server, url=server.url).first()
    return StoredSignIn(server.pk, row.at) if row else None


def _usable(row: ServerSignIn) -> str:
    if not (token := row.kept.get("access")):
        raise NotCarriedOut(f"What is kept of the sign-in cannot be read: its key is gone. {SIGN_IN_AGAIN}")
    return str(token)


def _used_up(row: ServerSignIn) -> str:
    """Of a token that cannot be renewed, the rest of its time is used."""
    if row.expires_at and timezone.now() < row.expires_at:
        return _usable(row)
    if not row.problem:
        _keep(row, problem=f"The sign-in has ended, and it cannot be renewed. {SIGN_IN_AGAIN}")
    raise NotCarriedOut(f"{row.problem} Nothing was sent.")


def _claim(row: ServerSignIn) -> bool:
    """Whether it is now for us to renew this row, which nobody has renewed since it was read."""
    now = timezone.now()
    free = Q(renewing_until=None) | Q(renewing_until__lt=now)
    same = ServerSignIn.objects.filter(free, pk=row.pk, at=row.at, renew_at=row.renew_at)
    return bool(same.update(renewing_until=now + LEASE))


async def _renewed(row: ServerSignIn) -> str:
    try:
        async with hops(bounds_of(row)) as way:
            asked = (authority_of(row.authority), client_of(row), row.kept["refresh"], row.scopes)
            tokens = await renew(way, *asked)
    except SourceError as failed:
        return await _in_thread(partial(_not_renewed, row, failed))
    await _in_thread(partial(_keep_tokens, row, tokens))
    return tokens.access


def _not_renewed(row: ServerSignIn, failed: SourceError) -> str:
    """What a token still good for a while may be; the page says either way that something is wrong."""
    if isinstance(failed, GrantEnded):
        _keep(row, renewing_until=None, problem=f"{failed} {SIGN_IN_AGAIN}", kept={**row.kept, "refresh": ""})
    else:
        _keep(row, renewing_until=None, problem=f"Its token could not be renewed. {failed}")
    return _used_up(row)


def _keep(row: ServerSignIn, **values: Any) -> None:
    """In the row, if it is still there."""
    for name, value in values.items():
        setattr(row, name, value)
    ServerSignIn.objects.filter(pk=row.pk, at=row.at).update(**values)


def _keep_tokens(row: ServerSignIn, tokens: Tokens) -> None:
    kept = {**row.kept, "access": tokens.access, "refresh": tokens.refresh}
    ends = times(tokens.seconds, timezone.now())
    _keep(row, kept=kept, scopes=tokens.scopes, problem="", renewing_until=None, **ends)


async def _in_thread(work: Callable[[], T]) -> T:
    def tidily() -> T:
        try:
            return work()
        finally:
            connection.close()

    return await asyncio.to_thread(tidily)
