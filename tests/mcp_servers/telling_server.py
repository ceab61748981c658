"""An MCP server over stdio with prompts and resources, whose tools are those of a JSON file; it says when that changed.

A call of `change` writes its argument `tools` into the file and says that the tools changed, before it answers.
"""

import json
import sys
from pathlib import Path
from typing import Any

TOOLS = Path(sys.argv[1])
PROMPTS = [
    {
        "name": "summarise",
        "description": "Summarise a text",
        "arguments": [{"name": "length", "description": "In words", "required": True}],
    },
    {"name": "greet"},
]
RESOURCES = [{"uri": "file:///readme.txt", "name": "readme", "description": "What this is"}]
TEMPLATES = [{"uriTemplate": "file:///logs/{day}.txt", "name": "log of a day"}]


def send(message: dict[str, Any]) -> None:
    print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)


def called(params: dict[str, Any]) -> dict[str, Any]:
    if params["name"] == "change":
        TOOLS.write_text(params["arguments"]["tools"])
        send({"method": "notifications/tools/list_changed"})
    return {"content": [{"type": "text", "text": f"{params['name']} was called"}]}


def answer(method: str, params: dict[str, Any]) -> dict[str, Any] | None:
    match method:
        case "initialize":
            capabilities = {"tools": {"listChanged": True}, "prompts": {}, "resources": {}}
            about = {"serverInfo": {"name": "telling", "version": "2"}, "capabilities": capabilities}
            return {"protocolVersion": "2025-06-18", "instructions": "Ask nicely.", **about}
        case "ping":
            return {}
        case "tools/list":
            return {"tools": json.loads(TOOLS.read_text())}
        case "tools/call":
            return called(params)
        case "prompts/list":
            return {"prompts": PROMPTS}
        case "prompts/get" if "length" in (params.get("arguments") or {}):
            text = f"Summarise in {params['arguments']['length']} words"
            return {"messages": [{"role": "user", "content": {"type": "text", "text": text}}]}
        case "resources/list":
            return {"resources": RESOURCES}
        case "resources/templates/list":
            return {"resourceTemplates": TEMPLATES}
        case "resources/read" if params["uri"] == "file:///readme.txt":
            return {"contents": [{"uri": params["uri"], "mimeType": "text/plain", "text": "Read me."}]}
    return None


for line in sys.stdin:
    message = json.loads(line)
    if "id" in message:
        result = answer(message["method"], message.get("params") or {})
        error = {"code": -32602, "message": "there is no such thing"}
        send({"id": message["id"], **({"error": error} if result is None else {"result": result})})
