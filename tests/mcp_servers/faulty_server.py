"""An MCP server over stdio that is faulty in one way, named by its first argument; a second one is only a mark.

It speaks the handshake of 2025-06-18 and has one tool, `echo`. `MODES` says what each fault is.
"""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

MODES = {
    "good": "no fault at all",
    "exit3": "ends with status 3 before it answers",
    "mute": "never answers",
    "garbage": "writes lines that are no messages, and some that are no text, before it answers",
    "badschema": "lists four tools of which one is good",
    "dup": "lists two tools under one name",
    "pages": "answers every page of its list with the same next cursor",
    "fresh_pages": "answers every page of its list with a new cursor",
    "many": "lists 20,000 tools on 20 pages",
    "bigdesc": "has a description of 5 MB",
    "listerror": "answers the request for its list with an error",
    "nolist": "answers the request for its list with something else",
    "crashcall": "is killed in the middle of a call",
    "hangcall": "never answers a call",
    "refusecall": "answers a call with an error",
    "failcall": "says that the tool failed",
    "strangecall": "answers with content of a kind that does not exist",
    "bigcall": "answers a call with 1 MB",
    "hugecall": "answers a call with 11 MB",
    "noline": "answers a call with a line that never ends",
    "flood": "sends 5,000 notifications before it answers a call",
    "wrongid": "answers a call under another number first, and twice under the right one",
    "mixed": "answers a call with text, a picture, resources and structured content",
    "ignoreeof": "goes on when its input ends, and ignores SIGTERM",
    "grandchild": "starts a process of its own that outlives it if it can",
    "daemon": "starts a process in a session of its own that outlives it if it can",
    "environment": "answers a call with its variables",
    "counting": "answers a call with its process and the number of calls so far; the text crash or hang has it do that",
    "muteping": "as counting, and never answers a ping",
    "secret": "writes the value of its variable TOKEN to stderr and ends",
}

SURVIVOR = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(60)"
ECHO = {
    "name": "echo",
    "description": "Echo a text",
    "inputSchema": {"type": "object", "properties": {"text": {"type": "string"}}},
}


