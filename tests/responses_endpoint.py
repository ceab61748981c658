"""How the endpoint on loopback answers OpenAI's Responses API (`/v1/<mood>/responses`): it searches what is deferred by
itself, by the scripted model's rules, and refuses what the real one would refuse.
"""

import json
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from playground.agent.scripted_model import Reply, WantedCall, reply, words_of
from playground.transcript import ProviderSearch

Json = dict[str, Any]
SEARCH = "tool_search"
"""The search that a client executes, as the scripted model knows it."""
LONGEST_SILENCE = 2.0
"""Seconds."""
HEAD: Json = {"id": "resp_1", "object": "response", "created_at": 1, "model": "gpt-5.4", "output": []}
USAGE: Json = {
    "input_tokens": 120,
    "input_tokens_details": {"cached_tokens": 64},
    "output_tokens": 8,
    "output_tokens_details": {"reasoning_tokens": 0},
    "total_tokens": 128,
}


class Refused(Exception):
    """The request is not of the documented form; the message says how."""


def event(kind: str, **parts: Any) -> bytes:
    return f"event: {kind}\ndata: {json.dumps({'type': kind, 'sequence_number': 0, **parts})}\n\n".encode()


def begin() -> bytes:
    return event("response.created", response={**HEAD, "status": "in_progress"})


def end(**parts: Any) -> bytes:
    return event("response.completed", response={**HEAD, "status": "completed", "usage": USAGE, **parts})


def incomplete(reason: str) -> bytes:
    told = {**HEAD, "status": "incomplete", "incomplete_details": {"reason": reason}, "usage": USAGE}
    return event("response.incomplete", response=told)


def failed(message: str) -> bytes:
    return event(
        "response.failed", response={**HEAD, "status": "failed", "error": {"code": "server_error", "message": message}}
    )


def text(place: int, *pieces: str) -> Iterator[bytes]:
    message = {"type": "message", "id": f"msg_{place}", "role": "assistant"}
    yield event(
        "response.output_item.added", output_index=place, item={**message, "status": "in_progress", "content": []}
    )
    at = {"item_id": f"msg_{place}", "output_index": place, "content_index": 0}
    for piece in pieces:
        yield event("response.output_text.delta", **at, delta=piece)
    content = [{"type": "output_text", "text": "".join(pieces), "annotations": []}]
    done = {**message, "status": "completed", "content": content}
    yield event("response.output_item.done", output_index=place, item=done)


def call(place: int, name: str, *pieces: str, namespace: str = "") -> Iterator[bytes]:
    made = {"type": "function_call", "id": f"fc_{place}", "call_id": f"call_{place}", "name": name}
    made |= {"namespace": namespace} if namespace else {}
    begun = {**made, "status": "in_progress", "arguments": ""}
    yield event("response.output_item.added", output_index=place, item=begun)
    for piece in pieces:
        yield event("response.function_call_arguments.delta", item_id=f"fc_{place}", output_index=place, delta=piece)
    done = {**made, "status": "completed", "arguments": "".join(pieces)}
    yield event("response.output_item.done", output_index=place, item=done)


def search(place: int, arguments: Json, tools: list[Json]) -> Iterator[bytes]:
    made: Json = {"execution": "server", "call_id": None, "status": "completed"}
    asked: Json = {"type": "tool_search_call", "id": f"tsc_{place}", **made, "arguments": arguments}
    told = {"type": "tool_search_output", "id": f"tso_{place}", **made, "tools": tools}
    for index, part in enumerate((asked, told), start=place):
        yield event("response.output_item.added", output_index=index, item={**part, "status": "in_progress"})
        yield event("response.output_item.done", output_index=index, item=part)


def client_search(place: int, arguments: Json) -> Iterator[bytes]:
    asked: Json = {"type": "tool_search_call", "id": f"tsc_{place}", "execution": "client", "call_id": f"call_{place}"}
    asked |= {"arguments": arguments, "status": "completed"}
    yield event(
        "response.output_item.added", output_index=place, item={**asked, "status": "in_progress", "arguments": {}}
    )
    yield event("response.output_item.done", output_index=place, item=asked)


