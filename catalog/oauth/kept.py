"""Between what is kept of a sign-in and the values that its requests are made of."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from mcp.shared.auth import OAuthMetadata

from catalog.models import ServerSignIn
from catalog.oauth.clients import Client
from catalog.oauth.discovery import Authority
from catalog.oauth.hops import Bounds
from catalog.sources.errors import SourceError

RENEW_BEFORE = 60
"""Seconds before its end at which a token is renewed; half of its time, if that is less."""


def kept_authority(authority: Authority) -> dict[str, Any]:
    metadata = authority.metadata.model_dump(mode="json", exclude_none=True)
    return {"metadata": metadata, "resource": authority.resource, "scopes": authority.scopes}


def authority_of(kept: Mapping[str, Any]) -> Authority:
    return Authority(OAuthMetadata.model_validate(kept["metadata"]), kept["resource"], kept["scopes"])


def client_of(sign_in: ServerSignIn) -> Client:
    """Raises SourceError where the key of what is kept is gone."""
    if "client" not in sign_in.kept:
        raise SourceError("What is kept of the sign-in cannot be read: its key is gone.")
    return Client.model_validate(sign_in.kept["client"])


def bounds_of(sign_in: ServerSignIn) -> Bounds:
    named = sign_in.kept.get("asked", {}).get("private_hosts", ())
    return Bounds(sign_in.url, [(host, port) for host, port in named])


def times(seconds: int | None, now: datetime) -> dict[str, datetime | None]:
    """When a token that is good for so many seconds ends, and when it is renewed."""
    if seconds is None:
        return {"expires_at": None, "renew_at": None}
    ends = now + timedelta(seconds=min(seconds, 10**8))
    return {"expires_at": ends, "renew_at": ends - timedelta(seconds=min(RENEW_BEFORE, seconds / 2))}
