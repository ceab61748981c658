"""What people judged of a catalog's queries, by their words: in any suite of the catalog."""

import hashlib
from collections import OrderedDict, defaultdict
from collections.abc import Mapping, Sequence

from django.db.models import Count, Max

from catalog.judging import ANSWERS, NO_TOOL, standing
from catalog.models import Catalog, Judgement, Suite
from playground.reviewing.right_tools import Judged
from playground.reviewing.wording import query_digest

MOST_KEPT = 20
Said = Mapping[str, Sequence[Judgement]]
"""Judgements by the digest of the words of their query, the oldest first."""
_kept: OrderedDict[int, tuple[str, Said, Mapping[str, Judged]]] = OrderedDict()
"""By catalog, with the mark that it was read at."""


def mark_of(catalog: Catalog) -> str:
    """A short text that changes with any judgement of the catalog's queries; empty while there is none."""
    suites = Suite.objects.filter(catalog=catalog).order_by("pk")
    told = suites.annotate(count=Count("queries__judgements"), last=Max("queries__judgements__at"))
    rows = [row for row in told.values_list("pk", "revision", "count", "last") if row[2]]
    return hashlib.sha256(repr(rows).encode()).hexdigest()[:24] if rows else ""


def judged_by_words(catalog: Catalog) -> Mapping[str, Judged]:
    """What counts, by the digest of the words."""
    return _current(catalog)[2]


def said_by_words(catalog: Catalog) -> Said:
    """What each person says. The rows are shared: not to be changed."""
    return _current(catalog)[1]


def _current(catalog: Catalog) -> tuple[str, Said, Mapping[str, Judged]]:
    mark = mark_of(catalog)
    kept = _kept.get(catalog.pk)
    if kept is None or kept[0] != mark:
        said = _read(catalog) if mark else {}
        kept = _kept[catalog.pk] = mark, said, {words: _judged(judgements) for words, judgements in said.items()}
        while len(_kept) > MOST_KEPT:
            _kept.popitem(last=False)
    return kept


def _read(catalog: Catalog) -> Said:
    rows: dict[str, list[Judgement]] = defaultdict(list)
    asked = Judgement.objects.filter(query__suite__catalog=catalog).select_related("query", "by")
    for judgement in asked.order_by("at", "pk"):
        rows[query_digest(judgement.query.text)].append(judgement)
    return rows


def _judged(judgements: Sequence[Judgement]) -> Judged:
    counts = standing(judgements)
    right = [key for key, one in counts.items() if one.verdict in ANSWERS]
    first = sorted(right, key=lambda key: counts[key].verdict != Judgement.Verdict.RIGHT)
    wrong = frozenset(key for key, one in counts.items() if one.verdict == Judgement.Verdict.WRONG)
    by = max((counts[key] for key in right), key=lambda one: one.at, default=None)
    no_tool = not right and any(one.verdict == NO_TOOL for one in counts.values())
    return Judged(tuple(first), wrong, no_tool, by.by.get_username() if by and by.by else "")