def send(message: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
    sys.stdout.flush()


def text(value: str) -> dict[str, Any]:
    return {"content": [{"type": "text", "text": value}]}


def before(mode: str, marker: str) -> None:
    """What the fault does before the first message is read."""
    if mode == "exit3":
        sys.stderr.write("loading\ncannot read the settings\n")
        sys.exit(3)
    if mode == "secret":
        sys.stderr.write(f"login with {os.environ['TOKEN']} failed\n")
        sys.exit(1)
    if mode == "mute":
        sys.stderr.write("waiting for a password\n")
        sys.stderr.flush()
        time.sleep(60)
    if mode == "garbage":
        sys.stdout.buffer.write(b"Starting server v1 ...\n\x00\xff binary\n{bad json\n\n[1, 2]\n")
    if mode == "ignoreeof":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    if mode in ("grandchild", "daemon"):
        subprocess.Popen(
            [sys.executable, "-c", SURVIVOR, marker], stdin=subprocess.DEVNULL, start_new_session=mode == "daemon"
        )


def listed(mode: str, cursor: str | None) -> dict[str, Any]:
    match mode:
        case "badschema":
            bad = [{"name": "a", "inputSchema": {"type": "nope"}}, {"name": "b", "inputSchema": "str"}, {"name": None}]
            return {"tools": [*bad, ECHO]}
        case "dup":
            return {"tools": [ECHO, ECHO | {"description": "another"}]}
        case "pages":
            return {"tools": [ECHO | {"name": f"echo_{cursor}"}], "nextCursor": "again"}
        case "fresh_pages":
            number = int(cursor or 0)
            return {"tools": [ECHO | {"name": f"echo_{number}"}], "nextCursor": str(number + 1)}
        case "many":
            page = int(cursor or 0)
            tools = [
                ECHO | {"name": f"tool_{page * 1_000 + number}", "description": "d" * 300} for number in range(1_000)
            ]
            return {"tools": tools} | ({"nextCursor": str(page + 1)} if page < 19 else {})
        case "bigdesc":
            return {"tools": [ECHO | {"description": "D" * 5_000_000}]}
        case "nolist":
            return {"tools": "none"}
    return {"tools": [ECHO]}


def called(mode: str, number: Any) -> dict[str, Any]:
    match mode:
        case "crashcall":
            sys.stderr.write("out of memory\n")
            sys.stderr.flush()
            os._exit(9)
        case "hangcall":
            time.sleep(60)
        case "noline":
            while True:
                sys.stdout.write("A" * 65_536)
        case "flood":
            for step in range(5_000):
                send({"method": "notifications/progress", "params": {"progressToken": 1, "progress": step}})
        case "wrongid":
            send({"id": number + 1_000, "result": text("wrong")})
            send({"id": number, "result": text("right")})
    return ANSWERS[mode]() if mode in ANSWERS else text("hello")


def mixed() -> dict[str, Any]:
    return {
        "content": [
            {"type": "text", "text": "Two results"},
            {"type": "image", "data": "QUJD" * 1_000, "mimeType": "image/png"},
            {"type": "audio", "data": "QUJD", "mimeType": "audio/wav"},
            {"type": "resource", "resource": {"uri": "file:///a.txt", "text": "contents of a"}},
            {"type": "resource", "resource": {"uri": "file:///b.bin", "blob": "QUJD"}},
            {"type": "resource_link", "uri": "file:///c.txt", "name": "c"},
        ],
        "structuredContent": {"found": 2},
    }


def open_descriptors() -> list[int]:
    return [number for number in range(256) if Path(f"/proc/self/fd/{number}").exists()]


ANSWERS: dict[str, Callable[[], dict[str, Any]]] = {
    "failcall": lambda: text("no such city") | {"isError": True},
    "strangecall": lambda: {"content": [{"type": "hologram"}, {"type": "text", "text": 7}, "loose"]},
    "bigcall": lambda: text("A" * 1_000_000 + "END"),
    "hugecall": lambda: text("A" * 11_000_000),
    "environment": lambda: text(json.dumps({"env": dict(os.environ), "descriptors": open_descriptors()})),
    "mixed": mixed,
}


CALLS: list[str] = []


def counted(wanted: str) -> dict[str, Any] | None:
    CALLS.append(wanted)
    if wanted == "crash":
        os._exit(9)
    return None if wanted == "hang" else {"result": text(f"{os.getpid()} {len(CALLS)}")}


def answer(mode: str, message: dict[str, Any]) -> dict[str, Any] | None:
    """None: it is never answered, and the next message is read."""
    match message["method"], mode:
        case ("tools/call", "counting" | "muteping"):
            return counted(message["params"]["arguments"].get("text", ""))
        case ("ping", "muteping"):
            return None
        case ("initialize", _):
            information = {"name": "faulty", "version": "1.2", "title": "Faulty server"}
            capabilities = {"tools": {"listChanged": True}}
            return {
                "result": {
                    "protocolVersion": "2025-06-18",
                    "capabilities": capabilities,
                    "serverInfo": information,
                    "instructions": "Be careful.",
                }
            }
        case ("tools/list", "listerror"):
            return {"error": {"code": -32603, "message": "the database is away"}}
        case ("tools/list", _):
            return {"result": listed(mode, (message.get("params") or {}).get("cursor"))}
        case ("tools/call", "refusecall"):
            return {"error": {"code": -32602, "message": "no such tool"}}
        case ("tools/call", _):
            return {"result": called(mode, message["id"])}
    return {"error": {"code": -32601, "message": "method not found"}}


def main(mode: str, marker: str = "") -> None:
    before(mode, marker)
    for line in sys.stdin:
        message = json.loads(line)
        if "id" in message and "method" in message and (said := answer(mode, message)) is not None:
            send({"id": message["id"], **said})
    if mode == "ignoreeof":
        while True:
            time.sleep(1)


if __name__ == "__main__":
    main(*sys.argv[1:])
