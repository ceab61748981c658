"""From a server's row to the way it is reached, for servers that an admin approved and no others."""

from django.conf import settings

from catalog.models import Server
from catalog.sources.listing import SourceError
from catalog.sources.mcp import Connection, HttpConnection, StdioConnection
from catalog.spawning import StdioCommand, approve_check


def command_of(server: Server) -> StdioCommand:
    return StdioCommand(command=server.command, args=tuple(server.args), env=dict(server.env), cwd=server.cwd)


def connection_of(server: Server) -> Connection:
    """How an approved MCP server is reached. Raises SourceError where an admin's word is missing, or it is none."""
    if not server.speaks_mcp:
        raise SourceError(f"{server.title} is no MCP server: it can be neither started nor asked for its tools.")
    if not server.is_approved:
        raise SourceError(f"{server.title} must be approved by an admin before it is started or reached.")
    if server.transport == Server.Transport.STDIO:
        command = command_of(server)
        approved = approve_check(command, command.fingerprint())
        return StdioConnection(approved, settings.PEGBOARD_SANDBOX, hidden=(settings.STATE_DIR,))
    return HttpConnection(server.url, dict(server.headers), allow_private=True)