def frames_of(answer: Reply, namespaces: Mapping[str, str], tools: Iterable[Json]) -> Iterator[bytes]:
    """The answer as the API streams it: what it searched, its text, then its calls with arguments in halves."""
    declared = list(tools)
    yield begin()
    place = 0
    for made in answer.searches:
        paths = sorted({namespaces[name] for name in made.names})
        loaded = [part for tool in declared if (part := only(tool, made.names))]
        yield from search(place, {"paths": paths, "query": made.query}, loaded)
        place += 2
    if answer.text:
        yield from text(place, *words_of(answer.text))
        place += 1
    for index, wanted in enumerate(answer.calls, start=place):
        if wanted.tool == SEARCH:
            yield from client_search(index, dict(wanted.arguments))
            continue
        arguments = json.dumps(wanted.arguments, ensure_ascii=False)
        half = len(arguments) // 2
        yield from call(
            index, wanted.tool, arguments[:half], arguments[half:], namespace=namespaces.get(wanted.tool, "")
        )
    yield end()


def only(tool: Json, names: Iterable[str]) -> Json:
    if tool["type"] == "function":
        return tool if tool["name"] in names else {}
    inner = [each for each in tool.get("tools", []) if each["name"] in names]
    return {**tool, "tools": inner} if inner else {}


def obedient(body: Json) -> Iterator[bytes]:
    """Raises Refused, before anything is answered."""
    functions = dict(declared_functions(body))
    hidden = {name: (space, one) for name, (space, one) in functions.items() if one.get("defer_loading")}
    refuse_what_is_wrong(body, hidden)
    seen, handed = list[Json](), list[Json]()
    for name, (_, function) in functions.items():
        told = {"type": "function", "function": {key: function[key] for key in ("name", "description", "parameters")}}
        (handed if name in hidden else seen).append(told)
    if search := next((tool for tool in body["tools"] if tool.get("execution") == "client"), None):
        function = {"name": SEARCH, "description": search["description"], "parameters": search["parameters"]}
        seen.append({"type": "function", "function": function})
    for one in loaded_by_the_client(body):
        function = {key: one[key] for key in ("name", "description", "parameters")}
        seen.append({"type": "function", "function": function})
    answer = reply(messages_of(body["input"]), seen, handed)
    spaces = {name: space or name for name, (space, _) in hidden.items()}
    return frames_of(answer, spaces, body["tools"])


def loaded_by_the_client(body: Json) -> Iterator[Json]:
    for part in body["input"]:
        if part.get("type") == "tool_search_output" and part["execution"] == "client":
            yield from part["tools"]


def declared_functions(body: Json) -> Iterator[tuple[str, tuple[str, Json]]]:
    """Each function by its name, with its namespace."""
    for tool in body.get("tools") or []:
        if tool["type"] == "namespace":
            yield from ((one["name"], (tool["name"], one)) for one in tool["tools"])
        elif tool["type"] == "function":
            yield tool["name"], ("", tool)


def refuse_what_is_wrong(body: Json, hidden: Mapping[str, tuple[str, Json]]) -> None:
    if hidden and {"type": "tool_search"} not in body["tools"]:
        raise Refused("defer_loading needs tool_search")
    if body.get("store") is not False:
        raise Refused("this endpoint keeps nothing")
    callable_names = [name for name, _ in declared_functions(body)] + [
        one["name"] for one in loaded_by_the_client(body)
    ]
    if len(set(callable_names)) < len(callable_names):
        raise Refused("two functions of one name")
    loaded, asked, searches = set[str](), set[str](), 0
    for part in body["input"]:
        match part.get("type"):
            case "tool_search_call" if part["execution"] == "client":
                asked.add(part["call_id"])
            case "tool_search_output" if part["execution"] == "client":
                if part["call_id"] not in asked:
                    raise Refused("an output without its search")
                hidden = {**hidden, **{one["name"]: ("", one) for one in part["tools"]}}
                loaded |= {one["name"] for one in part["tools"]}
            case "tool_search_call":
                searches += 1
            case "tool_search_output":
                searches -= 1
                loaded |= {name for name, _ in declared_functions(part)}
            case "function_call":
                asked.add(part["call_id"])
                if part["name"] in hidden:
                    if part["name"] not in loaded:
                        raise Refused(f"{part['name']} was never loaded")
                    if part.get("namespace") != (hidden[part["name"]][0] or part["name"]):
                        raise Refused(f"{part['name']} is not in its namespace")
            case "function_call_output" if part["call_id"] not in asked:
                raise Refused("an output without its call")
        if "id" in part or searches not in (0, 1):
            raise Refused("parts that nobody keeps")


