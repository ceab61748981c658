"""An MCP server of the protocol 2026-07-28 over Streamable HTTP; its one tool wants an argument as a header too."""

import sys
from typing import Annotated

import uvicorn
from mcp.server.mcpserver import MCPServer
from pydantic import Field

server = MCPServer("modern")


@server.tool()
def weather(city: Annotated[str, Field(json_schema_extra={"x-mcp-header": "City"})]) -> str:
    return f"sunny in {city}"


if __name__ == "__main__":
    uvicorn.run(server.streamable_http_app(), host="127.0.0.1", port=int(sys.argv[1]), log_level="error")
