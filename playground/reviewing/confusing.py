"""The confusion map of a catalog: its pairs from recorded runs and judgements, with how their texts overlap now."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from django.db.models import Q
from django.urls import reverse

from catalog.indexing import exposure_of, revision_of
from catalog.judging import standing
from catalog.lint.overlap import Overlap, Overlaps
from catalog.models import Catalog, Finding, Judgement
from catalog.tools import ToolSpec
from playground.models import Run
from playground.reviewing.confusion import Pair, pairs_of
from playground.reviewing.judgements import said_by_words
from playground.reviewing.kept_trails import RunTrail, run_trails
from playground.reviewing.mistaken import Verdicts, all_evidence
from playground.reviewing.steps import Search

PAIR_RULE = "near-duplicate"
"""The lint rule that speaks of two tools."""
MOST_KEPT = 4
_kept: dict[tuple[int, str], Overlaps] = {}
"""By catalog and its revision."""


@dataclass(frozen=True, slots=True)
class Confusion:
    """`tools` are those that the catalog offers now, by key."""

    pairs: tuple[Pair[Run], ...]
    trails: tuple[RunTrail, ...]
    judged: int
    tools: Mapping[str, ToolSpec]
    _overlaps: Overlaps = field(repr=False)

    @property
    def searches(self) -> int:
        return sum(len(one.trail.searches) for one in self.trails)

    def together(self, *tools: str) -> list[tuple[Run, Search]]:
        """The searches that returned all of them, those of the newest run first."""
        newest = ((one.run, search) for one in reversed(self.trails) for search in one.trail.searches)
        return [(run, search) for run, search in newest if all(tool in search.keys for tool in tools)]

    def overlap(self, right: str, mistaken: str) -> Overlap | None:
        """None where the catalog has one of the tools no longer."""
        here, there = self.tools.get(right), self.tools.get(mistaken)
        return self._overlaps.of(here, there) if here and there else None


def confusion_in(catalog: Catalog, since: datetime | None) -> Confusion:
    """Judgements count whenever they were made."""
    trails = run_trails(catalog, since)
    suites = dict(catalog.suites.values_list("pk", "slug"))
    judged = {words: _verdicts(said, suites) for words, said in said_by_words(catalog).items()}
    evidence = all_evidence([(one.run, one.trail) for one in trails], judged)
    pairs = pairs_of(evidence, [one.trail for one in trails])
    tools = {tool.key: tool for tool in exposure_of(catalog).pool}
    return Confusion(tuple(pairs), tuple(trails), len(judged), tools, _overlaps(catalog))


def finding_about(right: str, mistaken: str) -> Finding | None:
    """What the lint said of the pair, whichever of the two it began with."""
    found = Finding.objects.here().filter(_of(right, mistaken) | _of(mistaken, right), rule=PAIR_RULE)
    return found.select_related("tool__server", "other__server").first()


def _overlaps(catalog: Catalog) -> Overlaps:
    """Kept while the catalog stays as it is: how rare words are is asked of all its tools."""
    key = catalog.pk, revision_of(catalog)
    kept = _kept.get(key) or Overlaps(exposure_of(catalog).pool)
    _kept[key] = kept
    while len(_kept) > MOST_KEPT:
        _kept.pop(next(iter(_kept)), None)
    return kept


def _of(tool: str, other: str) -> Q:
    (server, _, name), (other_server, _, other_name) = tool.partition("/"), other.partition("/")
    theirs = {"other__server__slug": other_server, "other__name": other_name}
    return Q(tool__server__slug=server, tool__name=name, **theirs)


def _verdicts(judgements: Sequence[Judgement], suites: Mapping[int, str]) -> Verdicts:
    said: dict[str, set[str]] = defaultdict(set)
    for key, judgement in standing(judgements).items():
        said[judgement.verdict].add(key)
    kinds = Judgement.Verdict
    right, fine, wrong = (frozenset(said[kind]) for kind in (kinds.RIGHT, kinds.FINE, kinds.WRONG))
    query = judgements[-1].query
    address = reverse("suite_query", args=[suites[query.suite_id], query.pk]) if query.suite_id in suites else ""
    return Verdicts(query.text, right, fine, wrong, address)
