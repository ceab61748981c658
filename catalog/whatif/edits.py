"""What differs between a catalog and what it is to become, edit by edit: any of them can be made without the others."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from catalog.policy import Policy
from catalog.search.choosing import ChosenEngine
from catalog.search.trials import changed_corpus
from catalog.tools import ToolSpec
from catalog.whatif.sides import Side

Kind = Literal["tool", "coming", "going", "engine", "policy"]


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a catalog is to become, which nobody has indexed: its tools in their order, its engine and its policy."""

    tools: tuple[ToolSpec, ...]
    engine: ChosenEngine
    policy: Policy


@dataclass(frozen=True, slots=True)
class Edit:
    """`name` is a reworded tool (`server/name`), or the slug of the server whose tools come or go; else it is empty.

    `old` and `new` are its tools as they were and as they are.
    """

    kind: Kind
    name: str = ""
    old: tuple[ToolSpec, ...] = ()
    new: tuple[ToolSpec, ...] = ()

    @property
    def keys(self) -> frozenset[str]:
        return frozenset(tool.key for tool in (*self.old, *self.new))

    @property
    def label(self) -> str:
        """What names it in an address: a tool, a server, or its kind."""
        return self.name or self.kind

    @property
    def is_of_tools(self) -> bool:
        return bool(self.old or self.new)


def edits_between(before: Side, wanted: Wanted) -> tuple[Edit, ...]:
    """Each reworded tool is one; the tools that come of a server are one together, as those that go of it."""
    return tuple(_differing(before, wanted))


def with_edits(before: Side, wanted: Wanted, edits: Collection[Edit], folder: Path) -> Side:
    """The side with these of the edits that lead to what is wanted, its tools indexed in the folder, which must not exist."""
    kinds = {edit.kind for edit in edits}
    tools = _tools(before.corpus.tools, wanted.tools, edits)
    same = tools == before.corpus.tools
    return replace(
        before,
        corpus=before.corpus if same else changed_corpus(before.corpus, tools, folder),
        engine=wanted.engine if "engine" in kinds else before.engine,
        policy=wanted.policy if "policy" in kinds else before.policy,
    )


def _differing(before: Side, wanted: Wanted) -> Iterator[Edit]:
    old = {tool.key: tool for tool in before.corpus.tools}
    new = {tool.key: tool for tool in wanted.tools}
    for key, tool in new.items():
        if key in old and old[key] != tool:
            yield Edit("tool", key, (old[key],), (tool,))
    coming = [tool for key, tool in new.items() if key not in old]
    going = [tool for key, tool in old.items() if key not in new]
    for server in dict.fromkeys(tool.server for tool in coming):
        yield Edit("coming", server, new=tuple(tool for tool in coming if tool.server == server))
    for server in dict.fromkeys(tool.server for tool in going):
        yield Edit("going", server, old=tuple(tool for tool in going if tool.server == server))
    if before.engine != wanted.engine:
        yield Edit("engine")
    if before.policy != wanted.policy:
        yield Edit("policy")


def _tools(before: tuple[ToolSpec, ...], wanted: tuple[ToolSpec, ...], edits: Collection[Edit]) -> tuple[ToolSpec, ...]:
    """In the order that is wanted; what goes only by another edit stands at the end."""
    made = {tool.key: tool for edit in edits for tool in edit.new}
    gone = {tool.key for edit in edits for tool in edit.old} - made.keys()
    found = {tool.key: made.get(tool.key, tool) for tool in before if tool.key not in gone} | made
    if [tool.key for tool in before] == [*found]:
        return tuple(found.values())
    places = {tool.key: place for place, tool in enumerate(wanted)}
    return tuple(sorted(found.values(), key=lambda tool: places.get(tool.key, len(places))))
