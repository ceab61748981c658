"""The demo provider's own search of the tools that it was handed: by the words that they share with the query.

The scripted model sees it as a tool; what it asks and finds there never leaves the answer as a call.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from catalog.search.words import index_words
from playground.agent.scripted.discovery import PROVIDER_SEARCH
from playground.agent.scripted.progress import text_of
from playground.transcript import ProviderSearch

MOST_LOADED = 5
"""Tools that one search loads."""
IN_NAME = 2
"""What a word of the name counts; one of the description counts 1."""

_SEARCH_TOOL = {
    "type": "function",
    "function": {
        "name": PROVIDER_SEARCH,
        "description": "Find tools by words.",
        "parameters": {"type": "object", "properties": {"query": {"type": "string", "description": "Words"}}},
    },
}

Function = Mapping[str, Any]


class ProviderPlay:
    """`messages` and `tools` are what the model sees within its answer, `said` what it wrote before each search."""

    def __init__(
        self, messages: Sequence[Mapping[str, Any]], tools: Sequence[Function], handed: Sequence[Function]
    ) -> None:
        self._handed = {tool["function"]["name"]: tool for tool in handed}
        self.messages = [part for message in messages for part in _unfolded(message, self._handed)]
        self.tools = [*tools, _SEARCH_TOOL]
        self.said: list[str] = []
        self.searches: list[ProviderSearch] = []
        for message in messages:
            for search in message.get("searches") or ():
                self._load(search["names"])

    def answers(self, text: str, calls: Mapping[str, Mapping[str, Any]]) -> bool:
        """Search, if the model's call asks for that; whether it did."""
        if PROVIDER_SEARCH not in calls:
            return False
        query = str(calls[PROVIDER_SEARCH].get("query", ""))
        names = _found(query, self._handed.values())
        search = ProviderSearch(f"search_{len(self.searches)}", query, tuple(names))
        self._load(names)
        self.messages.extend(_as_messages(text, search.id, query, names, self._handed))
        self.said.append(text)
        self.searches.append(search)
        return True

    def _load(self, names: Sequence[str]) -> None:
        there = {tool["function"]["name"] for tool in self.tools}
        self.tools.extend(self._handed[name] for name in names if name in self._handed and name not in there)


def _found(query: str, tools: Iterable[Function]) -> list[str]:
    """The names of the tools that share most with the query, the first of equals first."""
    words = _terms(query)
    shared = {tool["function"]["name"]: _shared(words, tool["function"]) for tool in tools}
    best = sorted((name for name, count in shared.items() if count), key=lambda name: -shared[name])
    return best[:MOST_LOADED]


def _shared(words: set[str], function: Function) -> int:
    in_name = words & _terms(function["name"])
    in_description = words & _terms(str(function.get("description", ""))) - in_name
    return IN_NAME * len(in_name) + len(in_description)


def _terms(text: str) -> set[str]:
    return {word.term for word in index_words(text)}


def _unfolded(message: Mapping[str, Any], handed: Mapping[str, Function]) -> Iterator[Mapping[str, Any]]:
    """An earlier answer with its searches as calls, each with the line that the model wrote before it."""
    searches = message.get("searches") or ()
    *lines, rest = text_of(message).split("\n", len(searches))
    for line, search in zip(lines, searches, strict=False):
        yield from _as_messages(line, search["id"], search["query"], search["names"], handed)
    yield {**message, "content": rest} if searches else message


def _as_messages(
    text: str, search_id: str, query: str, names: Sequence[str], handed: Mapping[str, Function]
) -> Iterator[Mapping[str, Any]]:
    function = {"name": PROVIDER_SEARCH, "arguments": json.dumps({"query": query})}
    found = [handed[name]["function"] for name in names if name in handed]
    told = [{"name": tool["name"], "description": tool.get("description", "")} for tool in found]
    yield {"role": "assistant", "content": text, "tool_calls": [{"id": search_id, "function": function}]}
    yield {"role": "tool", "tool_call_id": search_id, "content": json.dumps(told)}
