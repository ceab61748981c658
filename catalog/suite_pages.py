"""Suites as pages show them: their figures, their queries filtered, each with what counts, who differs and what is not here."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from random import Random

from django.db.models import Count, Max, Q, QuerySet

from catalog.evaluating.entries import VERDICTS, Said
from catalog.indexing import exposure_of
from catalog.judging import ANSWERS, said_of
from catalog.models import Judgement, Suite, SuiteQuery, Tool

MOST_TAGS = 40
"""Tags that are offered as filters."""
OFFERED = 12
"""Tools that a query's page offers to judge."""


@dataclass(frozen=True)
class ShownQuery:
    """A query with what counts of its judgements; `here` are the keys of the tools that the suite's catalog offers, None without."""

    row: SuiteQuery
    here: frozenset[str] | None

    @cached_property
    def said(self) -> tuple[Said, ...]:
        return tuple(sorted(said_of(self.row.judgements.all()), key=lambda one: VERDICTS.index(one.verdict)))

    @cached_property
    def missing(self) -> set[str]:
        """Tools that are said to answer it and cannot be found."""
        answering = {one.tool for one in self.said if one.verdict in ANSWERS}
        return set() if self.here is None else answering - self.here

    @property
    def answering(self) -> list[Said]:
        return [one for one in self.said if one.verdict in ANSWERS]

    @property
    def none_answers(self) -> bool:
        return any(one.verdict == "no tool" for one in self.said)

    @property
    def needs(self) -> int:
        return len({one.need for one in self.answering})

    @property
    def wrong(self) -> int:
        return sum(one.verdict == "wrong" for one in self.said)

    @cached_property
    def differing(self) -> set[str]:
        """Tools on which people's words differ."""
        verdicts = {(one.key, one.verdict) for one in self.row.judgements.all()}
        return {key for key, count in Counter(key for key, _ in verdicts).items() if count > 1}


def with_counts(suites: QuerySet[Suite]) -> QuerySet[Suite]:
    """With `query_count`, `judged_count` and the time of the last judgement, `judged_at`."""
    judged = Count("queries", filter=Q(queries__judgements__isnull=False), distinct=True)
    return suites.select_related("catalog", "by").annotate(
        query_count=Count("queries", distinct=True), judged_count=judged, judged_at=Max("queries__judgements__at")
    )


def keys_here(suite: Suite) -> frozenset[str] | None:
    """The tools that a search of its catalog's draft can find."""
    return frozenset(tool.key for tool in exposure_of(suite.catalog).pool.searchable) if suite.catalog else None


def shown(rows: Iterable[SuiteQuery], here: frozenset[str] | None) -> Iterator[ShownQuery]:
    return (ShownQuery(row, here) for row in rows)


def tags_of(suite: Suite) -> list[tuple[str, int]]:
    """The most frequent, each with how many queries have it."""
    counts = Counter(tag for tags in suite.queries.values_list("tags", flat=True) for tag in tags)
    return counts.most_common(MOST_TAGS)


def found(suite: Suite, words: str, tag: str, state: str, here: frozenset[str] | None) -> QuerySet[SuiteQuery]:
    """The queries that the filters of the page leave, with their judgements."""
    rows = suite.queries.prefetch_related("judgements__by").order_by("pk")
    for word in words.split():
        rows = rows.filter(text__icontains=word)
    if tag:
        rows = rows.filter(pk__in=[pk for pk, tags in suite.queries.values_list("pk", "tags") if tag in tags])
    match state:
        case "judged":
            return rows.filter(judgements__isnull=False).distinct()
        case "unjudged":
            return rows.filter(judgements__isnull=True)
        case "differing":
            return rows.filter(pk__in=_differing(suite))
        case "missing":
            return rows.filter(pk__in=_naming_others(suite, here or frozenset()))
    return rows


def to_judge(query: SuiteQuery, keys: Iterable[str]) -> list[Tool]:
    """The rows of these tools, as far as they are here, in an order that says nothing of their rank."""
    wanted = {*keys, *query.suggested}
    names = {key.partition("/")[2] for key in wanted}
    rows = Tool.objects.here().select_related("server").filter(name__in=names)
    tools = sorted((row for row in rows if str(row) in wanted), key=str)
    Random(query.pk).shuffle(tools)
    return tools


def _differing(suite: Suite) -> list[int]:
    rows = Judgement.objects.filter(query__suite=suite).order_by().values("query", "server", "tool")
    return list(
        rows.annotate(words=Count("verdict", distinct=True)).filter(words__gt=1).values_list("query", flat=True)
    )


def _naming_others(suite: Suite, here: frozenset[str]) -> list[int]:
    rows = Judgement.objects.filter(query__suite=suite, verdict__in=ANSWERS).values_list("query", "server", "tool")
    return [query for query, server, tool in rows if f"{server}/{tool}" not in here]
