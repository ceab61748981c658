"""A call as a program would make it, to be copied. No secret stands in it."""

import json
import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from catalog.models import Server, Tool


@dataclass(frozen=True, slots=True)
class CallText:
    """`title` says what the text is, `note` what it leaves open."""

    title: str
    text: str
    note: str = ""


def call_text(tool: Tool, arguments: Mapping[str, Any]) -> CallText | None:
    """For an address the curl command, for a command the message that it is sent; None for what is not an MCP server."""
    if not tool.server.speaks_mcp:
        return None
    message = {"jsonrpc": "2.0", "id": 1, **_request(tool, dict(arguments))}
    if tool.server.transport == Server.Transport.STDIO:
        text = json.dumps(message, ensure_ascii=False)
        return CallText("The message that the server is sent", text, "Over its input, once it was initialised.")
    note = "A server that keeps sessions wants to be initialised first, and an Mcp-Session-Id header."
    return CallText("As a curl command", _curl(tool.server, message), note)


def _request(tool: Tool, arguments: dict[str, Any]) -> dict[str, Any]:
    if tool.call_plan:  # a prompt or a resource
        return {"method": tool.call_plan["method"], "params": arguments}
    return {"method": "tools/call", "params": {"name": tool.name, "arguments": arguments}}


def _curl(server: Server, message: Mapping[str, Any]) -> str:
    own = [(name, f"${name.upper().replace('-', '_')}") for name in sorted(server.headers)]
    headers = ["Content-Type: application/json", "Accept: application/json, text/event-stream"]
    lines = [f"curl {shlex.quote(server.url)}", *(f"-H {shlex.quote(header)}" for header in headers)]
    lines += [f'-H {shlex.quote(f"{name}: ")}"{variable}"' for name, variable in own]
    return " \\\n  ".join([*lines, f"-d {shlex.quote(json.dumps(message, ensure_ascii=False))}"])
