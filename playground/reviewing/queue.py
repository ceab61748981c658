"""The queries that want a look: what went wrong with them, what is judged of them, and in what order they come."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.models import User
from django.db.models import Count

from catalog.batches import batched
from catalog.judging import ANSWERS, NO_TOOL
from catalog.models import Catalog, Judgement
from playground.models import RunFinding, RunSearch
from playground.reviewing.judgements import judged_by_words, said_by_words
from playground.reviewing.queries import RecordedQuery, recorded_queries
from playground.reviewing.right_tools import Judged
from playground.reviewing.rules import HARMFUL, RULES

NOTHING = Judged()


@dataclass(frozen=True, slots=True)
class Queued:
    """A recorded query with the raw parts of its place: `wrong` searches by rule, and hits of the last search not yet judged.

    `went_wrong` counts each search once, whatever rules say of it.
    """

    query: RecordedQuery
    went_wrong: int
    wrong: tuple[tuple[str, str, int], ...]
    returned: int
    unjudged: int
    judged: Judged
    differs: bool
    is_mine: bool

    @property
    def is_open(self) -> bool:
        """Whether nobody has said yet which tool is right, or that none is."""
        return not self.judged.right and not self.judged.no_tool


def queue(catalog: Catalog, since: datetime | None, person: User, order: str = "") -> list[Queued]:
    """Those that went wrong most often first, then those asked most often; or in the `order` asked for."""
    queries = recorded_queries(catalog, since)
    returned = _returned(queries)
    said, judged, wrong = said_by_words(catalog), judged_by_words(catalog), _wrong(catalog, since)
    found = []
    for query in queries:
        about = said.get(query.words, ())
        hits, keys = returned.get(query.latest, ()), {one.key for one in about}
        times, by_rule = wrong.get(query.words, (0, ()))
        is_mine = any(one.by_id == person.pk for one in about)
        counts = judged.get(query.words, NOTHING)
        unjudged = sum(key not in keys for key in hits)
        found.append(Queued(query, times, by_rule, len(hits), unjudged, counts, differ(about), is_mine))
    return sorted(found, key=_ORDERS.get(order, _by_harm))


def wanted(queued: Iterable[Queued], which: str) -> list[Queued]:
    match which:
        case "unjudged":
            return [one for one in queued if one.unjudged and not one.judged.no_tool]
        case "differ":
            return [one for one in queued if one.differs]
        case "mine":
            return [one for one in queued if one.is_mine]
        case "all":
            return list(queued)
    return [one for one in queued if one.is_open]


def differ(judgements: Sequence[Judgement]) -> bool:
    """Whether two people say different things of a tool, or one of them that no tool answers and another that one does."""
    verdicts: dict[str, set[str]] = defaultdict(set)
    for one in judgements:
        verdicts[one.key].add(one.verdict)
    answering = {one.by_id for one in judgements if one.verdict in ANSWERS}
    none = {one.by_id for one in judgements if one.verdict == NO_TOOL}
    return any(len(said) > 1 for said in verdicts.values()) or bool(none and answering)


def _by_harm(one: Queued) -> tuple[float, ...]:
    return -one.went_wrong, -one.query.times, -one.query.last.timestamp()


_ORDERS: dict[str, Callable[[Queued], tuple[float, ...]]] = {
    "often": lambda one: (-one.query.times, -one.went_wrong, -one.query.last.timestamp()),
    "new": lambda one: (-one.query.last.timestamp(),),
}


def _returned(queries: Iterable[RecordedQuery]) -> Mapping[int, Sequence[str]]:
    """The keys that the last search of each query returned, by its row."""
    found: dict[int, Sequence[str]] = {}
    for keys in batched(query.latest for query in queries):
        found |= dict(RunSearch.objects.filter(pk__in=keys).values_list("pk", "returned"))
    return found


def _wrong(catalog: Catalog, since: datetime | None) -> Mapping[str, tuple[int, tuple[tuple[str, str, int], ...]]]:
    """By words: how many searches went wrong, and how many by each rule, its title first."""
    found = RunFinding.objects.filter(search__run__catalog=catalog, rule__in=HARMFUL).order_by()
    if since is not None:
        found = found.filter(search__at__gte=since)
    parts: dict[str, dict[str, int]] = defaultdict(dict)
    for words, rule, times in found.values_list("search__words", "rule").annotate(Count("search", distinct=True)):
        parts[words][rule] = times
    whole = dict(found.values_list("search__words").annotate(Count("search", distinct=True)))
    by_rule = {
        words: tuple((RULES[rule].title, rule, of[rule]) for rule in RULES if rule in of) for words, of in parts.items()
    }
    return {words: (whole[words], by_rule[words]) for words in parts}
