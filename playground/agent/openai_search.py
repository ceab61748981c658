"""OpenAI's tool search, of its Responses API: what is sent, and what an answer says of the tools that were loaded.

Tools of one server are sent as a namespace, which is what its models were trained to search; of a namespace a model sees
the name and the description, of a function that stands alone also its description, until a search loads it.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from playground.agent.openai_client_search import ClientSearch
from playground.agent.wire_names import wire_name
from playground.transcript import ProviderSearch

SEARCH_TOOL = {"type": "tool_search"}
ADDRESS = "https://api.openai.com/v1"
MOST_HANDED = 1_000
"""OpenAI names no limit of deferred functions."""

_WITH_SEARCH = re.compile(r"gpt-(?:5\.(?:[4-9]|\d\d)|[6-9]|1\d)(?!\d)")
"""gpt-5.4 and later, as the guide to tool search says."""

Tool = Mapping[str, Any]
"""As chat completions take it, with its name as on the wire; `server`, where it has one, tells its server, and `searches`
marks the meta-tool by whose calls this side searches."""


def searches_tools(model: str) -> bool:
    """`model` is a name without its provider, such as `gpt-5.4-mini`."""
    return bool(_WITH_SEARCH.match(model))


def client_search_of(tools: Sequence[Tool], messages: Sequence[Mapping[str, Any]]) -> ClientSearch:
    """The searches of a meta-tool that is marked as one (`searches`)."""
    search = next((tool for tool in tools if tool.get("searches")), None)
    functions = {tool["function"]["name"]: _function(tool) for tool in tools if tool is not search}
    return ClientSearch(search, functions, tuple(messages))


def tools_of(client: ClientSearch, handed: Sequence[Tool]) -> list[dict[str, Any]]:
    """The tools in view that no search of the client's loaded, and the search with what it searches, if there is something."""
    seen = [function for name, function in client.functions.items() if name not in client.loaded_names]
    return [*client.declared, *seen, *([SEARCH_TOOL, *_deferred(handed)] if handed else [])]


def input_of(client: ClientSearch, handed: Sequence[Tool]) -> list[dict[str, Any]]:
    """The conversation as its parts: nothing is kept there, so each turn sends all, without the ids of parts."""
    deferred = list(_deferred(handed))
    spaces = {function["name"]: space for space, function in _placed(deferred)}
    spaces |= {name: name for name in client.loaded_names}
    return [part for message in client.messages for part in _parts(message, client, deferred, spaces)]


def _function(tool: Tool) -> dict[str, Any]:
    """Not strict: schemas of strangers are seldom what strict functions ask for."""
    return {"type": "function", **tool["function"], "strict": False}


def _deferred(handed: Iterable[Tool]) -> Iterator[dict[str, Any]]:
    servers: dict[str, list[dict[str, Any]]] = {}
    for tool in handed:
        servers.setdefault(tool.get("server", ""), []).append({**_function(tool), "defer_loading": True})
    for server, functions in servers.items():
        if server:
            names = ", ".join(function["name"] for function in functions)
            told = f"Tools of {server}: {names}"
            yield {"type": "namespace", "name": wire_name(server), "description": told, "tools": functions}
        else:
            yield from functions


def _parts(
    message: Mapping[str, Any],
    client: ClientSearch,
    deferred: Sequence[Mapping[str, Any]],
    spaces: Mapping[str, str],
) -> Iterator[dict[str, Any]]:
    if message["role"] == "tool":
        yield _answer_part(message, client)
        return
    for search in message.get("searches", ()):
        yield from _search_parts(search, deferred)
    if message["content"]:
        yield {"role": message["role"], "content": message["content"]}
    for call in message.get("tool_calls", ()):
        yield _call_part(call, client, spaces)


def _answer_part(message: Mapping[str, Any], client: ClientSearch) -> dict[str, Any]:
    call_id = message["tool_call_id"]
    if call_id in client.loaded:
        return client.output_part(call_id)
    return {"type": "function_call_output", "call_id": call_id, "output": message["content"]}


def _call_part(call: Mapping[str, Any], client: ClientSearch, spaces: Mapping[str, str]) -> dict[str, Any]:
    if call["id"] in client.loaded:
        return client.call_part(call)
    name = call["function"]["name"]
    space = {"namespace": spaces[name]} if name in spaces else {}
    return {"type": "function_call", "call_id": call["id"], **call["function"], **space}


def _search_parts(search: Mapping[str, Any], deferred: Sequence[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    """A search and what it loaded. Tools that are handed over no longer are left out; they could not be called."""
    loaded = [part for part in (_only(part, search["names"]) for part in deferred) if part]
    asked = json.loads(search["arguments"]) if search.get("arguments") else {"paths": [part["name"] for part in loaded]}
    made = {"execution": "server", "call_id": None, "status": "completed"}
    yield {"type": "tool_search_call", **made, "arguments": asked}
    yield {"type": "tool_search_output", **made, "tools": loaded}


def _only(part: Mapping[str, Any], names: Sequence[str]) -> dict[str, Any]:
    """The part with the functions of these names; empty if it has none."""
    if part["type"] == "function":
        return dict(part) if part["name"] in names else {}
    functions = [function for function in part["tools"] if function["name"] in names]
    return {**part, "tools": functions} if functions else {}


def _placed(parts: Iterable[Mapping[str, Any]]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Each function with the name of its namespace; one that stands alone is in a namespace of its own name."""
    for part in parts:
        if part.get("type") == "function":
            yield part["name"], part
        else:
            yield from ((part["name"], function) for function in part["tools"])


class SearchParts:
    """Fed with the frames of a stream; `found` holds the searches that OpenAI made and answered."""

    def __init__(self) -> None:
        self.found: list[ProviderSearch] = []
        self._asked: list[tuple[str, Any]] = []

    def take(self, frame: Mapping[str, Any]) -> None:
        match frame:
            case {"item": {"execution": "client"}}:
                pass
            case {"type": "response.output_item.done", "item": {"type": "tool_search_call"} as call}:
                self._asked.append((str(call.get("id") or ""), call.get("arguments")))
            case {"type": "response.output_item.done", "item": {"type": "tool_search_output"} as told}:
                search_id, arguments = self._asked.pop(0) if self._asked else ("", None)
                self.found.append(_search(search_id, arguments, told))


def _search(search_id: str, arguments: Any, told: Mapping[str, Any]) -> ProviderSearch:
    problem = "" if told.get("status") in ("completed", None) else str(told["status"])
    asked = arguments if isinstance(arguments, dict) else {}
    kept = json.dumps(asked) if asked else ""
    return ProviderSearch(search_id, _query(asked), tuple(_names(told.get("tools"))), problem, kept)


def _query(asked: Mapping[str, Any]) -> str:
    """What was looked for: words, else the names of namespaces and functions."""
    query, paths = asked.get("query"), asked.get("paths")
    if isinstance(query, str) and query:
        return query
    return ", ".join(map(str, paths)) if isinstance(paths, list) else ""


def _names(tools: Any) -> Iterator[str]:
    """The names of the functions in what a search loaded, whether in namespaces or not."""
    for tool in tools if isinstance(tools, list) else []:
        match tool:
            case {"type": "namespace", "tools": list(inner)}:
                yield from _names(inner)
            case {"name": str(name)}:
                yield name
