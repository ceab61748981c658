"""The parts of a conversation as OpenAI's Responses API lists them, as messages."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from playground.foreign.openai_chat import text_of
from playground.foreign.values import compact, dicts, mapping, words
from playground.transcript import AssistantMessage, Message, ProviderSearch, ToolCall, ToolMessage, UserMessage

_CALLS = ("function_call", "custom_tool_call", "mcp_call", "local_shell_call", "web_search_call", "file_search_call")
_ANSWERS = ("function_call_output", "custom_tool_call_output", "local_shell_call_output")
_CLIENT = "client"
Part = dict[str, Any]


@dataclass(slots=True)
class _Answer:
    """The parts of one answer of the model, until somebody else speaks."""

    texts: list[str] = field(default_factory=list)
    calls: list[ToolCall] = field(default_factory=list)
    searches: list[ProviderSearch] = field(default_factory=list)
    replies: list[ToolMessage] = field(default_factory=list)

    def messages(self) -> Iterator[Message]:
        if self.texts or self.calls or self.searches:
            yield AssistantMessage("\n\n".join(self.texts), tuple(self.calls), tuple(self.searches))
        yield from self.replies


def messages_of(parts: Iterable[Part]) -> Iterator[Message]:
    return (message for message, _ in with_parts(parts))


def with_parts(parts: Iterable[Part]) -> Iterator[tuple[Message, Part]]:
    """The messages, each with the last part that it is made of."""
    answer, last = _Answer(), Part()
    names: dict[str, str] = {}
    for part in parts:
        kind = words(part.get("type")) or "message"
        is_own = _take(answer, kind, part)
        if is_own:
            names |= {call.id: call.name for call in answer.calls}
            last = part
            continue
        spoken = _spoken(kind, part, names)
        if spoken is not None:
            yield from ((message, last) for message in answer.messages())
            answer = _Answer()
            yield spoken, part
    yield from ((message, last) for message in answer.messages())


def _take(answer: _Answer, kind: str, part: Part) -> bool:
    """Whether the part is one of the model's answer, which it is put into."""
    if kind == "message" and part.get("role") == "assistant":
        answer.texts.append(text_of(part.get("content")))
    elif kind in _CALLS or (kind == "tool_search_call" and part.get("execution") == _CLIENT):
        answer.calls.append(_call(kind, part))
        if "output" in part:
            failed = part.get("error") is not None
            answer.replies.append(ToolMessage(_id(part), answer.calls[-1].name, _output(part), is_error=failed))
    elif kind == "tool_search_call":
        asked = part.get("arguments")
        query = mapping(asked).get("query") or mapping(asked).get("goal")
        answer.searches.append(ProviderSearch(_id(part), words(query), arguments=compact(asked)))
    elif kind == "tool_search_output" and part.get("execution") != _CLIENT and answer.searches:
        search = answer.searches[-1]
        answer.searches[-1] = ProviderSearch(search.id, search.query, _names(part), arguments=search.arguments)
    else:
        return False
    return True


def _spoken(kind: str, part: Part, names: dict[str, str]) -> Message | None:
    """What a person, or a tool, says."""
    if kind == "message" and part.get("role") == "user":
        return UserMessage(text_of(part.get("content")))
    if kind in _ANSWERS:
        return ToolMessage(_id(part), names.get(_id(part), ""), _output(part))
    if kind == "tool_search_output":
        loaded = _names(part)
        return ToolMessage(_id(part), "tool_search", compact({"tools": loaded}), loaded)
    return None


def _call(kind: str, part: Part) -> ToolCall:
    name = words(part.get("name")) or {"tool_search_call": "tool_search"}.get(kind, kind.removesuffix("_call"))
    arguments = part.get("arguments", part.get("input", part.get("action", "")))
    return ToolCall(_id(part), name, arguments if isinstance(arguments, str) else compact(arguments))


def _id(part: Part) -> str:
    return words(part.get("call_id")) or words(part.get("id"))


def _output(part: Part) -> str:
    output = part.get("output")
    if isinstance(output, list):
        return text_of(output)
    return output if isinstance(output, str) else compact(output)


def _names(part: Part) -> tuple[str, ...]:
    """The tools that a search found, those in namespaces too."""
    names = []
    for tool in dicts(part.get("tools")):
        inner = [words(one.get("name")) for one in dicts(tool.get("tools"))]
        names += inner or [words(tool.get("name"))]
    return tuple(filter(None, names))
