"""LiteLLM's events of a stream of OpenAI's Responses API, read into pieces."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from playground.agent.chat_model import CallPiece, Finished, Piece, TextPiece
from playground.agent.spending import Prices
from playground.transcript import ProviderSearch


class ResponseReader:
    """Reads one answer. `real_names` leads from the names on the wire back to the tools' own; `search` is the meta-tool
    that the model calls where it asks this side to search."""

    def __init__(self, real_names: Mapping[str, str], search: str = "") -> None:
        self._real_names, self._search = real_names, search
        self._usage: Any = None
        self._calls: dict[int, bool] = {}
        """Places of calls in the answer, and whether a piece of their arguments has come."""

    def read(self, event: Any) -> Iterator[Piece]:
        match str(getattr(event.type, "value", event.type)):
            case "response.output_text.delta" | "response.refusal.delta":
                yield TextPiece(event.delta)
            case "response.output_item.added" if _type(event) == "function_call":
                yield from self._begin(event)
            case "response.function_call_arguments.delta":
                self._calls[event.output_index] = True
                yield CallPiece(event.output_index, arguments=event.delta)
            case "response.output_item.done" if _type(event) == "function_call":
                yield from self._begin(event)
                if not self._calls[event.output_index]:
                    yield CallPiece(event.output_index, arguments=event.item.arguments or "")
            case "response.output_item.done" if _type(event) == "tool_search_call" and event.item.execution == "client":
                self._calls[event.output_index] = True
                yield CallPiece(event.output_index, event.item.call_id, self._search, json.dumps(event.item.arguments))
            case "response.completed" | "response.incomplete":
                self._usage = event.response.usage

    def searched(self, searches: Iterable[ProviderSearch]) -> Iterator[ProviderSearch]:
        """Searches as the wire had them, with the tools' own names."""
        for search in searches:
            yield replace(search, names=tuple(self._real_names.get(name, name) for name in search.names))

    def finished(self, wire_reason: str, *, with_usage: bool, prices: Prices | None = None) -> Finished:
        """The end of the answer. That it ends with calls, only these tell."""
        reason = "tool_calls" if self._calls and wire_reason == "stop" else wire_reason
        if not with_usage or self._usage is None:
            return Finished(reason, prices=prices)
        usage = self._usage
        return Finished(
            reason,
            usage.input_tokens,
            usage.output_tokens,
            getattr(usage.input_tokens_details, "cached_tokens", None),
            reasoning_tokens=getattr(usage.output_tokens_details, "reasoning_tokens", None) or None,
            prices=prices,
        )

    def _begin(self, event: Any) -> Iterator[CallPiece]:
        if event.output_index not in self._calls:
            self._calls[event.output_index] = False
            name = event.item.name
            yield CallPiece(event.output_index, event.item.call_id, self._real_names.get(name, name))


def _type(event: Any) -> str:
    return str(getattr(event.item, "type", ""))
