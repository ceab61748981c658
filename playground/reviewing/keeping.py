"""Reading runs that have ended: what each shows is kept as rows, and made anew when the rules or the judgements change."""

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property

from django.db import transaction
from django.db.models import Q

from catalog.models import Catalog, Suite
from catalog.repeating import repeat
from catalog.sources import sample
from playground.models import Run, RunFinding, RunReview, RunSearch
from playground.models.run import RunQuerySet
from playground.reviewing.evidence import Evidence, evidence_of
from playground.reviewing.finding import Finding
from playground.reviewing.judgements import judged_by_words, mark_of
from playground.reviewing.keys import ToolKeys
from playground.reviewing.right_tools import Judged, Rights, answered_by, rights_of
from playground.reviewing.rules import VERSION, findings_of
from playground.reviewing.steps import Search
from playground.runs.database import write
from playground.runs.reading import all_events
from playground.runs.state import Recorded

LOOK_EVERY = 3.0
AT_ONCE = 25
"""Runs that one sweep reads."""
MOST_CHECKED = 500
"""Reviews that one sweep compares with changed judgements."""


@dataclass
class Reader:
    """What the reading of many runs shares."""

    keys: ToolKeys = field(default_factory=ToolKeys)
    _judged: dict[int, tuple[str, Mapping[str, Judged]]] = field(default_factory=dict)

    def judged(self, catalog: Catalog | None) -> tuple[str, Mapping[str, Judged]]:
        """The mark of a catalog's judgements, and what counts of them."""
        if catalog is None:
            return "", {}
        if catalog.pk not in self._judged:
            self._judged[catalog.pk] = mark_of(catalog), judged_by_words(catalog)
        return self._judged[catalog.pk]

    @cached_property
    def expected(self) -> Mapping[str, str]:
        """The one tool (key) that a task of the sample expects, where it is just one."""
        return {task.task: task.expects[0].replace("__", "/", 1) for task in sample.tasks() if len(task.expects) == 1}

    def rights(self, run: Run, evidence: Evidence) -> Rights:
        return rights_of(evidence, self.judged(run.catalog)[1], self.expected.get(run.task, ""))


def read_now(run: Run, events: list[Recorded]) -> list[RunFinding]:
    """What the rules find in a run by what is known now, as rows that are not kept."""
    return _rows(run, events, Reader())[1]


@transaction.atomic
def review(run: Run, reader: Reader) -> None:
    """Keep what the run shows, in place of what was kept of it."""
    searches, findings = _rows(run, list(all_events(run.pk)), reader)
    run.findings.all().delete()
    run.searches.all().delete()
    RunSearch.objects.bulk_create(searches)
    RunFinding.objects.bulk_create(findings)
    mark, judged = reader.judged(run.catalog)
    marks = {"rules": VERSION, "judged": mark, "rests_on": _rests_on((row.words for row in searches), judged)}
    RunReview.objects.update_or_create(run=run, defaults=marks)


async def keep_reviewing_runs() -> None:
    """As long as the process serves."""
    await repeat(_review_some, LOOK_EVERY, "runs that ended could not be read", at_once=True)


async def _review_some() -> None:
    """One by one, so that what runs under way want written comes between."""
    reader = Reader()
    for run in await write(due, reader):
        await write(review, run, reader)


def due(reader: Reader) -> list[Run]:
    """Runs that ended and those that are to be read anew, the newest first, at most AT_ONCE."""
    return list(_unread()[:AT_ONCE]) or _judged_since(reader)


def _unread() -> RunQuerySet:
    """Runs that ended and were never read, or by other rules."""
    ended = Run.objects.exclude(pk__in=Run.objects.unfinished().values("pk"))
    wanting = ended.filter(Q(review=None) | ~Q(review__rules=VERSION))
    return wanting.select_related("catalog").order_by("-created_at")


def _judged_since(reader: Reader) -> list[Run]:
    """Runs of whose queries something else is judged now. Of the others only the mark is brought up."""
    found: list[Run] = []
    for catalog in _with_judgements():
        mark, judged = reader.judged(catalog)
        behind = RunReview.objects.filter(run__catalog=catalog).exclude(judged=mark).order_by("-run__created_at")
        same: list[RunReview] = []
        for one in behind.select_related("run__catalog").prefetch_related("run__searches")[:MOST_CHECKED]:
            rests_on = _rests_on((search.words for search in one.run.searches.all()), judged)
            found += [one.run] if rests_on != one.rests_on else []
            same += [one] if rests_on == one.rests_on else []
        RunReview.objects.filter(pk__in=[one.pk for one in same]).update(judged=mark)
    return found[:AT_ONCE]


def _with_judgements() -> Iterable[Catalog]:
    """Catalogs that have suites now, or had some when a run was read."""
    had = RunReview.objects.exclude(judged="").values("run__catalog")
    return Catalog.objects.filter(Q(pk__in=Suite.objects.values("catalog")) | Q(pk__in=had))


def _rests_on(words: Iterable[str], judged: Mapping[str, Judged]) -> str:
    """What counts of the judgements of these words, as a short text."""
    told = [
        (one, judged[one].right, sorted(judged[one].wrong), judged[one].no_tool)
        for one in sorted({*words} & judged.keys())
    ]
    return hashlib.sha256(repr(told).encode()).hexdigest()[:32] if told else ""


def _rows(run: Run, events: list[Recorded], reader: Reader) -> tuple[list[RunSearch], list[RunFinding]]:
    evidence = evidence_of(events, reader.keys.key_of)
    at = {recorded.seq: recorded.at for recorded in events}
    searches = {one.answer: _search_row(run, evidence, one, at[one.answer]) for one in evidence.searches}
    found = findings_of(evidence, reader.rights(run, evidence))
    return [*searches.values()], [_finding_row(run, one, searches) for one in found]


def _search_row(run: Run, evidence: Evidence, search: Search, at: datetime) -> RunSearch:
    answer = answered_by(evidence, search)
    return RunSearch(
        run=run,
        seq=search.seq,
        answer=search.answer,
        at=at,
        text=search.query,
        words=search.words,
        engine=search.engine[:100],
        returned=list(search.keys),
        called=answer[0].key[:250] if answer else "",
        found_by=answer[1].seq if answer else None,
    )


def _finding_row(run: Run, found: Finding, searches: Mapping[int, RunSearch]) -> RunFinding:
    right = found.right
    return RunFinding(
        run=run,
        search=searches.get(found.search.answer) if found.search else None,
        rule=found.rule,
        subject=found.subject[:200],
        seq=found.seq,
        sentence=found.sentence,
        tools=list(found.tools),
        right=list(right.tools) if right else [],
        source=right.source if right else "",
        how=right.how if right else "",
        rank=found.rank,
        gap=found.gap,
        tokens=found.tokens,
    )
