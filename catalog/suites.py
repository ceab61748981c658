"""Suites as people fill them: adding queries and their verdicts, bringing many from a file, keeping what was measured on."""

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from json import dumps

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from catalog.evaluating.entries import Entry, body_of, hash_of, tidy_tags
from catalog.judging import changed, entries_of
from catalog.models import Judgement, Suite, SuiteContent, SuiteQuery


class ChangedError(Exception):
    """The suite is not as it was when the plan was shown."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What a file would change of a suite. `token` stands for both; whoever applies says what they saw.

    A query that is there gets the verdicts and the tags of the file in addition to its own.
    """

    added: tuple[Entry, ...]
    changed: tuple[Entry, ...]
    same: int
    token: str

    @property
    def verdicts(self) -> int:
        return sum(len(entry.said) for entry in (*self.added, *self.changed))


def plan_entries(suite: Suite, entries: Sequence[Entry]) -> Plan:
    there = {entry.text: entry for entry in entries_of(suite)}
    added = tuple(entry for entry in entries if entry.text not in there)
    differing = tuple(entry for entry in entries if entry.text in there and not _says_no_more(there[entry.text], entry))
    told = dumps([suite.pk, suite.revision, body_of(entries)], default=list)
    return Plan(added, differing, len(entries) - len(added) - len(differing), sha256(told.encode()).hexdigest()[:32])


@transaction.atomic
def apply_entries(suite: Suite, entries: Sequence[Entry], token: str, origin: str, by: User | None) -> Plan:
    """All at once, as this person's word. Raises ChangedError."""
    suite = Suite.objects.select_for_update().get(pk=suite.pk)
    plan = plan_entries(suite, entries)
    if plan.token != token:
        raise ChangedError
    write(suite, (*plan.added, *plan.changed), origin, by)
    return plan


def write(suite: Suite, entries: Sequence[Entry], origin: str, by: User | None) -> None:
    """Add queries that are new, and put this person's verdicts in place of their last on the same tools. One change."""
    there = {row.text: row for row in suite.queries.all()}
    new = [SuiteQuery(suite=suite, text=one.text, origin=origin) for one in entries if one.text not in there]
    there |= {row.text: row for row in SuiteQuery.objects.bulk_create(new, batch_size=400)}
    rows, now = [there[one.text] for one in entries], timezone.now()
    for row, entry in zip(rows, entries, strict=True):
        row.tags = list(tidy_tags([*row.tags, *entry.tags]))
    SuiteQuery.objects.bulk_update(rows, ["tags"], batch_size=400)
    judgements = [
        Judgement(
            query=row,
            server=said.tool.partition("/")[0],
            tool=said.tool.partition("/")[2],
            verdict=said.verdict,
            need=said.need,
            by=by,
            at=now,
        )
        for row, entry in zip(rows, entries, strict=True)
        for said in entry.said
    ]
    _replace(judgements, by)
    changed(suite)


def kept_content(suite: Suite) -> SuiteContent:
    """The suite as it stands, kept for good; the row may be there already."""
    entries = entries_of(suite)
    row, _ = SuiteContent.objects.get_or_create(hash=hash_of(entries), defaults={"body": body_of(entries)})
    return row


def _replace(judgements: Sequence[Judgement], by: User | None) -> None:
    by_query: dict[int, list[Judgement]] = {}
    for one in judgements:
        by_query.setdefault(one.query.pk, []).append(one)
    kept = Judgement.objects.filter(by=by, query__in=by_query)
    said = {(one.query.pk, one.key) for one in judgements}
    gone = [row.pk for row in kept.select_related("query") if _gives_way(row, said, by_query[row.query.pk])]
    Judgement.objects.filter(pk__in=gone).delete()
    Judgement.objects.bulk_create(judgements, batch_size=400)


def _gives_way(row: Judgement, said: set[tuple[int, str]], new: Sequence[Judgement]) -> bool:
    """Whether a person's earlier word is replaced, or cannot stand beside the new ones."""
    no_tool = Judgement.Verdict.NO_TOOL
    answers = {Judgement.Verdict.RIGHT.value, Judgement.Verdict.FINE.value}
    says = {one.verdict for one in new}
    return (
        (row.query.pk, row.key) in said
        or (row.verdict == no_tool and bool(says & answers))
        or (row.verdict in answers and no_tool in says)
    )


def _says_no_more(there: Entry, given: Entry) -> bool:
    return set(given.said) <= set(there.said) and set(given.tags) <= set(there.tags)
