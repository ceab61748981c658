"""An MCP server over stdio whose tools are those of a JSON file, read anew for each listing."""

import json
import sys
from pathlib import Path
from typing import Any

TOOLS = Path(sys.argv[1])


def answer(request: dict[str, Any]) -> dict[str, Any]:
    match request["method"]:
        case "initialize":
            about = {
                "serverInfo": {"name": "changing", "version": "1"},
                "capabilities": {"tools": {"listChanged": True}},
            }
            return {"protocolVersion": "2025-06-18", **about}
        case "tools/list":
            return {"tools": json.loads(TOOLS.read_text())}
        case "tools/call":
            return {"content": [{"type": "text", "text": json.dumps(request["params"]["arguments"])}]}
    return {}


for line in sys.stdin:
    message = json.loads(line)
    if "id" in message:
        print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": answer(message)}), flush=True)
