"""What a draft or a version holds, as plain values: its settings, the definition of each tool, which show from the start."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cached_property
from hashlib import sha256
from typing import Any

from catalog.tools import ToolSpec

SHARED = "server_text"
"""What all tools of a server have alike; it is held once a server, among the settings."""
_LISTS = frozenset(("tags", "aliases", "platforms"))
_UNSAID = ToolSpec("")
_NAMES = tuple(one.name for one in fields(ToolSpec) if one.name != SHARED)


@dataclass(frozen=True)
class Content:
    """`settings` are plain JSON (`drafts.settings_of` makes them), `hashes` name the definitions in the order of the pool.

    `upfront` are the names of the tools in view from the start, in their order.
    """

    settings: Mapping[str, Any]
    hashes: tuple[str, ...]
    upfront: tuple[str, ...]

    @cached_property
    def hash(self) -> str:
        """Two drafts or versions of one hash offer an agent the same."""
        told = [_written(self.settings, sort_keys=True), _written(self.upfront), *self.hashes]
        return sha256("\n".join(told).encode()).hexdigest()


def definition_of(tool: ToolSpec) -> str:
    """All that a model is told of a tool and that a search reads, as JSON; parameters keep their order."""
    told = ((name, getattr(tool, name)) for name in _NAMES)
    return _written({name: value for name, value in told if value != getattr(_UNSAID, name)})


def hash_of(definition: str) -> str:
    return sha256(definition.encode()).hexdigest()


def tool_of(definition: str, server_texts: Mapping[str, str]) -> ToolSpec:
    """The tool again; `server_texts` are by the slugs of servers."""
    said: dict[str, Any] = json.loads(definition)
    told: dict[str, Any] = {name: tuple(value) if name in _LISTS else value for name, value in said.items()}
    return ToolSpec(**told, server_text=server_texts.get(told.get("server", ""), ""))


def _written(value: Any, *, sort_keys: bool = False) -> str:
    return json.dumps(value, separators=(",", ":"), sort_keys=sort_keys)
