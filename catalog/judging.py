"""What people say of tools for the queries of a suite, and what counts of it."""

from collections.abc import Iterable
from typing import cast

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import F
from django.utils import timezone

from catalog.evaluating.entries import Entry, Said, Verdict, measurable, settled
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


def entries_of(suite: Suite) -> list[Entry]:
    """The suite as it stands, in the order in which its queries were added; each is named by the key of its row."""
    rows = suite.queries.prefetch_related("judgements").order_by("pk")
    return [Entry(str(row.pk), row.text, tuple(row.tags), said_of(row.judgements.all())) for row in rows]


def judged_queries(suite: Suite) -> tuple[JudgedQuery, ...]:
    """The queries of which some tool is right or also fine, by key of their rows, with tools as `server/name`."""
    return measurable(entries_of(suite))


def said_of(judgements: Iterable[Judgement]) -> tuple[Said, ...]:
    """What counts of them. That no tool answers does not count where somebody said of one that it does, and later."""
    found = standing(judgements)
    none = found.get("")
    later = (one for one in found.values() if none and one.verdict in ANSWERS and (one.at, one.pk) > (none.at, none.pk))
    if none and next(later, None):
        del found[""]
    return settled(Said(tool, _verdict(one), one.need) for tool, one in found.items())


def _verdict(judgement: Judgement) -> Verdict:
    return cast(Verdict, judgement.verdict)
