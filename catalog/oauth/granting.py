"""From sending a person to an authorization server to tokens, and from old tokens to new ones."""

import base64
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlencode, urlsplit, urlunsplit

import httpx2
from mcp.client.auth import OAuthFlowError, PKCEParameters
from mcp.client.auth.utils import validate_authorization_response_iss
from mcp.shared.auth import OAuthToken
from pydantic import ValidationError
from pydantic_core import from_json

from catalog.oauth.clients import Client, proved
from catalog.oauth.discovery import Authority
from catalog.oauth.hops import Hops, host_of
from catalog.sources.errors import SourceError
from catalog.sources.storable import storable_text

_FINAL = ("invalid_grant", "invalid_client", "unauthorized_client")
"""What asking again does not change (RFC 6749, 5.2)."""


class GrantEnded(SourceError):
    """The authorization server takes the refresh token no more: a person has to sign in again."""


@dataclass(frozen=True, slots=True)
class Errand:
    """A person who is sent to `address`, and comes back with `state`; `verifier` is told to nobody before (PKCE)."""

    address: str
    state: str
    verifier: str


@dataclass(frozen=True, slots=True)
class Tokens:
    """What was granted. `seconds` is how long the access token is good for, None where that is not said."""

    access: str
    refresh: str
    seconds: int | None
    scopes: str
    who: str = ""


def send_out(authority: Authority, client: Client, redirect: str) -> Errand:
    pkce = PKCEParameters.generate()
    state = secrets.token_urlsafe(32)
    asked = {
        "response_type": "code",
        "client_id": client.client_id,
        "redirect_uri": redirect,
        "state": state,
        "code_challenge": pkce.code_challenge,
        "code_challenge_method": "S256",
        "resource": authority.resource,
        **({"scope": authority.scopes} if authority.scopes else {}),
        **({"prompt": "consent"} if "offline_access" in authority.scopes.split() else {}),
    }
    parts = urlsplit(str(authority.metadata.authorization_endpoint))
    query = "&".join(filter(None, [parts.query, urlencode(asked)]))
    return Errand(urlunsplit(parts._replace(query=query, fragment="")), state, pkce.code_verifier)


def check_answerer(authority: Authority, issuer: str | None) -> None:
    """That it was this authorization server that sent the person back (RFC 9207). Raises SourceError."""
    try:
        validate_authorization_response_iss(issuer, authority.metadata)
    except OAuthFlowError:
        raise SourceError(
            f"The answer does not come from {authority.host}, where you were sent. Nothing was kept of it."
        ) from None


async def redeem(hops: Hops, authority: Authority, client: Client, redirect: str, code: str, verifier: str) -> Tokens:
    """The tokens for a code. Raises SourceError."""
    form = {"grant_type": "authorization_code", "code": code, "redirect_uri": redirect, "code_verifier": verifier}
    return await _asked(hops, authority, client, form, authority.scopes)


async def renew(hops: Hops, authority: Authority, client: Client, refresh: str, scopes: str) -> Tokens:
    """Fresh tokens; the refresh token is the old one where none came. Raises GrantEnded, or SourceError for a while."""
    form = {"grant_type": "refresh_token", "refresh_token": refresh}
    found = await _asked(hops, authority, client, form, scopes)
    return Tokens(found.access, found.refresh or refresh, found.seconds, found.scopes)


async def revoke(hops: Hops, authority: Authority, client: Client, token: str) -> None:
    """Tell the authorization server that the token is not needed any more (RFC 7009). Raises SourceError."""
    if address := authority.metadata.revocation_endpoint:
        form, headers = proved(client, {"token": token})
        answer = await hops.send(httpx2.Request("POST", str(address), data=form, headers=headers), [token])
        if answer.status_code != httpx2.codes.OK:
            raise SourceError(f"{host_of(str(address))} answered with the HTTP status {answer.status_code}.")


async def _asked(hops: Hops, authority: Authority, client: Client, form: Mapping[str, str], scopes: str) -> Tokens:
    address = str(authority.metadata.token_endpoint)
    proven, headers = proved(client, {**form, "resource": authority.resource})
    hidden = [*form.values(), client.client_secret or ""]
    headers["accept"] = "application/json"  # without it, some answer with a form
    answer = await hops.send(httpx2.Request("POST", address, data=proven, headers=headers), hidden)
    if answer.status_code not in (200, 201):
        raise _refusal(host_of(address), answer)
    try:
        found = OAuthToken.model_validate_json(answer.content)
    except ValidationError:
        raise SourceError(f"What {host_of(address)} answered holds no token that can be used.") from None
    return Tokens(
        found.access_token, found.refresh_token or "", found.expires_in, found.scope or scopes, _who(answer.content)
    )


def _refusal(host: str, answer: httpx2.Response) -> SourceError:
    """Of what the server says, only the word for the error is told: anything else may repeat what was sent."""
    try:
        said = from_json(answer.content).get("error")
    except (ValueError, AttributeError):
        said = None
    word = f" and “{storable_text(said)[:60]}”" if isinstance(said, str) else ""
    told = f"{host} gave no token: it answered with the HTTP status {answer.status_code}{word}."
    is_final = said in _FINAL or (not word and answer.status_code in (400, 401))
    return (GrantEnded if is_final else SourceError)(told)


def _who(answer: bytes) -> str:
    """Whom the authorization server took the person for, where it says so in an ID token; for showing, not for trust."""
    try:
        body = from_json(answer).get("id_token").split(".")[1]
        claims = from_json(base64.urlsafe_b64decode(body + "=" * (-len(body) % 4)))
        said = next(claims[name] for name in ("email", "preferred_username", "name", "sub") if claims.get(name))
    except (ValueError, AttributeError, IndexError, TypeError, KeyError, StopIteration):
        return ""
    return storable_text(str(said))[:200]
