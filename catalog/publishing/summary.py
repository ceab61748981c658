"""What differs for an agent between two things that a catalog held: versions, or a version and the draft."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any

from catalog.comparing import Differing
from catalog.models import CatalogVersion, VersionContent
from catalog.publishing.content import SHARED, Content
from catalog.publishing.drafts import Draft
from catalog.publishing.kept import content_of, some_tools_of
from catalog.publishing.settings_text import settings_told, shape_told, words_told
from catalog.tools import ToolSpec

_TOLD = tuple(one.name for one in fields(ToolSpec) if one.name not in (SHARED, "server", "upstream_name"))


@dataclass(frozen=True, slots=True)
class Figures:
    """Tools, those of them in view from the start, and the tokens (estimated) that each turn pays for these, or for all."""

    tools: int = 0
    upfront: int = 0
    upfront_tokens: int = 0
    all_tokens: int = 0


@dataclass(frozen=True, slots=True)
class Side:
    """One of the two. `find` has the tools of some of its hashes, `reasons` why a tool is left out, by its key."""

    content: Content
    figures: Figures
    find: Callable[[Collection[str]], list[ToolSpec]]
    reasons: Mapping[str, str]


NOTHING = Side(Content({}, (), ()), Figures(), lambda hashes: [], {})
"""What lies before the first version."""


def side_of_draft(draft: Draft) -> Side:
    content = draft.content
    figures = Figures(len(content.hashes), len(content.upfront), draft.upfront_tokens, draft.all_tokens)
    return Side(content, figures, draft.tools, {out.tool.key: out.reason for out in draft.exposure.left_out})


def side_of(version: CatalogVersion | None) -> Side:
    if version is None:
        return NOTHING
    row: VersionContent = version.content
    figures = Figures(row.tool_count, len(row.upfront), row.upfront_tokens, row.all_tokens)
    return Side(content_of(row), figures, lambda hashes: some_tools_of(row, hashes), {})


@dataclass(frozen=True, slots=True)
class Reworded:
    """A tool that both have, with each field that differs: its name, before and after."""

    tool: ToolSpec
    changes: tuple[tuple[str, Any, Any], ...]


@dataclass(frozen=True, slots=True)
class Going:
    """A tool that goes out, and why; empty where only a version later than both would know."""

    tool: ToolSpec
    reason: str


@dataclass(frozen=True)
class Summary:
    """`upfront_in` and `upfront_out` are tools that both have and one alone shows from the start.

    `is_reordered`: those in view from the start are the same, in another order. `shape` is how the tools were chosen.
    """

    before: Figures
    after: Figures
    coming: tuple[ToolSpec, ...]
    going: tuple[Going, ...]
    reworded: tuple[Reworded, ...]
    upfront_in: tuple[str, ...]
    upfront_out: tuple[str, ...]
    is_reordered: bool
    settings: tuple[Differing, ...]
    shape: tuple[Differing, ...]

    @property
    def coming_by_server(self) -> list[tuple[str, list[ToolSpec]]]:
        return _grouped((tool.server, tool) for tool in self.coming)

    @property
    def going_by_reason(self) -> list[tuple[str, list[ToolSpec]]]:
        return _grouped((one.reason, one.tool) for one in self.going)

    @cached_property
    def count(self) -> int:
        """How many changes a person would count: those that an agent sees, else those of filters and lists."""
        parts = (self.coming, self.going, self.reworded, self.upfront_in, self.upfront_out, self.settings)
        return sum(map(len, parts)) + self.is_reordered or len(self.shape)


def summarise(before: Side, after: Side) -> Summary:
    old, new = set(before.content.hashes), set(after.content.hashes)
    was = _by_key(before.find([one for one in before.content.hashes if one not in new]))
    now = _by_key(after.find([one for one in after.content.hashes if one not in old]))
    coming = tuple(tool for key, tool in now.items() if key not in was)
    going = tuple(Going(tool, _why_gone(tool, after)) for key, tool in was.items() if key not in now)
    start_in, start_out = _upfront(before, after, coming, [one.tool for one in going])
    a, b = before.content.settings, after.content.settings
    settings = (*_differing(settings_told(a), settings_told(b)), *_reworded_servers(words_told(a), words_told(b)))
    reordered = not (start_in or start_out) and _order_differs(before, after)
    return Summary(
        before=before.figures,
        after=after.figures,
        coming=coming,
        going=going,
        reworded=tuple(_reworded(was[key], tool) for key, tool in now.items() if key in was),
        upfront_in=start_in,
        upfront_out=start_out,
        is_reordered=reordered,
        settings=settings,
        shape=tuple(_differing(shape_told(a), shape_told(b))),
    )


def _grouped(told: Iterable[tuple[str, ToolSpec]]) -> list[tuple[str, list[ToolSpec]]]:
    groups: dict[str, list[ToolSpec]] = {}
    for said, tool in told:
        groups.setdefault(said, []).append(tool)
    return list(groups.items())


def _why_gone(tool: ToolSpec, after: Side) -> str:
    if reason := after.reasons.get(tool.key):
        return reason
    servers = {row["server"] for row in after.content.settings.get("servers", ())}
    return "" if tool.server in servers else f"{tool.server} is not in the catalog"


def _by_key(tools: Iterable[ToolSpec]) -> dict[str, ToolSpec]:
    return {tool.key: tool for tool in tools}


def _reworded(before: ToolSpec, after: ToolSpec) -> Reworded:
    pairs = ((name, _shown(before, name), _shown(after, name)) for name in _TOLD)
    return Reworded(after, tuple((name, old, new) for name, old, new in pairs if old != new))


def _shown(tool: ToolSpec, name: str) -> Any:
    value = getattr(tool, name)
    if isinstance(value, tuple):
        return list(value)
    return ("yes" if value else "no") if isinstance(value, bool) else value


def _upfront(
    before: Side, after: Side, coming: Iterable[ToolSpec], going: Iterable[ToolSpec]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The names of tools that stay, and only after or only before are in view from the start."""
    was, now = set(before.content.upfront), set(after.content.upfront)
    new, gone = {tool.name for tool in coming}, {tool.name for tool in going}
    starts = tuple(name for name in after.content.upfront if name not in was and name not in new)
    ends = tuple(name for name in before.content.upfront if name not in now and name not in gone)
    return starts, ends


def _order_differs(before: Side, after: Side) -> bool:
    was, now = before.content.upfront, after.content.upfront
    both = set(was) & set(now)
    return [name for name in was if name in both] != [name for name in now if name in both]


def _reworded_servers(a: Mapping[str, str], b: Mapping[str, str]) -> Iterator[Differing]:
    """Of the servers that both have."""
    return (Differing(name, a[name], b[name]) for name in a.keys() & b.keys() if a[name] != b[name])


def _differing(a: Mapping[str, str], b: Mapping[str, str]) -> Iterator[Differing]:
    names = dict.fromkeys((*a, *b))
    return (Differing(name, a.get(name, ""), b.get(name, "")) for name in names if a.get(name, "") != b.get(name, ""))
