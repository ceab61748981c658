"""What the tools page shows of a list: its rows, and each choice in a facet with its count and its address."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import cast
from urllib.parse import quote

from django.core.paginator import Page, Paginator
from django.db.models import Case, Exists, OuterRef, Value, When
from django.http import QueryDict

from catalog.facets import NONE, STATES, Chosen, Counts, Facet, ServerCount, count
from catalog.kept_groups import counts_of_all
from catalog.models import Drift, Tool
from catalog.models.tool import ToolQuerySet
from catalog.narrowing import SORTS, chosen_tools, groups_of

TOOLS_A_PAGE = 50
SERVERS_SHOWN = 100
"""Servers in the rail; words narrow them where there are more."""
SOUGHT: tuple[Facet, ...] = ("category", "tag")
"""Facets of which there may be hundreds of values: the words that servers are found by find theirs, too."""
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
    """Pages of a list whose length is known from its facets.

    `servers` are the short names of its servers in their order with the tools of each, where the list goes by them.
    """

    def __init__(self, tools: ToolQuerySet, found: int, servers: Sequence[tuple[str, int]] = ()) -> None:
        super().__init__(tools, TOOLS_A_PAGE)
        self._found, self._servers = found, servers

    @cached_property
    def count(self) -> int:
        return self._found

    def page(self, number: int | str) -> Page[Tool]:
        """Sorted by key first, then read: the order of all tools is found without their texts."""
        number = self.validate_number(number)
        keys = self._keys((number - 1) * TOOLS_A_PAGE)
        tools = Tool.objects.annotate(is_drifted=Exists(Drift.objects.waiting().filter(tool=OuterRef("pk"))))
        rows = tools.prefetch_related("server").defer(*UNREAD).in_bulk(keys)
        return Page([rows[key] for key in keys if key in rows], number, self)

    def _keys(self, first: int) -> list[int]:
        tools = cast(ToolQuerySet, self.object_list)
        if self._servers:
            slugs, first = _servers_from(self._servers, first)
            order = Case(*(When(server__slug=slug, then=Value(place)) for place, slug in enumerate(slugs)))
            tools = tools.filter(server__slug__in=slugs).order_by(order, "name")
        return list(tools.values_list("pk", flat=True)[first : first + TOOLS_A_PAGE])


def _servers_from(servers: Sequence[tuple[str, int]], first: int) -> tuple[list[str], int]:
    """The servers on the page that begins with the tool `first`, and the place of that tool among theirs."""
    slugs: list[str] = []
    passed = here = 0
    for slug, total in servers:
        if not slugs and passed + total <= first:
            passed += total
        elif passed + here < first + TOOLS_A_PAGE:
            slugs.append(slug)
            here += total
    return slugs, first - passed


@dataclass(frozen=True)
class ToolList:
    """A list of tools as an address asks for it. One query groups all tools for the facets, one reads a page of rows."""

    words: str
    chosen: Chosen
    sort: str
    query: QueryDict

    @cached_property
    def counts(self) -> Counts:
        return count(groups_of(self.words), self.chosen) if self.words else counts_of_all(self.chosen)

    @cached_property
    def tools(self) -> ToolQuerySet:
        return chosen_tools(self.words, self.chosen).order_by(*SORTS[self.sort])

    @property
    def pages(self) -> ToolPages:
        chosen = [(one.slug, one.total) for one in self.counts.servers if self.chosen.server in ("", one.slug)]
        return ToolPages(self.tools, self.counts.found, () if self.sort else chosen)

    @cached_property
    def facets(self) -> list[FacetLinks]:
        return [self._facet(facet, title) for facet, title in TITLES.items()]

    @cached_property
    def sought(self) -> list[str]:
        """Words that narrow the choices themselves: of servers, categories and tags, those that have all of them are shown."""
        return self.query.get("find", "").lower().split()

    @cached_property
    def servers(self) -> list[ServerLink]:
        """Those sought, with tools that the other choices leave; and the chosen one, whatever is left of it."""
        chosen = self.chosen.server
        named = [one for one in self._servers_sought if one.slug != chosen]
        now = next((one for one in self.counts.servers if one.slug == chosen), ServerCount(chosen, 0, 0, 0, 0))
        return [self._server(one) for one in ([now] if chosen else []) + named[:SERVERS_SHOWN]]

    @property
    def servers_left(self) -> int:
        """How many of those sought are not shown."""
        return max(0, len(self._servers_sought) - SERVERS_SHOWN)

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
        server = [Link(one.slug, one.total, one.address, True, "") for one in self.servers if one.is_chosen]
        facets = [link for facet in self.facets for link in (*facet.shown, *facet.folded) if link.is_chosen]
        return [*server, *facets]

    @property
    def is_narrowed(self) -> bool:
        return bool(self.words) or self.chosen != Chosen()

    @cached_property
    def _servers_sought(self) -> list[ServerCount]:
        return [one for one in self.counts.servers if self._is_sought(one.slug)]

    def _is_sought(self, name: str) -> bool:
        name = name.lower()
        return all(word in name for word in self.sought)

    def _server(self, one: ServerCount) -> ServerLink:
        is_chosen = one.slug == self.chosen.server
        address = self.address(server="" if is_chosen else one.slug)
        return ServerLink(one.slug, one.total, one.enabled, one.drifted, one.suspicious, address, is_chosen)

    def _facet(self, facet: Facet, title: str) -> FacetLinks:
        if facet == "state":
            return FacetLinks(title, tuple(self._state(*state) for state in self.counts.facets["state"]), (), 0)
        now: str = getattr(self.chosen, facet)
        values = _chosen_first(self.counts.facets[facet], now)
        if facet in SOUGHT:
            values = [pair for pair in values if pair[0] == now or self._is_sought(_words_of(facet, pair[0]))]
        links = tuple(self._link(facet, value, found, value == now) for value, found in values[:MOST_VALUES])
        at_once = MOST_VALUES if self.sought else VALUES_SHOWN
        return FacetLinks(title, links[:at_once], links[at_once:], max(0, len(values) - MOST_VALUES))

    def _link(self, facet: Facet, value: str, found: int, is_chosen: bool) -> Link:
        address = self.address(**{facet: "" if is_chosen else value})
        return Link(_words_of(facet, value), found, address, is_chosen, f"{facet}-{quote(value, safe='')}")

    def _state(self, state: str, found: int) -> Link:
        now = self.query.getlist("state")
        then = [one for one in now if one != state] if state in now else [*now, state]
        query = QueryDict(self.address(), mutable=True)
        query.setlist("state", [one for one in then if one])
        return Link(STATES[state], found, query.urlencode(safe="/"), state in now, f"state-{state}")


def _words_of(facet: Facet, value: str) -> str:
    return WORDS.get(facet, value) if value == NONE else value


def _chosen_first(values: Iterable[tuple[str, int]], now: str) -> list[tuple[str, int]]:
    """What is chosen stays in sight, even where nothing is left of it."""
    values = list(values)
    if now and now not in dict(values):
        values.append((now, 0))
    return sorted(values, key=lambda pair: pair[0] != now)