def messages_of(parts: Iterable[Json]) -> list[Json]:
    """The conversation as the scripted model reads it."""
    messages: list[Json] = []
    for part in parts:
        match part.get("type", "message"):
            case "function_call_output":
                messages.append({"role": "tool", "tool_call_id": part["call_id"], "content": part["output"]})
            case "tool_search_output" if part["execution"] == "client":
                content = json.dumps({"type": "tool_search_result", "tools": part["tools"]})
                messages.append({"role": "tool", "tool_call_id": part["call_id"], "content": content})
            case "message" if part["role"] != "assistant":
                messages.append(dict(part))
            case kind:
                add_to_answer(messages, kind, part)
    return messages


def add_to_answer(messages: list[Json], kind: str, part: Json) -> None:
    if not messages or messages[-1]["role"] != "assistant":
        messages.append({"role": "assistant", "content": "", "tool_calls": [], "searches": []})
    answer = messages[-1]
    match kind:
        case "message":
            answer["content"] += part["content"]
        case "function_call":
            function = {"name": part["name"], "arguments": part["arguments"]}
            answer["tool_calls"].append({"id": part["call_id"], "type": "function", "function": function})
        case "tool_search_call" if part["execution"] == "client":
            function = {"name": SEARCH, "arguments": json.dumps(part["arguments"])}
            answer["tool_calls"].append({"id": part["call_id"], "type": "function", "function": function})
        case "tool_search_call":
            answer["searches"].append({"id": "search", "query": part["arguments"].get("query", ""), "names": []})
        case "tool_search_output":
            answer["searches"][-1]["names"] = [name for name, _ in declared_functions(part)]


FOUND = ProviderSearch("", "weather forecast", ("get_forecast",))
FORECAST: Json = {
    "type": "function",
    "name": "get_forecast",
    "description": "Weather.",
    "parameters": {"type": "object", "properties": {}},
    "strict": False,
    "defer_loading": True,
}
GOOD_RESPONSE = b"".join(
    frames_of(
        Reply("All is well. " * 12, (WantedCall("get_forecast", {"city": "Oslo"}),), (FOUND,)),
        {"get_forecast": "get_forecast"},
        [FORECAST],
    )
)

RESPONSES: dict[str, Callable[[Json], Iterable[bytes]]] = {
    "obedient": obedient,
    "ok": lambda _: [begin(), *text(0, "all ", "well"), end()],
    "trunc": lambda _: [begin(), *list(text(0, "hel", "lo"))[:3]],
    "nousage": lambda _: [begin(), *text(0, "whole"), end(usage=None)],
    "length": lambda _: [begin(), *list(text(0, "hel"))[:2], incomplete("max_output_tokens")],
    "filter": lambda _: [begin(), *list(text(0, "hel"))[:2], incomplete("content_filter")],
    "failed": lambda _: [begin(), *list(text(0, "hel"))[:2], failed("the model broke")],
    "errmid": lambda _: [
        begin(),
        *list(text(0, "hel"))[:2],
        event("error", code="x", message="overloaded", param=None),
    ],
    "badjson": lambda _: [begin(), *list(text(0, "hel"))[:2], b'data: {"type": "resp\n\n', end()],
    "hangmid": lambda _: pausing(),
    "client-search": lambda _: [begin(), *client_search(0, {"query": "weather"}), end()],
    "silent-arguments": lambda _: [begin(), *silent_arguments(), end()],
}
"""Other moods are those of chat completions: refusals, silences, pages."""


def pausing() -> Iterator[bytes]:
    yield begin()
    yield from list(text(0, "hel"))[:2]
    time.sleep(LONGEST_SILENCE)


def silent_arguments() -> Iterator[bytes]:
    """A call whose arguments come only with its end."""
    first, *_, last = call(0, "get_forecast", '{"city": "Oslo"}')
    yield from (first, last)
