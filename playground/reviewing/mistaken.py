"""Which tools are mistaken for which: what recorded searches and people's judgements say, piece by piece.

A piece of evidence is about one search or one judged query, and counts for a pair once, as what weighs most.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from playground.reviewing.steps import Call, Search
from playground.reviewing.trails import Trail
from playground.reviewing.wording import query_digest

R = TypeVar("R")
MOST_ABOVE = 10
"""Tools above the right one that count: who is given more is not misled by those further up alone."""


@dataclass(frozen=True, slots=True)
class Kind:
    """What a piece of evidence shows, and how much it counts for when pairs are put in order."""

    slug: str
    title: str
    means: str
    weight: int


TRIED = Kind(
    "tried", "tried first", "The wrong one was called, without success, before the right one was, with success.", 3
)
CALLED = Kind(
    "called",
    "called instead",
    "The wrong one was called with success, and people judged only the right one right for these words.",
    3,
)
JUDGED = Kind("judged", "judged", "For the same query people judged the one right and the other wrong.", 3)
LOADED = Kind(
    "loaded",
    "loaded in vain",
    "The wrong one was loaded of its own and never called with success; the right one was.",
    2,
)
ABOVE = Kind("above", "ranked above", "The wrong one stood above the right one, and only that was called.", 1)
KINDS = (TRIED, CALLED, JUDGED, LOADED, ABOVE)


@dataclass(frozen=True, slots=True)
class Verdicts:
    """What people judged for the words of a query: keys of tools. `fine` ones answer it, too, and `text` is the query.

    `address` is that of its page.
    """

    text: str
    right: frozenset[str] = frozenset()
    fine: frozenset[str] = frozenset()
    wrong: frozenset[str] = frozenset()
    address: str = ""


Judged = Mapping[str, Verdicts]
"""By the digest of the words of the query."""


@dataclass(frozen=True, slots=True)
class Evidence(Generic[R]):
    """`run` and `seq` (the event of the search) are None where no run shows it, but the judged query of that address. Ranks are from 1."""

    kind: Kind
    right: str
    mistaken: str
    query: str
    run: R | None = None
    seq: int | None = None
    rank_right: int | None = None
    rank_mistaken: int | None = None
    address: str = ""


@dataclass(slots=True)
class _Found:
    """What one search says of its hits."""

    trail: Trail
    search: Search
    good: dict[str, Call] = field(default_factory=dict)
    """The first successful call of each tool that it led to."""
    failed: dict[str, Call] = field(default_factory=dict)
    loaded: set[str] = field(default_factory=set)


def evidence_of(run: R, trail: Trail, judged: Judged) -> Iterator[Evidence[R]]:
    """Of every search of a run."""
    for search in trail.searches:
        found = _found(trail, search)
        verdicts = judged.get(query_digest(search.query), Verdicts(search.query))
        for right, mistaken, kind in _pairs(found, verdicts):
            ranks = _rank(search, right), _rank(search, mistaken)
            yield Evidence(kind, right, mistaken, search.query, run, search.seq, ranks[0], ranks[1])


def evidence_of_judgements(judged: Judged) -> "Iterator[Evidence[R]]":
    for verdicts in judged.values():
        for right in sorted(verdicts.right):
            for wrong in sorted(verdicts.wrong):
                yield Evidence(JUDGED, right, wrong, verdicts.text, address=verdicts.address)


def _rank(search: Search, tool: str) -> int | None:
    return search.keys.index(tool) + 1 if tool in search.keys else None


def _pairs(found: _Found, verdicts: Verdicts) -> Iterator[tuple[str, str, Kind]]:
    """A right tool, one mistaken for it, and what shows it, each pair once."""
    answers = verdicts.right | verdicts.fine
    returned = found.search.keys
    for right in found.good:
        if right in verdicts.wrong or (verdicts.right and right not in answers):
            continue
        above = returned[: returned.index(right)][:MOST_ABOVE]
        for other in returned:
            if other in found.good or other in answers:
                continue
            if other in found.failed and found.failed[other].seq < found.good[right].seq:
                yield right, other, TRIED
            elif other in found.loaded:
                yield right, other, LOADED
            elif other in above:
                yield right, other, ABOVE
    for called in found.good:
        if verdicts.right and called not in answers and not answers & found.good.keys():
            for right in sorted(verdicts.right - {called}):
                yield right, called, CALLED


def _found(trail: Trail, search: Search) -> _Found:
    found = _Found(trail, search)
    for call in trail.led_by(search):
        into = {"ok": found.good, "failed": found.failed}.get(call.outcome)
        if into is not None:
            into.setdefault(call.key, call)
    searches = {one.call_id for one in trail.searches}
    for load in trail.loads:
        if load.call_id not in searches:
            of_this = (tool for tool in load.tools if trail.behind(load, tool) is search)
            found.loaded.update(tool for tool in of_this if tool not in trail.called)
    return found


def all_evidence(runs: Iterable[tuple[R, Trail]], judged: Judged) -> Iterator[Evidence[R]]:
    """Of the newest run first; `runs` are oldest first. Last comes what only judgements say."""
    for run, trail in reversed(list(runs)):
        yield from evidence_of(run, trail, judged)
    yield from evidence_of_judgements(judged)
