"""An MCP server over Streamable HTTP that wants to be signed in to, with its authorization server beside it.

All of OAuth is the MCP library's; what is here grants whatever is asked, and does wrong what a test tells it to.
"""

import secrets
import time
from dataclasses import dataclass, field

from mcp.server.auth.provider import (
    AccessToken,
    AuthorizationCode,
    AuthorizationParams,
    OAuthAuthorizationServerProvider,
    RefreshToken,
    TokenError,
    construct_redirect_uri,
)
from mcp.server.auth.settings import AuthSettings, ClientRegistrationOptions, RevocationOptions
from mcp.server.mcpserver import MCPServer
from mcp.shared.auth import OAuthClientInformationFull, OAuthToken
from starlette.applications import Starlette

Client = OAuthClientInformationFull
SCOPES = ["notes:read", "notes:write"]


@dataclass
class Granting(OAuthAuthorizationServerProvider[AuthorizationCode, RefreshToken, AccessToken]):
    """`seconds` is how long an access token is good for, `iss` who it says that it is when it sends people back.

    `narrow` grants the first scope alone. `asked` are the kinds of grants that were asked for, in order.
    """

    iss: str
    seconds: int = 3600
    narrow: bool = False
    clients: dict[str, Client] = field(default_factory=dict)
    codes: dict[str, AuthorizationCode] = field(default_factory=dict)
    accesses: dict[str, AccessToken] = field(default_factory=dict)
    refreshes: dict[str, RefreshToken] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)

    async def get_client(self, client_id: str) -> Client | None:
        return self.clients.get(client_id)

    async def register_client(self, client_info: Client) -> None:
        self.clients[client_info.client_id] = client_info

    async def authorize(self, client: Client, params: AuthorizationParams) -> str:
        code = AuthorizationCode(
            code=secrets.token_urlsafe(32),
            scopes=(params.scopes or SCOPES)[: 1 if self.narrow else None],
            expires_at=time.time() + 60,
            client_id=client.client_id,
            code_challenge=params.code_challenge,
            redirect_uri=params.redirect_uri,
            redirect_uri_provided_explicitly=True,
            resource=params.resource,
        )
        self.codes[code.code] = code
        return construct_redirect_uri(str(params.redirect_uri), code=code.code, state=params.state, iss=self.iss)

    async def load_authorization_code(self, client: Client, authorization_code: str) -> AuthorizationCode | None:
        return self.codes.get(authorization_code)

    async def exchange_authorization_code(self, client: Client, authorization_code: AuthorizationCode) -> OAuthToken:
        self.asked.append("authorization_code")
        del self.codes[authorization_code.code]
        return self._granted(client, authorization_code.scopes, authorization_code.resource)

    async def load_refresh_token(self, client: Client, refresh_token: str) -> RefreshToken | None:
        self.asked.append("refresh_token")
        return self.refreshes.get(refresh_token)

    async def exchange_refresh_token(
        self, client: Client, refresh_token: RefreshToken, scopes: list[str]
    ) -> OAuthToken:
        if self.refreshes.pop(refresh_token.token, None) is None:
            raise TokenError("invalid_grant")
        return self._granted(client, scopes, refresh_token.resource)

    async def load_access_token(self, token: str) -> AccessToken | None:
        return self.accesses.get(token)

    async def revoke_token(self, token: AccessToken | RefreshToken) -> None:
        self.accesses.pop(token.token, None)
        self.refreshes.pop(token.token, None)

    def forget_access_tokens(self) -> None:
        self.accesses.clear()

    def _granted(self, client: Client, scopes: list[str], resource: str | None) -> OAuthToken:
        access, refresh = (f"{kind}-{secrets.token_urlsafe(24)}" for kind in ("access", "refresh"))
        ends = int(time.time()) + self.seconds
        about = {"client_id": client.client_id, "scopes": scopes, "resource": resource}
        self.accesses[access] = AccessToken(token=access, expires_at=ends, **about)  # type: ignore[arg-type]
        self.refreshes[refresh] = RefreshToken(token=refresh, **about)  # type: ignore[arg-type]
        return OAuthToken(access_token=access, refresh_token=refresh, expires_in=self.seconds, scope=" ".join(scopes))


def protected_app(address: str, granting: Granting, required: list[str]) -> Starlette:
    """The server at `address`, whose tokens need the scopes `required`."""
    settings = {
        "issuer_url": address,
        "resource_server_url": f"{address}/mcp",
        "client_registration_options": ClientRegistrationOptions(enabled=True, valid_scopes=SCOPES),
        "revocation_options": RevocationOptions(enabled=True),
        "required_scopes": required,
        "validate_token_resource": True,
    }
    auth = AuthSettings.model_validate(settings)
    server = MCPServer("notes", auth_server_provider=granting, auth=auth)

    @server.tool()
    def read_note(name: str) -> str:
        """Read a note."""
        return f"{name}: water the plants"

    @server.tool()
    def tell_token() -> str:
        """Say the token that is known, as no tool should."""
        return " ".join(granting.accesses)

    return server.streamable_http_app()
