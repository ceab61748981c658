"""MCP servers as a configuration that desktops and editors read (`mcpServers`), without any secret."""

from collections.abc import Iterable
from typing import Any

from catalog.models import Server


def mcp_servers_of(servers: Iterable[Server]) -> dict[str, Any]:
    """Variables and headers are named, with empty values: those are for whoever takes it over to write."""
    return {"mcpServers": {server.slug: _entry(server) for server in servers if server.speaks_mcp}}


def _entry(server: Server) -> dict[str, Any]:
    if server.transport == Server.Transport.STDIO:
        entry: dict[str, Any] = {"command": server.command, "args": list(server.args)}
        secret = {"env": dict.fromkeys(sorted(server.env), "")} if server.env else {}
        return entry | secret | ({"cwd": server.cwd} if server.cwd else {})
    headers = {"headers": dict.fromkeys(sorted(server.headers), "")} if server.headers else {}
    return {"type": "http", "url": server.url} | headers
