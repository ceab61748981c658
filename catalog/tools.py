"""What a model is told of a tool (ToolSpec), and the tools that one run may come to see (ToolPool)."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

JsonSchema = Mapping[str, Any]
"""A JSON Schema object, as a tool's source wrote it."""

Permission = Literal["read", "write", "execute", "network", "dangerous"]
Capability = Literal["tool", "skill", "agent"]


@dataclass(frozen=True, slots=True, weakref_slot=True)
class ToolSpec:
    """One tool as a catalog offers it: the effective text, after the overlay.

    `name` is what the model calls and is unique in a pool; `upstream_name` is what the server calls it.
    `search_text`, `aliases` and `other_languages` (what it is called and does in languages that the model is not told it in)
    are searched and never sent to a model. `platforms` are where it runs; empty, anywhere.
    """

    name: str
    description: str = ""
    parameters: JsonSchema = field(default_factory=dict, hash=False)
    server: str = ""
    upstream_name: str = ""
    title: str = ""
    server_text: str = ""
    category: str = ""
    tags: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    search_text: str = ""
    other_languages: str = ""
    permission: Permission | None = None
    capability: Capability = "tool"
    searchable: bool = True
    platforms: tuple[str, ...] = ()

    @property
    def key(self) -> str:
        """The tool's identity in every catalog: server slug, slash, upstream name."""
        return f"{self.server}/{self.upstream_name or self.name}"

    def as_function(self) -> dict[str, Any]:
        """The tool in the form that OpenAI-compatible endpoints take: exactly what a model reads of it."""
        return {
            "type": "function",
            "function": {
                "name": self.name,
                "description": self.description,
                "parameters": dict(self.parameters) or {"type": "object", "properties": {}},
            },
        }


@dataclass(frozen=True)
class ToolPool:
    """The tools of a catalog, in catalog order, and the names of those in view from the start, in their own order.

    Raises ValueError if two tools share a name or an upfront name is not in the pool.
    """

    tools: tuple[ToolSpec, ...]
    upfront_names: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if len(self.by_name) != len(self.tools):
            raise ValueError("two tools of a pool share a name")
        if unknown := [name for name in self.upfront_names if name not in self.by_name]:
            raise ValueError(f"upfront tools that are not in the pool: {', '.join(unknown)}")

    @cached_property
    def by_name(self) -> Mapping[str, ToolSpec]:
        return {tool.name: tool for tool in self.tools}

    @property
    def upfront(self) -> tuple[ToolSpec, ...]:
        """Visible without a search."""
        return tuple(self.by_name[name] for name in self.upfront_names)

    @cached_property
    def deferred(self) -> tuple[ToolSpec, ...]:
        """Hidden until discovered."""
        upfront = set(self.upfront_names)
        return tuple(tool for tool in self.tools if tool.name not in upfront)

    @cached_property
    def searchable(self) -> tuple[ToolSpec, ...]:
        """What a search may find, in catalog order: upfront tools are found too."""
        return tuple(tool for tool in self.tools if tool.searchable)

    def __len__(self) -> int:
        return len(self.tools)

    def __iter__(self) -> Iterator[ToolSpec]:
        return iter(self.tools)
