"""From a server's row to the way it is reached, for servers that an admin approved and no others."""

from django.conf import settings

from catalog.models import Server
from catalog.oauth.bearing import stored_sign_in
from catalog.sources.listing import SourceError
from catalog.sources.mcp import Connection, HttpConnection, StdioConnection
from catalog.sources.openapi.request import ApiConnection, Credential
from catalog.sources.openapi.security import Scheme
from catalog.spawning import StdioCommand, approve_check


def command_of(server: Server) -> StdioCommand:
    return StdioCommand(command=server.command, args=tuple(server.args), env=dict(server.env), cwd=server.cwd)


def connection_of(server: Server) -> Connection:
    """How an approved MCP server is reached. Raises SourceError where an admin's word is missing, or it is none."""
    if not server.speaks_mcp:
        raise SourceError(f"{server.title} is no MCP server: it can be neither started nor asked for its tools.")
    _check_approval(server)
    if server.transport == Server.Transport.STDIO:
        command = command_of(server)
        approved = approve_check(command, command.fingerprint())
        return StdioConnection(approved, settings.PEGBOARD_SANDBOX, hidden=(settings.STATE_DIR,))
    return HttpConnection(server.url, dict(server.headers), allow_private=True, sign_in=stored_sign_in(server))


def api_connection_of(server: Server) -> ApiConnection:
    """How the API of an approved OpenAPI document is called. Raises SourceError where an admin's word is missing."""
    _check_approval(server)
    credentials = {name: _credential(name, kept) for name, kept in server.credentials.items() if isinstance(kept, dict)}
    return ApiConnection(server.url, dict(server.headers), credentials, allow_private=True)


def _credential(name: str, kept: dict[str, str]) -> Credential:
    scheme = Scheme(name, kept["place"], kept["parameter"], kept["form"])  # type: ignore[arg-type]
    return Credential(scheme.place, scheme.parameter, scheme.written(kept["secret"]))


def _check_approval(server: Server) -> None:
    if not server.is_approved:
        raise SourceError(f"{server.title} must be approved by an admin before it is started or reached.")
