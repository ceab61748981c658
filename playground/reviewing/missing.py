"""Searches that did not return the right tool: it was not among the hits at all, or it was cut."""

from collections.abc import Iterator
from typing import ClassVar

from playground.reviewing.evidence import Evidence
from playground.reviewing.finding import Finding, named
from playground.reviewing.right_tools import Right, Rights
from playground.reviewing.steps import Found, Search


def _missed(run: Evidence, rights: Rights) -> Iterator[tuple[Search, Right, Found | None]]:
    """Searches that returned no right tool, with the best-ranked right one that was cut."""
    for search in run.searches:
        right = rights.get(search.seq)
        if right is None or any(tool in search.keys for tool in right.tools):
            continue
        cut = [hit for hit in search.hits if hit.key in right.tools]
        yield search, right, min(cut, key=lambda hit: hit.rank, default=None)


class SearchMiss:
    slug: ClassVar[str] = "search-miss"
    title: ClassVar[str] = "Search miss"
    harm: ClassVar[bool] = True

    def look(self, run: Evidence, rights: Rights) -> Iterator[Finding]:
        for search, right, cut in _missed(run, rights):
            if cut is None:
                names = tuple(map(run.name_of, right.tools))
                yield Finding(self.slug, search.seq, _told(search, names), names, search, right)


class NearMiss:
    slug: ClassVar[str] = "near-miss"
    title: ClassVar[str] = "Near miss"
    harm: ClassVar[bool] = True

    def look(self, run: Evidence, rights: Rights) -> Iterator[Finding]:
        for search, right, cut in _missed(run, rights):
            if cut is not None:
                gap = _gap(search, cut)
                sentence = f"{cut.name} was hit {cut.rank} and was cut by {cut.cut_by}{_how_far(gap)}."
                yield Finding(self.slug, search.seq, sentence, (cut.name,), search, right, cut.rank, gap)


def _told(search: Search, names: tuple[str, ...]) -> str:
    among = "" if search.searched is None else f" among {search.searched:,} tools"
    kept = "" if search.matched <= len(search.hits) else f", of which the first {len(search.hits)} are on record"
    if not search.hits:
        return f"Nothing was found{among}; {named(names)} should have been."
    return f"{search.matched:,} found{among}{kept}, and {named(names)} is not one of them."


def _gap(search: Search, cut: Found) -> float | None:
    """What its score lacked to the last one returned; None where scores say nothing."""
    if not search.scored or not search.returned:
        return None
    return search.returned[-1].score - cut.score


def _how_far(gap: float | None) -> str:
    if gap is None:
        return ""
    if gap < 0.005:
        return ", with the score of the last one returned"
    return f", its score {gap:.2f} below the last one returned"
