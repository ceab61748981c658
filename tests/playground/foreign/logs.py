"""Small logs in the shapes that other systems write."""

import json
from typing import Any, TypeVar

from playground.agent.events import CallFinished, CallMade, Event, OfferMade, RunStarted
from playground.foreign.formats import READERS, kind_of_log
from playground.foreign.records import clean
from playground.foreign.runs import ForeignRun, ForeignRuns

E = TypeVar("E", bound=Event)
SEARCH = {"type": "function", "function": {"name": "search_tools", "description": "Find tools", "parameters": {}}}
WEATHER = {"type": "function", "function": {"name": "get_weather", "description": "The weather", "parameters": {}}}


def lines(*values: Any) -> str:
    return "\n".join(value if isinstance(value, str) else json.dumps(value) for value in values)


def read(text: str) -> ForeignRuns:
    """As an import reads it: without secrets, its kind recognised."""
    log = clean(text)
    return READERS[kind_of_log(log.text)].read(log.text)


def only_run(text: str) -> ForeignRun:
    (thread,) = read(text).threads
    (run,) = thread.runs
    return run


def told(run: ForeignRun, kind: type[E]) -> list[E]:
    return [event for _, event in run.events if isinstance(event, kind)]


def started(run: ForeignRun) -> RunStarted:
    return told(run, RunStarted)[0]


def in_view(run: ForeignRun) -> list[list[str]]:
    """The names of the tools in view, turn by turn."""
    return [[tool.name for tool in offer.tools] for offer in told(run, OfferMade)]


def outcomes(run: ForeignRun) -> dict[str, str]:
    """By the tools called, what came of each call; `not in the log` where it has no answer."""
    done = {event.call_id: event.outcome for event in told(run, CallFinished)}
    return {made.tool: done.get(made.call_id, "not in the log") for made in told(run, CallMade)}


def chat_call(id_: str, name: str, arguments: str = "{}") -> dict[str, Any]:
    return {
        "role": "assistant",
        "content": None,
        "tool_calls": [{"id": id_, "type": "function", "function": {"name": name, "arguments": arguments}}],
    }


def chat_request(messages: list[Any], tools: list[Any], answer: Any, reason: str = "stop", **usage: int) -> Any:
    response = {"model": "gpt-5", "created": 1_760_000_000, "choices": [{"message": answer, "finish_reason": reason}]}
    return {"request": {"messages": messages, "tools": tools}, "response": {**response, "usage": usage}}


def code_line(kind: str, content: Any, uuid: str, **more: Any) -> dict[str, Any]:
    """A line of a Claude Code session."""
    message = {"role": kind, "content": content, **more.pop("message", {})}
    common = {"sessionId": "s1", "isSidechain": False, "parentUuid": None, "version": "2.1.79", "cwd": "/somewhere"}
    return {**common, "type": kind, "message": message, "uuid": uuid, **more}


def use(id_: str, name: str, **arguments: Any) -> dict[str, Any]:
    return {"type": "tool_use", "id": id_, "name": name, "input": arguments}


def result(id_: str, content: Any, **more: Any) -> dict[str, Any]:
    return {"type": "tool_result", "tool_use_id": id_, "content": content, **more}


def reference(name: str) -> dict[str, Any]:
    return {"type": "tool_reference", "tool_name": name}


def attributes(values: dict[str, Any]) -> list[dict[str, Any]]:
    return [{"key": name, "value": _any(value)} for name, value in values.items()]


def _any(value: Any) -> dict[str, Any]:
    if isinstance(value, int):
        return {"intValue": str(value)}
    return {"stringValue": value if isinstance(value, str) else json.dumps(value)}


def span(id_: str, operation: str, begin: int, end: int, *, events: Any = (), parent: str = "", **more: Any) -> Any:
    """From `begin` to `end` milliseconds after some moment; `more` are attributes, `__` standing for a dot."""
    named = {name.replace("__", "."): value for name, value in more.items()}
    begun = 1_760_000_000_000
    return {
        "traceId": "ab" * 16,
        "spanId": id_,
        "parentSpanId": parent,
        "name": operation,
        "startTimeUnixNano": str((begun + begin) * 10**6),
        "endTimeUnixNano": str((begun + end) * 10**6),
        "attributes": attributes({"gen_ai.operation.name": operation, **named}),
        "events": [{"name": name, "attributes": attributes(told)} for name, told in events],
    }


def otlp(*spans: Any) -> str:
    return json.dumps({"resourceSpans": [{"resource": {}, "scopeSpans": [{"spans": list(spans)}]}]}, indent=1)
