"""What a list of tools can be narrowed by, and how many tools each choice would leave; over groups of tools that are alike."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Literal

Facet = Literal["server", "category", "tag", "permission", "kind", "state"]
NONE = "-"
"""Stands for tools without a category, tag or permission."""
STATES = {
    "edited": "Edited",
    "drifted": "Drifted",
    "suspicious": "Suspicious",
    "off": "Switched off",
    "unsearchable": "Not searchable",
    "unused": "Unused in 30 days",
    "gone": "Gone",
}
"""What is out of the ordinary about a tool, by the word in an address. Tools that are gone are left out unless asked for."""
UNUSED_DAYS = 30


@dataclass(frozen=True, slots=True)
class Group:
    """Tools that no facet tells apart, and how many they are. `server` is its short name."""

    server: str
    category: str
    tags: tuple[str, ...]
    permission: str
    kind: str
    states: frozenset[str]
    count: int = 1


@dataclass(frozen=True, slots=True)
class Chosen:
    """What was chosen in each facet; empty where nothing was. Every state must hold. `all`: those that are gone as well."""

    server: str = ""
    category: str = ""
    tag: str = ""
    permission: str = ""
    kind: str = ""
    states: tuple[str, ...] = ()
    all: bool = False

    @property
    def with_gone(self) -> bool:
        """Whether tools that are gone are among those asked for."""
        return self.all or "gone" in self.states

    def takes(self, group: Group, but: Facet | None = None) -> bool:
        """Whether the tools of a group are chosen; `but` is a facet that is not asked."""
        return (
            (not self.server or but == "server" or group.server == self.server)
            and (not self.category or but == "category" or (group.category or NONE) == self.category)
            and (not self.tag or but == "tag" or self.tag in (group.tags or (NONE,)))
            and (not self.permission or but == "permission" or (group.permission or NONE) == self.permission)
            and (not self.kind or but == "kind" or group.kind == self.kind)
            and group.states.issuperset(self.states)
            and (self.with_gone or "gone" not in group.states)
        )


@dataclass(frozen=True, slots=True)
class ServerCount:
    """Of one server: its tools that the other choices leave, and how many of them are on, drifted and suspicious."""

    slug: str
    total: int
    enabled: int
    drifted: int
    suspicious: int


@dataclass(frozen=True, slots=True)
class Counts:
    """`found`: tools that are chosen. Each facet: its values with the tools that choosing it would leave, most first."""

    found: int
    servers: tuple[ServerCount, ...]
    facets: dict[Facet, tuple[tuple[str, int], ...]]


def count(groups: Iterable[Group], chosen: Chosen) -> Counts:
    """The counts of a facet heed what is chosen in all others; those of the states add one to the chosen ones."""
    groups = list(groups)
    taken = [group for group in groups if chosen.takes(group)]

    def but(facet: Facet) -> list[Group]:
        """The groups that the other facets leave."""
        return [group for group in groups if chosen.takes(group, facet)] if getattr(chosen, facet) else taken

    facets: dict[Facet, tuple[tuple[str, int], ...]] = {
        "category": _ranked(but("category"), "category"),
        "tag": _ranked(but("tag"), "tag"),
        "permission": _ranked(but("permission"), "permission"),
        "kind": _ranked(but("kind"), "kind"),
        "state": tuple(_states(groups, taken, chosen)),
    }
    return Counts(sum(group.count for group in taken), tuple(_servers(but("server"))), facets)


def _ranked(groups: list[Group], facet: Facet) -> tuple[tuple[str, int], ...]:
    """The values of a facet with their tools, most first."""
    found: Counter[str] = Counter()
    for group in groups:
        for value in _values(group, facet):
            found[value] += group.count
    return tuple(sorted(found.items(), key=lambda pair: (-pair[1], pair[0])))


def _values(group: Group, facet: Facet) -> tuple[str, ...]:
    match facet:
        case "category":
            return (group.category or NONE,)
        case "tag":
            return tuple(dict.fromkeys(group.tags)) or (NONE,)
        case "permission":
            return (group.permission or NONE,)
        case _:
            return (group.kind,)


def _states(groups: list[Group], taken: list[Group], chosen: Chosen) -> Iterator[tuple[str, int]]:
    """For each state, the tools that choosing it beside what is chosen would leave. Those that are gone are not yet taken."""
    gone = replace(chosen, states=(*chosen.states, "gone"))
    for state in STATES:
        of = (group for group in groups if gone.takes(group)) if state == "gone" else taken
        yield state, sum(group.count for group in of if state in group.states)


def _servers(groups: list[Group]) -> Iterator[ServerCount]:
    of: dict[str, list[Group]] = {}
    for group in groups:
        of.setdefault(group.server, []).append(group)
    for slug, own in sorted(of.items()):
        total = sum(group.count for group in own)
        off, drifted, suspicious = (
            sum(group.count for group in own if state in group.states) for state in ("off", "drifted", "suspicious")
        )
        yield ServerCount(slug, total, total - off, drifted, suspicious)
