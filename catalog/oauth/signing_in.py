"""An admin signs Pegboard in to a server, and out of it."""

import asyncio
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from catalog.auditing.recording import Act, record
from catalog.models import Server, ServerSignIn, SignInAttempt
from catalog.oauth.clients import Client, register, written_down
from catalog.oauth.discovery import Authority, discover
from catalog.oauth.granting import Errand, check_answerer, redeem, revoke, send_out
from catalog.oauth.hops import Bounds, hops
from catalog.oauth.kept import authority_of, bounds_of, client_of, kept_authority, times
from catalog.sources.errors import SourceError
from catalog.sources.storable import storable_text

NOT_EXPECTED = "This answer belongs to no sign-in that you began here in the last ten minutes, or it was used already. Begin again."


@dataclass(frozen=True, slots=True)
class Asked:
    """What an admin wrote down; empty, it is found out. `private_hosts` are pairs of a host and a port.

    `issuer` is whom a secret that was written down before was told to: it is not told to another.
    """

    client_id: str = ""
    client_secret: str = ""
    issuer: str = ""
    scopes: str = ""
    private_hosts: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Visitor:
    """Who signs in, in which session, and the address at which they come back."""

    user: User
    session: str
    redirect: str


def begin(server: Server, asked: Asked, visitor: Visitor) -> SignInAttempt:
    """Find out where one signs in, and have a way there that can be gone once. Raises SourceError."""
    _check(server)
    before = ServerSignIn.objects.filter(server=server, url=server.url).first()
    granted = f"{before.scopes} {before.wanted}" if before and before.wanted else ""
    authority, client, errand = asyncio.run(_prepared(server, asked, visitor.redirect, granted))
    kept = {
        **{"address": errand.address, "verifier": errand.verifier, "redirect": visitor.redirect, "url": server.url},
        **{"authority": kept_authority(authority), "client": client.model_dump(mode="json", exclude_none=True)},
        "asked": {**asdict(asked), "issuer": authority.issuer},
    }
    return SignInAttempt.begin(server, visitor.user, visitor.session, errand.state, kept)


def finish(server: Server, visitor: Visitor, answer: Mapping[str, str]) -> ServerSignIn:
    """A person came back from an authorization server with its answer. Raises SourceError."""
    attempt = SignInAttempt.use(server, visitor.user, visitor.session, answer.get("state", ""))
    if attempt is None or attempt.kept.get("url") != server.url:
        raise SourceError(NOT_EXPECTED)
    _check(server)
    authority = authority_of(attempt.kept["authority"])
    check_answerer(authority, answer.get("iss"))
    if not (code := answer.get("code")):
        said = storable_text(answer.get("error", "nothing"))[:60]
        raise SourceError(f"{authority.host} did not sign you in. It said “{said}”.")
    return _granted(server, visitor.user, authority, code, attempt.kept)


def sign_out(sign_in: ServerSignIn) -> str:
    """Forget the tokens, and have the authorization server do so; why it was not told, if it was not."""
    problem = ""
    try:
        asyncio.run(_revoked(sign_in))
    except SourceError as failed:
        problem = str(failed)
    with transaction.atomic():
        record(Act.SERVER_SIGNED_OUT, sign_in.server, before={"authorization server": sign_in.issuer})
        sign_in.delete()
    return problem


def _check(server: Server) -> None:
    if not (server.speaks_mcp and server.transport == Server.Transport.HTTP and server.is_approved):
        raise SourceError("Only an MCP server at an address, which an admin approved as it stands, is signed in to.")
    if any(name.lower() == "authorization" for name in server.headers):
        raise SourceError("Its headers sign in already. Take Authorization out of them first.")


async def _prepared(server: Server, asked: Asked, redirect: str, granted: str) -> tuple[Authority, Client, Errand]:
    async with hops(Bounds(server.url, asked.private_hosts)) as way:
        authority = await discover(way, dict(server.headers), granted)
        if asked.scopes:
            authority = Authority(authority.metadata, authority.resource, asked.scopes)
        if asked.client_secret and asked.issuer not in ("", authority.issuer):
            raise SourceError(
                f"{authority.issuer} is another authorization server than before, {asked.issuer}. Write down the "
                "client id and secret that it knows."
            )
        if asked.client_id:
            client = written_down(authority, asked.client_id, asked.client_secret)
        else:
            client = await register(way, authority, redirect)
        return authority, client, send_out(authority, client, redirect)


def _granted(server: Server, by: User, authority: Authority, code: str, kept: Mapping[str, Any]) -> ServerSignIn:
    client = Client.model_validate(kept["client"])

    async def redeemed() -> Any:
        async with hops(Bounds(server.url, [tuple(pair) for pair in kept["asked"]["private_hosts"]])) as way:
            return await redeem(way, authority, client, kept["redirect"], code, kept["verifier"])

    tokens = asyncio.run(redeemed())
    now = timezone.now()
    secrets = {"client": kept["client"], "asked": kept["asked"], "access": tokens.access, "refresh": tokens.refresh}
    values = {
        **{"url": server.url, "authority": kept["authority"], "kept": secrets, "scopes": tokens.scopes, "wanted": ""},
        **{"who": tokens.who, "by": by, "at": now, "problem": "", "renewing_until": None},
        **times(tokens.seconds, now),
    }
    told = {"authorization server": authority.issuer, "as": tokens.who, "scopes": tokens.scopes}
    with transaction.atomic():
        record(Act.SERVER_SIGNED_IN, server, after=told, by=by)
        if server.sync_problem:
            Server.objects.filter(pk=server.pk).update(sync_problem="")  # that of a server that nobody had signed in to
        return ServerSignIn.objects.update_or_create(server=server, defaults=values)[0]


async def _revoked(sign_in: ServerSignIn) -> None:
    client = client_of(sign_in)
    async with hops(bounds_of(sign_in)) as way:
        for token in filter(None, (sign_in.kept.get("refresh"), sign_in.kept.get("access"))):
            await revoke(way, authority_of(sign_in.authority), client, token)
