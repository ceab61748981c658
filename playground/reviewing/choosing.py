"""What the model did with right tools that it was given: it took another, or loaded others only."""

from collections.abc import Iterator
from typing import ClassVar

from playground.reviewing.evidence import Evidence
from playground.reviewing.finding import Finding, named
from playground.reviewing.right_tools import Right, Rights
from playground.reviewing.steps import Call, Found, Search


def _returned(run: Evidence, rights: Rights) -> Iterator[tuple[Search, Right, Found]]:
    """Searches that returned a right tool, with the best-ranked one."""
    for search in run.searches:
        right = rights.get(search.seq)
        hit = next((hit for hit in search.returned if right is not None and hit.key in right.tools), None)
        if right is not None and hit is not None:
            yield search, right, hit


def _first_taken(run: Evidence, search: Search) -> Call | None:
    """The first call that this search led to and that went out."""
    return next((call for call in run.led_by(search) if call.outcome != "refused"), None)


class SelectionMiss:
    slug: ClassVar[str] = "selection-miss"
    title: ClassVar[str] = "Selection miss"
    harm: ClassVar[bool] = True

    def look(self, run: Evidence, rights: Rights) -> Iterator[Finding]:
        for search, right, hit in _returned(run, rights):
            taken = _first_taken(run, search)
            if taken is not None and taken.key not in right.tools:
                sibling = search.returned_hit(taken.key)
                place = f"hit {sibling.rank}" if sibling else "another hit"
                sentence = f"{hit.name} was hit {hit.rank}, and the model called {taken.name} ({place}) first."
                tools = (hit.name, taken.name)
                yield Finding(self.slug, taken.seq, sentence, tools, search, right, hit.rank)


class LoadMiss:
    slug: ClassVar[str] = "load-miss"
    title: ClassVar[str] = "Load miss"
    harm: ClassVar[bool] = True

    def look(self, run: Evidence, rights: Rights) -> Iterator[Finding]:
        for search, right, hit in _returned(run, rights):
            loaded = run.loaded_by(search)
            if loaded and not loaded.intersection(right.tools) and not _came(run, search, right):
                others = tuple(found.name for found in search.returned if found.key in loaded)
                sentence = f"{hit.name} was hit {hit.rank} and was not loaded; {named(others)} was."
                yield Finding(self.slug, search.seq, sentence, (hit.name, *others), search, right, hit.rank)


def _came(run: Evidence, search: Search, right: Right) -> bool:
    """Whether a right tool was in view anyway, then or later."""
    names = {run.name_of(key) for key in right.tools}
    return any(offer.turn >= search.turn and names & {tool.name for tool in offer.tools} for offer in run.offers)
