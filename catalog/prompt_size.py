"""How many tokens tools and messages cost in a prompt: an estimate.

Counted with the cl100k_base encoding over the OpenAI form as compact JSON. Each provider has an encoding and a framing
of its own, so that its own figure differs, much the same way for every tool. The encoding's file is the one that LiteLLM
ships; it is read without importing LiteLLM and never fetched. Where it is missing, four characters count as one token.
"""

import json
import os
from collections.abc import Iterable, Mapping
from functools import cache
from hashlib import blake2b
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from weakref import ref

import tiktoken

from catalog.tools import ToolSpec

SHIPPED_FILE = "9b5ad71b2ce5302211f9c61530b329a4922fc6a4"
"""tiktoken's cache name of cl100k_base: the SHA-1 of its address."""
MOST_KEPT = 200_000
"""Estimates kept, about 150 bytes each."""

PIECE = 100_000
"""Characters of a long text that are counted at once."""

_kept: dict[bytes, int] = {}


class _Told(ref[ToolSpec]):
    """A tool by its identity, and what it is estimated at."""

    __slots__ = ("key", "tokens")
    key: int
    tokens: int


_told: dict[int, _Told] = {}
"""For as long as a tool is there: a catalog's tools stay the same ones from page to page."""


def estimate_tool(tool: ToolSpec) -> int:
    told = _told.get(id(tool))
    if told is not None and told() is tool:
        return told.tokens
    return remember(tool, _estimate_json(tool.as_function()))


def remember(tool: ToolSpec, tokens: int) -> int:
    """What a tool is estimated at, where that is known from elsewhere."""
    told = _Told(tool, _forget)
    told.key, told.tokens = id(tool), tokens
    _told[told.key] = told
    return tokens


def estimate_tools(tools: Iterable[ToolSpec]) -> int:
    """About a second for 16,000 tools that were never estimated before: not for the event loop."""
    return sum(estimate_tool(tool) for tool in tools)


def estimate_messages(messages: Iterable[Mapping[str, Any]]) -> int:
    return sum(_estimate_json(message) for message in messages)


def estimate_text(text: str, upto: int = 0) -> int:
    """Tokens of a text, counted in pieces: of an output of megabytes too. Counting stops beyond `upto`, if that is not 0."""
    tokens = 0
    for start in range(0, len(text), PIECE):
        tokens += _count(text[start : start + PIECE])
        if upto and tokens > upto:
            break
    return tokens


def _forget(told: _Told) -> None:
    if _told.get(told.key) is told:
        _told.pop(told.key, None)


def _estimate_json(value: Mapping[str, Any]) -> int:
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=str)
    key = blake2b(text.encode("utf-8", "replace"), digest_size=16).digest()
    if key not in _kept:
        if len(_kept) >= MOST_KEPT:
            _kept.clear()
        _kept[key] = _count(text)
    return _kept[key]


def _count(text: str) -> int:
    encoding = _encoding()
    if encoding is None:
        return -(-len(text) // 4)
    return len(encoding.encode_ordinary(text))


@cache
def _encoding() -> tiktoken.Encoding | None:
    litellm = find_spec("litellm")
    if litellm is None or not litellm.submodule_search_locations:
        return None
    folder = Path(litellm.submodule_search_locations[0], "litellm_core_utils", "tokenizers")
    if not (folder / SHIPPED_FILE).is_file():
        return None
    os.environ["TIKTOKEN_CACHE_DIR"] = str(folder)
    return tiktoken.get_encoding("cl100k_base")
