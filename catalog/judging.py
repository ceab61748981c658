"""What people say of tools for the queries of a suite, and what counts of it."""

from collections import defaultdict
from collections.abc import Iterable

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import F
from django.utils import timezone

from catalog.evaluating.judged import JudgedQuery
from catalog.models import Judgement, Suite, SuiteQuery

ANSWERS = (Judgement.Verdict.RIGHT, Judgement.Verdict.FINE)
NO_TOOL = Judgement.Verdict.NO_TOOL


@transaction.atomic
def judge(query: SuiteQuery, tool: str, verdict: Judgement.Verdict, by: User | None, *, need: int = 1) -> Judgement:
    """One person's word on `server/name`, in place of their last. With NO_TOOL `tool` is empty.

    That no tool answers goes when one is said to, and the other way round, by the same person.
    """
    server, _, name = tool.partition("/")
    theirs = query.judgements.filter(by=by)
    if verdict == NO_TOOL:
        theirs.filter(verdict__in=ANSWERS).delete()
    elif verdict in ANSWERS:
        theirs.filter(verdict=NO_TOOL).delete()
    row, _ = Judgement.objects.update_or_create(
        query=query,
        server=server,
        tool=name,
        by=by,
        defaults={"verdict": verdict, "need": need, "at": timezone.now()},
    )
    changed(query.suite)
    return row


@transaction.atomic
def unjudge(query: SuiteQuery, tool: str, by: User | None) -> None:
    """Take back one person's word on a tool, or that none answers."""
    server, _, name = tool.partition("/")
    if query.judgements.filter(server=server, tool=name, by=by).delete()[0]:
        changed(query.suite)


def changed(suite: Suite) -> None:
    """Count a change of a suite."""
    Suite.objects.filter(pk=suite.pk).update(revision=F("revision") + 1)
    suite.refresh_from_db(fields=["revision"])


def standing(judgements: Iterable[Judgement]) -> dict[str, Judgement]:
    """What counts of a query's judgements, by tool (`server/name`, empty for NO_TOOL): of each tool the newest."""
    found: dict[str, Judgement] = {}
    for judgement in sorted(judgements, key=lambda one: (one.at, one.pk)):
        found[judgement.key] = judgement
    return found


def judged_queries(suite: Suite) -> tuple[JudgedQuery, ...]:
    """The queries of which some tool is right or also fine, by key of their rows, with tools as `server/name`."""
    rows = suite.queries.prefetch_related("judgements").order_by("pk")
    found = ((row, groups_of(row.judgements.all())) for row in rows)
    return tuple(JudgedQuery(str(row.pk), row.text, groups) for row, groups in found if groups)


def groups_of(judgements: Iterable[Judgement]) -> tuple[frozenset[str], ...]:
    """The tools that answer, one set for each need."""
    needs: dict[int, set[str]] = defaultdict(set)
    for tool, judgement in standing(judgements).items():
        if judgement.verdict in ANSWERS:
            needs[judgement.need].add(tool)
    return tuple(frozenset(needs[need]) for need in sorted(needs))
