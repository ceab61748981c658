"""Where one signs in to an MCP server: from its 401 to the protected resource metadata (RFC 9728) and on to the
authorization server metadata (RFC 8414). What the addresses are built from is the MCP library's."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeVar
from urllib.parse import urlsplit

import httpx2
from mcp.client.auth.utils import (
    build_oauth_authorization_server_metadata_discovery_urls,
    build_protected_resource_metadata_discovery_urls,
    create_oauth_metadata_request,
    extract_resource_metadata_from_www_auth,
    extract_scope_from_www_auth,
    get_client_metadata_scopes,
    issuers_match,
    union_scopes,
)
from mcp.shared.auth import DEFAULT_GRANT_TYPES, OAuthMetadata, ProtectedResourceMetadata
from mcp.shared.auth_utils import check_resource_allowed, resource_url_from_server_url
from mcp_types import LATEST_PROTOCOL_VERSION
from pydantic import BaseModel, ValidationError
from pydantic_core import from_json

from catalog.oauth.hops import Hops, host_of
from catalog.sources.errors import SourceError
from catalog.sources.storable import storable_text

_GREETING = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": LATEST_PROTOCOL_VERSION,
        "capabilities": {},
        "clientInfo": {"name": "pegboard", "version": "0.1"},
    },
}
_ADDRESSES = (
    "issuer", "authorization_endpoint", "token_endpoint", "registration_endpoint", "revocation_endpoint", "resource",
)  # fmt: skip
M = TypeVar("M", bound=BaseModel)


@dataclass(frozen=True, slots=True)
class Authority:
    """An authorization server, and for which resource and which scopes (by spaces) it is asked."""

    metadata: OAuthMetadata
    resource: str
    scopes: str = ""

    @property
    def issuer(self) -> str:
        return str(self.metadata.issuer)

    @property
    def host(self) -> str:
        """Of the page on which a person signs in."""
        return host_of(str(self.metadata.authorization_endpoint))


async def discover(hops: Hops, headers: Mapping[str, str], granted: str = "") -> Authority:
    """Where one signs in to the server. `granted` are scopes that are to be asked for again. Raises SourceError."""
    server_url = hops.bounds.server_url
    if problem := hops.bounds.problem(server_url):
        raise SourceError(f"{host_of(server_url)}: {problem}")
    challenge = await _challenged(hops, headers)
    protected = await _protected_resource(hops, extract_resource_metadata_from_www_auth(challenge))
    metadata = await _authorization_server(hops, protected)
    resource = str(protected.resource) if protected else resource_url_from_server_url(server_url)
    wanted = get_client_metadata_scopes(
        extract_scope_from_www_auth(challenge), protected, metadata, list(DEFAULT_GRANT_TYPES)
    )
    return Authority(metadata, resource, union_scopes(granted, wanted) or "")


async def _challenged(hops: Hops, headers: Mapping[str, str]) -> httpx2.Response:
    """What the server answers to somebody whom it does not know; some let them in, and ask for a sign-in later."""
    accepted = {"accept": "application/json, text/event-stream"}
    request = httpx2.Request("POST", hops.bounds.server_url, json=_GREETING, headers={**headers, **accepted})
    return await hops.send(request, headers.values())


async def _protected_resource(hops: Hops, hint: str | None) -> ProtectedResourceMetadata | None:
    """None where the server has no such document, as before 2025-06-18."""
    server_url = hops.bounds.server_url
    if hint and (problem := hops.bounds.problem(hint)):
        raise SourceError(f"The server names an address for signing in that is not reached. {problem}")
    for address in build_protected_resource_metadata_discovery_urls(hint, server_url):
        found = await _document(hops, address, ProtectedResourceMetadata)
        if found is None:
            continue
        expected = resource_url_from_server_url(server_url)
        if not check_resource_allowed(requested_resource=expected, configured_resource=str(found.resource)):
            named = storable_text(str(found.resource))[:200]
            raise SourceError(f"{host_of(address)} speaks for {named}, which is not the address of this server.")
        return found
    return None


async def _authorization_server(hops: Hops, protected: ProtectedResourceMetadata | None) -> OAuthMetadata:
    server_url = hops.bounds.server_url
    named = str(protected.authorization_servers[0]) if protected else None
    if named and (problem := hops.bounds.problem(named)):
        raise SourceError(f"The server names an authorization server that is not reached. {problem}")
    parts = urlsplit(server_url)
    issuer = named or f"{parts.scheme}://{parts.netloc}"
    for address in build_oauth_authorization_server_metadata_discovery_urls(named, server_url):
        if (found := await _document(hops, address, OAuthMetadata)) is not None:
            _check(found, issuer, host_of(address))
            return found
    raise SourceError(f"{host_of(issuer)} does not say how to sign in there: it has no authorization server metadata.")


def _check(metadata: OAuthMetadata, issuer: str, host: str) -> None:
    """That it speaks for the issuer that was asked for (RFC 8414, 3.3), and knows PKCE with S256."""
    if not issuers_match(str(metadata.issuer), issuer):
        named = storable_text(str(metadata.issuer))[:200]
        raise SourceError(f"{host} was asked about {storable_text(issuer)[:200]} and speaks for {named}.")
    if "S256" not in (metadata.code_challenge_methods_supported or ()):
        raise SourceError(f"{host} does not say that it knows PKCE with S256, without which nobody is sent there.")


async def _document(hops: Hops, address: str, kind: type[M]) -> M | None:
    """A document, None where there is none. One that is there must be right. Raises SourceError."""
    answer = await hops.document(create_oauth_metadata_request(address))
    host = host_of(address)
    if answer.status_code >= 500 or answer.status_code == httpx2.codes.TOO_MANY_REQUESTS:
        raise SourceError(f"{host} answered with the HTTP status {answer.status_code}. Try again later.")
    if answer.status_code != httpx2.codes.OK:
        return None
    try:
        body = from_json(answer.content)
    except ValueError:  # many servers answer any address with a page
        return None
    _check_addresses(hops, host, body)
    try:
        return kind.model_validate(body)
    except ValidationError as error:
        where = ".".join(str(part) for part in error.errors()[0]["loc"])[:100]
        raise SourceError(f"What {host} says of signing in cannot be read, at “{storable_text(where)}”.") from None


def _check_addresses(hops: Hops, host: str, body: Any) -> None:
    """Of the text as it came: what reads an address leaves out line breaks, and puts slashes in."""
    if not isinstance(body, dict):
        return
    servers = body.get("authorization_servers")
    named = [(name, body.get(name)) for name in _ADDRESSES]
    named += [("authorization_server", server) for server in servers] if isinstance(servers, list) else []
    for name, address in named:
        if isinstance(address, str) and address and (problem := hops.bounds.problem(address)):
            raise SourceError(f"What {host} names as its {name.replace('_', ' ')} is not gone to. {problem}")
