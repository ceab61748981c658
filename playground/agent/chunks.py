"""LiteLLM's stream chunks: read into pieces, and written for the demo model's answer."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, replace
from typing import Any

from catalog.prompt_size import estimate_messages
from playground.agent.anthropic_search import SEARCH_ID
from playground.agent.chat_model import CallPiece, Finished, Piece, TextPiece
from playground.agent.scripted_model import Reply, words_of
from playground.agent.spending import Prices
from playground.transcript import ProviderSearch

SEARCHES = "searches"
"""The field of a chunk in which the demo provider tells its own searches."""


class ChunkReader:
    """Reads one answer. `real_names` leads from the names on the wire back to the tools' own."""

    def __init__(self, real_names: Mapping[str, str]) -> None:
        self._real_names = real_names
        self._reason = ""
        self._usage: Any = None
        self._answered: set[int] = set()
        """Indexes of calls that the provider answers by itself."""

    def read(self, chunk: Any) -> Iterator[Piece]:
        self._usage = getattr(chunk, "usage", None) or self._usage
        for choice in chunk.choices[:1]:
            self._reason = choice.finish_reason or self._reason
            if choice.delta.content:
                yield TextPiece(choice.delta.content)
            for told in getattr(choice.delta, "provider_specific_fields", None) or ():
                if told == SEARCHES:
                    yield from (ProviderSearch(**search) for search in choice.delta.provider_specific_fields[SEARCHES])
            for call in choice.delta.tool_calls or ():
                yield from self._read_call(call)

    def searched(self, searches: Iterable[ProviderSearch]) -> Iterator[ProviderSearch]:
        """Searches as the wire had them, with the tools' own names."""
        for search in searches:
            yield replace(search, names=tuple(self._real_names.get(name, name) for name in search.names))

    def _read_call(self, call: Any) -> Iterator[CallPiece]:
        if (call.id or "").startswith(SEARCH_ID):
            self._answered.add(call.index)
        elif call.id:
            self._answered.discard(call.index)
        if call.index not in self._answered:
            name = call.function.name or ""
            yield CallPiece(call.index, call.id or "", self._real_names.get(name, name), call.function.arguments or "")

    def finished(self, wire_reason: str, *, with_usage: bool, prices: Prices | None = None) -> Finished:
        """The end of the answer. LiteLLM makes figures up where the provider gave none: `with_usage` says that it did.

        Of tokens written to a cache, and of reasoning, it says 0 as well where the provider said nothing: both are None.
        """
        reason = self._reason or wire_reason or "stop"
        usage = self._usage if with_usage else None
        if usage is None:
            return Finished(reason, prices=prices)
        prompt = getattr(usage, "prompt_tokens_details", None)
        completion = getattr(usage, "completion_tokens_details", None)
        return Finished(
            reason,
            usage.prompt_tokens,
            usage.completion_tokens,
            getattr(prompt, "cached_tokens", None),
            getattr(prompt, "cache_creation_tokens", None) or None,
            getattr(completion, "reasoning_tokens", None) or None,
            prices,
        )


def demo_chunks(answer: Reply, prompt_tokens: int) -> Iterator[dict[str, Any]]:
    """The answer as LiteLLM's custom providers stream: text by words, each call's arguments in two pieces."""
    words = list(words_of(answer.text))
    completion_tokens = len(words) + sum(estimate_messages([call.arguments]) for call in answer.calls)
    for word in words:
        yield _chunk(text=word)
    if answer.searches:
        yield _chunk(provider_specific_fields={SEARCHES: [asdict(search) for search in answer.searches]})
    for index, call in enumerate(answer.calls):
        arguments = json.dumps(call.arguments, ensure_ascii=False)
        middle = len(arguments) // 2
        yield _chunk(tool_use=_tool_use(index, f"call_{index}", call.tool, arguments[:middle]))
        yield _chunk(tool_use=_tool_use(index, None, None, arguments[middle:]))
    usage = {"prompt_tokens": prompt_tokens, "completion_tokens": completion_tokens}
    usage["total_tokens"] = sum(usage.values())
    yield _chunk(is_finished=True, finish_reason="tool_calls" if answer.calls else "stop", usage=usage)


def _tool_use(index: int, call_id: str | None, name: str | None, arguments: str) -> dict[str, Any]:
    return {"id": call_id, "type": "function", "index": index, "function": {"name": name, "arguments": arguments}}


def _chunk(**parts: Any) -> dict[str, Any]:
    plain = {"text": "", "tool_use": None, "is_finished": False, "finish_reason": "", "usage": None, "index": 0}
    return plain | parts
