"""What Pegboard is to an authorization server: a client that it registered, or one that an admin wrote down."""

import base64
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote, urlsplit

from mcp.client.auth import OAuthRegistrationError
from mcp.client.auth.oauth2 import check_registration_usable
from mcp.client.auth.utils import create_client_registration_request, handle_registration_response
from mcp.shared.auth import OAuthClientInformationFull, OAuthClientMetadata
from pydantic import AnyUrl

from catalog.oauth.discovery import Authority
from catalog.oauth.hops import Hops, host_of
from catalog.sources.errors import SourceError

Client = OAuthClientInformationFull
_UNPROVED = "none"
_BY_FORM = "client_secret_post"
_BY_HEADER = "client_secret_basic"


async def register(hops: Hops, authority: Authority, redirect: str) -> Client:
    """Register Pegboard, to which people come back at `redirect`. Raises SourceError."""
    if authority.metadata.registration_endpoint is None:
        raise SourceError(
            f"{authority.host} lets no program register itself. Register Pegboard there by hand, and write down the "
            "client id below."
        )
    is_native = urlsplit(redirect).scheme == "http"
    asked = OAuthClientMetadata(
        redirect_uris=[AnyUrl(redirect)],
        client_name="Pegboard",
        scope=authority.scopes or None,
        token_endpoint_auth_method=_method(authority, has_secret=False),
        application_type="native" if is_native else "web",
    )
    answer = await hops.send(create_client_registration_request(authority.metadata, asked, ""))
    try:
        client = await handle_registration_response(answer)
        check_registration_usable(client)
    except OAuthRegistrationError:
        host = host_of(str(authority.metadata.registration_endpoint))
        raise SourceError(
            f"{host} did not register Pegboard (HTTP status {answer.status_code}). Register it there by hand, and "
            "write down the client id below."
        ) from None
    return client


def written_down(authority: Authority, client_id: str, secret: str) -> Client:
    """A client that somebody registered by hand."""
    method = _method(authority, has_secret=bool(secret))
    return Client(client_id=client_id, client_secret=secret or None, token_endpoint_auth_method=method)


def proved(client: Client, form: Mapping[str, str]) -> tuple[dict[str, Any], dict[str, str]]:
    """A request's form and headers, with what shows that it is this client who asks (RFC 6749, 2.3.1)."""
    form = {**form, "client_id": client.client_id}
    if not client.client_secret or client.token_endpoint_auth_method == _UNPROVED:
        return form, {}
    if client.token_endpoint_auth_method == _BY_FORM:
        return {**form, "client_secret": client.client_secret}, {}
    pair = f"{quote(client.client_id, safe='')}:{quote(client.client_secret, safe='')}"
    return form, {"authorization": f"Basic {base64.b64encode(pair.encode()).decode()}"}


def _method(authority: Authority, *, has_secret: bool) -> Any:
    """How the client proves who it is; where nothing is said, by header (RFC 8414, 2)."""
    known = authority.metadata.token_endpoint_auth_methods_supported or [_BY_HEADER]
    wanted = (_BY_HEADER, _BY_FORM) if has_secret else (_UNPROVED, _BY_FORM, _BY_HEADER)
    return next((method for method in wanted if method in known), wanted[0])
