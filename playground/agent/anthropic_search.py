"""Anthropic's tool search: what it is sent, and what it says amid an answer of the tools that it loaded.

LiteLLM passes requests through and keeps what the search found to itself, so that is read off the wire.
"""

import json
import re
from collections.abc import Mapping
from typing import Any

from playground.transcript import ProviderSearch

SEARCH_TOOL = {"type": "tool_search_tool_bm25_20251119", "name": "tool_search_tool_bm25"}
MOST_HANDED = 10_000
"""Tools of one request."""
SEARCH_ID = "srvtoolu_"
"""How the ids of calls begin that the provider answers by itself."""

_WITH_SEARCH = re.compile(r"claude-[a-z]+-(?:4-(?:[5-9]|\d\d)|[5-9]|\d\d)(?!\d)")
"""Claude 4.5 and later, which the documents of every age name."""


def searches_tools(model: str) -> bool:
    """`model` is a name without its provider, such as `claude-sonnet-4-5`."""
    return bool(_WITH_SEARCH.match(model))


def with_search_blocks(message: Mapping[str, Any]) -> dict[str, Any]:
    """The message with its searches as blocks of its content, after its text; their names are as on the wire.

    A search of another provider's, earlier in the thread, is left out: it has no id that Anthropic would take.
    """
    plain = {key: value for key, value in message.items() if key != "searches"}
    own = [search for search in message.get("searches", ()) if search["id"].startswith(SEARCH_ID)]
    if not own:
        return plain
    text = [{"type": "text", "text": message["content"]}] if message["content"] else []
    return {**plain, "content": [*text, *(block for search in own for block in _blocks(search))]}


def _blocks(search: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    references = [{"type": "tool_reference", "tool_name": name} for name in search["names"]]
    found: dict[str, Any] = {"type": "tool_search_tool_search_result", "tool_references": references}
    if search["problem"]:
        found = {"type": "tool_search_tool_result_error", "error_code": search["problem"]}
    return (
        {
            "type": "server_tool_use",
            "id": search["id"],
            "name": SEARCH_TOOL["name"],
            "input": {"query": search["query"]},
        },
        {"type": "tool_search_tool_result", "tool_use_id": search["id"], "content": found},
    )


class SearchBlocks:
    """Fed with the frames of a stream; `found` holds the searches that were answered.

    `asked` holds the arguments of searches that an earlier stream of the same answer began, by their ids.
    """

    def __init__(self, asked: Mapping[str, str] | None = None) -> None:
        self.found: list[ProviderSearch] = []
        self._asked = dict(asked or {})
        self._open = ""
        """The search whose arguments are coming in."""

    def take(self, frame: Mapping[str, Any]) -> None:
        match frame:
            case {"type": "content_block_start", "content_block": {"type": "server_tool_use", "id": str(asked)}}:
                self._open, self._asked[asked] = asked, ""
            case {"type": "content_block_delta", "delta": {"partial_json": str(piece)}} if self._open:
                self._asked[self._open] += piece
            case {"type": "content_block_stop"}:
                self._open = ""
            case {
                "content_block": {"type": "tool_search_tool_result", "tool_use_id": str(asked), "content": dict(said)}
            }:
                self.found.append(_search(asked, self._asked.get(asked, ""), said))


def _search(search_id: str, arguments: str, said: Mapping[str, Any]) -> ProviderSearch:
    references = said.get("tool_references")
    named = (each.get("tool_name") for each in references if isinstance(each, dict)) if references else ()
    names = tuple(name for name in named if isinstance(name, str))
    return ProviderSearch(search_id, _query(arguments), names, str(said.get("error_code") or ""))


def _query(arguments: str) -> str:
    try:
        asked = json.loads(arguments or "{}")
    except (ValueError, RecursionError):
        return ""
    query = asked.get("query") if isinstance(asked, dict) else None
    return query if isinstance(query, str) else ""
