"""What the tools page shows of a list: its rows, and each choice in a facet with its count and its address."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any
from urllib.parse import quote

from django.core.paginator import Page, Paginator
from django.db.models import Exists, OuterRef
from django.http import QueryDict

from catalog.facets import NONE, STATES, Chosen, Counts, Facet, count
from catalog.models import Drift, Tool
from catalog.models.tool import ToolQuerySet
from catalog.narrowing import SORTS, chosen_tools, groups_of

TOOLS_A_PAGE = 50
SERVERS_SHOWN = 100
"""Servers in the rail; words narrow them where there are more."""
VALUES_SHOWN = 8
"""Values of a facet; the next ones unfold."""
MOST_VALUES = 60
UNREAD = ("output_schema", "annotations", "simulated_result", "files", "call_plan")
TITLES: dict[Facet, str] = {
    "state": "State",
    "category": "Category",
    "tag": "Tag",
    "permission": "May",
    "kind": "Kind",
}
WORDS = {"category": "no category", "tag": "no tags", "permission": "not said"}


@dataclass(frozen=True, slots=True)
class Link:
    """A choice in a facet: `address` chooses it, or drops it where it is chosen. `anchor` is its place in the page."""

    words: str
    count: int
    address: str
    is_chosen: bool
    anchor: str


@dataclass(frozen=True, slots=True)
class FacetLinks:
    """`folded` are shown when one asks, `left` are not shown at all."""

    title: str
    shown: tuple[Link, ...]
    folded: tuple[Link, ...]
    left: int


@dataclass(frozen=True, slots=True)
class ServerLink:
    slug: str
    total: int
    enabled: int
    drifted: int
    suspicious: int
    address: str
    is_chosen: bool


class ToolPages(Paginator[Tool]):
    """Pages of a list whose length is known from its facets."""

    def __init__(self, tools: ToolQuerySet, found: int) -> None:
        super().__init__(tools, TOOLS_A_PAGE)
        self._found = found

    @cached_property
    def count(self) -> int:
        return self._found

    def _get_page(self, object_list: Any, number: int, paginator: Any) -> Page[Tool]:
        """Sorted by key first, then read: the order of all tools is found without their texts."""
        keys = list(object_list.values_list("pk", flat=True))
        tools = Tool.objects.annotate(is_drifted=Exists(Drift.objects.waiting().filter(tool=OuterRef("pk"))))
        rows = tools.prefetch_related("server").defer(*UNREAD).in_bulk(keys)
        return super()._get_page([rows[key] for key in keys if key in rows], number, paginator)  # type: ignore[misc, no-any-return]


@dataclass(frozen=True)
class ToolList:
    """A list of tools as an address asks for it. One query groups all tools for the facets, one reads a page of rows."""

    words: str
    chosen: Chosen
    sort: str
    query: QueryDict

    @cached_property
    def counts(self) -> Counts:
        return count(groups_of(self.words), self.chosen)

    @cached_property
    def tools(self) -> ToolQuerySet:
        return chosen_tools(self.words, self.chosen).order_by(*SORTS[self.sort])

    @property
    def pages(self) -> ToolPages:
        return ToolPages(self.tools, self.counts.found)

    @cached_property
    def facets(self) -> list[FacetLinks]:
        return [self._facet(facet, title) for facet, title in TITLES.items()]

    def servers(self, words: str) -> list[ServerLink]:
        """Those with tools that the other choices leave, whose short names have the words."""
        named = [one for one in self.counts.servers if all(word in one.slug for word in words.lower().split())]
        named.sort(key=lambda one: one.slug != self.chosen.server)
        return [
            ServerLink(
                one.slug,
                one.total,
                one.enabled,
                one.drifted,
                one.suspicious,
                self.address(server="" if one.slug == self.chosen.server else one.slug),
                one.slug == self.chosen.server,
            )
            for one in named[:SERVERS_SHOWN]
        ]

    def address(self, **parts: str) -> str:
        """The address after the question mark, from its first page, with parts changed; an empty part is dropped."""
        query = self.query.copy()
        for name in ("page", "edit"):
            query.pop(name, None)
        for name, value in parts.items():
            query[name] = value
            if not value:
                del query[name]
        return query.urlencode(safe="/")

    @property
    def narrowed_by(self) -> list[Link]:
        """What is chosen, each dropped by its address."""
        server = [Link(one.slug, one.total, one.address, True, "") for one in self.servers("") if one.is_chosen]
        facets = [link for facet in self.facets for link in (*facet.shown, *facet.folded) if link.is_chosen]
        return [*server, *facets]

    @property
    def is_narrowed(self) -> bool:
        return bool(self.words) or self.chosen != Chosen()

    def _facet(self, facet: Facet, title: str) -> FacetLinks:
        links = tuple(self._links(facet))
        first = VALUES_SHOWN + len(STATES) * (facet == "state")
        return FacetLinks(title, links[:first], links[first:MOST_VALUES], max(0, len(links) - MOST_VALUES))

    def _links(self, facet: Facet) -> Iterator[Link]:
        if facet == "state":
            yield from (self._state(state, found) for state, found in self.counts.facets["state"])
            return
        now: str = getattr(self.chosen, facet)
        for value, found in _chosen_first(self.counts.facets[facet], now):
            words = WORDS.get(facet, value) if value == NONE else value
            address = self.address(**{facet: "" if value == now else value})
            yield Link(words, found, address, value == now, f"{facet}-{quote(value, safe='')}")

    def _state(self, state: str, found: int) -> Link:
        now = self.query.getlist("state")
        then = [one for one in now if one != state] if state in now else [*now, state]
        query = QueryDict(self.address(), mutable=True)
        query.setlist("state", [one for one in then if one])
        return Link(STATES[state], found, query.urlencode(safe="/"), state in now, f"state-{state}")


def _chosen_first(values: Iterable[tuple[str, int]], now: str) -> list[tuple[str, int]]:
    """What is chosen stays in sight, even where nothing is left of it."""
    values = list(values)
    if now and now not in dict(values):
        values.append((now, 0))
    return sorted(values, key=lambda pair: pair[0] != now)
