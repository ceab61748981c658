"""Blocks of content as Anthropic's Messages API and Claude Code write them, as messages."""

from collections.abc import Iterator
from typing import Any

from playground.foreign.values import SEARCHES, compact, dicts, mapping, words
from playground.transcript import AssistantMessage, Message, ProviderSearch, ToolCall, ToolMessage, UserMessage


def blocks_of(content: Any) -> list[dict[str, Any]]:
    return [{"type": "text", "text": content}] if isinstance(content, str) else list(dicts(content))


def user_text(content: Any) -> str:
    """What a person said; what is no text is named."""
    parts = (_part(block) for block in blocks_of(content) if block.get("type") != "tool_result")
    return "\n\n".join(part for part in parts if part)


def answer_of(content: Any) -> tuple[AssistantMessage, list[ToolMessage]]:
    """The model's message, and the answers to calls that its provider ran amid it."""
    blocks = blocks_of(content)
    results = {words(block.get("tool_use_id")): block for block in blocks if _is_result(block)}
    calls, searches, replies = [], [], []
    for block in blocks:
        called = _call(block)
        if called is None:
            continue
        result = results.get(called.id)
        if block.get("type") == "server_tool_use" and called.name.startswith(SEARCHES):
            searches.append(_search(called, mapping(mapping(result).get("content"))))
            continue
        calls.append(called)
        if result is not None:
            replies.append(reply_of(result, called.name))
    text = "\n\n".join(words(block.get("text")) for block in blocks if block.get("type") == "text")
    return AssistantMessage(text.strip(), tuple(calls), tuple(searches)), replies


def reply_of(block: dict[str, Any], tool: str) -> ToolMessage:
    """A tool_result, or the result of a tool that the provider ran. References to tools are what it loaded."""
    content = block.get("content")
    names = tuple(reference_names(content))
    failed = block.get("is_error") is True or words(mapping(content).get("type")).endswith("_error")
    return ToolMessage(words(block.get("tool_use_id")), tool, result_text(content), names, failed)


def reference_names(content: Any) -> Iterator[str]:
    for part in dicts(content):
        if part.get("type") == "tool_reference" and (name := words(part.get("tool_name"))):
            yield name


def result_text(content: Any) -> str:
    if isinstance(content, str) or content is None:
        return content or ""
    parts = list(dicts(content))
    if parts and all(part.get("type") == "text" for part in parts):
        return "\n".join(words(part.get("text")) for part in parts)
    return compact([_shortened(part) for part in parts] if parts else content)


def user_messages(content: Any, names: dict[str, str]) -> Iterator[Message]:
    """The answers to calls, then what the person said. `names` are tools by the ids of their calls."""
    for block in blocks_of(content):
        if block.get("type") == "tool_result":
            yield reply_of(block, names.get(words(block.get("tool_use_id")), ""))
    if text := user_text(content):
        yield UserMessage(text)


def _call(block: dict[str, Any]) -> ToolCall | None:
    if block.get("type") not in ("tool_use", "server_tool_use", "mcp_tool_use"):
        return None
    arguments = block.get("input")
    written = arguments if isinstance(arguments, str) else compact(arguments if arguments is not None else {})
    return ToolCall(words(block.get("id")), words(block.get("name")), written)


def _is_result(block: dict[str, Any]) -> bool:
    return words(block.get("type")).endswith("tool_result") and "tool_use_id" in block


def _search(call: ToolCall, result: dict[str, Any]) -> ProviderSearch:
    query = mapping(_read(call)).get("query") or mapping(_read(call)).get("pattern")
    names = tuple(reference_names(result.get("tool_references")))
    problem = words(result.get("error_message")) or words(result.get("error_code"))
    return ProviderSearch(call.id, words(query), names, problem, call.arguments)


def _read(call: ToolCall) -> Any:
    return call.read_arguments() if call.is_whole else {}


def _part(block: dict[str, Any]) -> str:
    kind = words(block.get("type"))
    return words(block.get("text")).strip() if kind == "text" else f"[{kind or 'content'}]"


def _shortened(part: dict[str, Any]) -> dict[str, Any]:
    """An image or a document without its bytes."""
    source = mapping(part.get("source"))
    return {**part, "source": {**source, "data": "…"}} if "data" in source else part
