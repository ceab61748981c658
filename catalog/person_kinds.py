"""Which calls wait for a person: kinds of tools, by their permission, and those whose answer a person gives."""

from collections.abc import Collection, Iterable
from typing import Literal

from catalog.tools import ToolSpec

PersonKind = Literal["read", "network", "write", "execute", "dangerous", "unmarked", "human"]

HUMAN = "human"
"""The category of tools that ask a person something: what the person says is the result."""
KINDS: dict[PersonKind, str] = {
    "human": "Questions: a tool of the category human asks whoever watches, who answers in its place",
    "write": "Write: it changes something elsewhere",
    "dangerous": "Dangerous: it may do harm",
    "execute": "Execute: it runs something",
    "network": "Network: it reaches out",
    "read": "Read: it only looks",
    "unmarked": "Unmarked: nobody has said what it may do",
}
USUAL: tuple[PersonKind, ...] = ("human",)
"""What a catalog asks a person for, unless it says otherwise."""


def kind_of(tool: ToolSpec) -> PersonKind:
    """A tool that asks a question is of that kind, whatever else it may do."""
    if tool.capability == "tool" and tool.category == HUMAN:
        return "human"
    return tool.permission or "unmarked"


def in_order(named: Iterable[str]) -> list[PersonKind]:
    """Those of the names that are kinds, each once, in the order in which they are told."""
    names = set(named)
    return [kind for kind in KINDS if kind in names]


def told(kinds: Collection[str]) -> str:
    """In a few words."""
    return ", ".join(in_order(kinds)) or "none"
