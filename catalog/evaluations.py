"""Evaluations of rows: beginning them, measuring in the background, stopping, and what came back, query by query."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from functools import partial
from time import monotonic
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from catalog.asking import ranking_under
from catalog.background import go_on
from catalog.editions import Edition
from catalog.evaluating.changes import Measured
from catalog.evaluating.entries import entries_of, measurable
from catalog.evaluating.judged import JudgedQuery
from catalog.evaluating.measuring import Answer, Ask, answer, middle
from catalog.evaluating.metrics import DEPTH, METRICS, measure
from catalog.evaluating.statistics import interval_of
from catalog.indexing import exposure_of, revision_of
from catalog.models import Evaluation, EvaluationAnswer, Suite
from catalog.owners import this_owner
from catalog.policy_rows import policy_to_try
from catalog.publishing.asking import at_version, edition_for_agent
from catalog.search.choosing import ChosenEngine, choose
from catalog.search.settings import changed
from catalog.suites import kept_content

TELL_EVERY = 0.5
"""Seconds after which the row says how far it has come, and hears whether to stop."""
State = Evaluation.State
MOVING = (State.WAITING, State.RUNNING)


class NothingToMeasureError(Exception):
    """No query of the suite has a tool that is right."""


class NotMeasuredError(Exception):
    """There are no figures; the message says why, as a sentence."""


@transaction.atomic
def begin(suite: Suite, edition: Edition, engines: Sequence[ChosenEngine], by: User | None) -> list[Evaluation]:
    """A row for each engine, all on the suite as it stands now; `carry_out` measures. Raises NothingToMeasureError.

    What agents get has a number from then on, so that what was measured stays known.
    """
    content = kept_content(suite)
    total = len(measurable(entries_of(content.body)))
    if not total:
        raise NothingToMeasureError
    fixed = edition_for_agent(edition.catalog, edition.asked)
    rows: list[Evaluation] = []
    for engine in engines:
        row = Evaluation(suite=suite, suite_revision=suite.revision, content=content, catalog=edition.catalog, by=by)
        row.version, row.engine, row.settings, row.total = fixed.version, engine.slug, changed(engine.settings), total
        row.save()
        rows.append(row)
    for row in rows:
        row.begun_with = rows[0]
    Evaluation.objects.bulk_update(rows, ["begun_with"])
    return rows


def carry_out(evaluation: Evaluation) -> None:
    """Measure, unless it was stopped meanwhile. What goes wrong is told on the row; a fault of ours is raised."""
    waiting = Evaluation.objects.filter(pk=evaluation.pk, state=State.WAITING)
    if not waiting.update(state=State.RUNNING, owner=this_owner()):
        return
    try:
        _measure(evaluation)
    except Exception as error:
        end = {"state": State.FAILED, "problem": _said(error), "ended_at": timezone.now()}
        Evaluation.objects.filter(pk=evaluation.pk, state=State.RUNNING).update(**end)
        if not isinstance(error, NotMeasuredError):
            raise


def stop(evaluation: Evaluation) -> bool:
    """Whether it was still under way."""
    moving = Evaluation.objects.filter(pk=evaluation.pk, state__in=MOVING)
    return bool(moving.update(state=State.STOPPED, ended_at=timezone.now()))


def edition_measured(evaluation: Evaluation) -> Edition:
    """A draft as it is now; else the version, which never changes."""
    if evaluation.version is None:
        return Edition(evaluation.catalog, "draft")
    return at_version(evaluation.version)


def asking(edition: Edition, engine: ChosenEngine) -> Ask:
    """A search of the edition by the engine, under its policy: what the search page shows for the same."""
    policy = policy_to_try(edition)
    return lambda query: ranking_under(policy, edition, engine, query, DEPTH, frozenset())


def measured(evaluation: Evaluation) -> list[Measured]:
    """Every query that was answered, in the order of the suite."""
    answers = {row.query: row for row in evaluation.answers.all()}
    entries = entries_of(evaluation.content.body)
    found = []
    for entry in entries:
        row, query = answers.get(entry.id), entry.judged
        if row and query:
            figures = measure(row.hits, query.groups, query.fine)
            found.append(Measured(query.text, entry.tags, query.groups, tuple(row.hits), row.ranks, figures))
    return found


def figures_over(found: Sequence[Mapping[str, float]]) -> dict[str, dict[str, float]]:
    """Every metric's mean, and between what it lies. Raises ValueError on nothing."""
    return {name: asdict(interval_of([figures[name] for figures in found])) for name in METRICS}


def _measure(evaluation: Evaluation) -> None:
    edition = edition_measured(evaluation)
    queries = measurable(entries_of(evaluation.content.body))
    ask = asking(edition, choose(evaluation.engine, evaluation.settings))
    offered, revision = {tool.key for tool in exposure_of(edition).pool.searchable}, revision_of(edition)
    tell = _teller(evaluation)
    answered: list[Answer] = []
    for query in queries:
        go_on()
        if not tell(len(answered)):
            return
        answered.append(answer(query, ask, lambda tool: tool.key))
    if revision_of(edition) != revision:
        raise NotMeasuredError("What the catalog offers was changed while it was measured. Measure it again.")
    if all(one.problem for one in answered):
        raise NotMeasuredError(f"The engine could run none of the queries. {answered[0].problem}")
    _end(evaluation, revision, answered, offered)


def _end(evaluation: Evaluation, revision: str, answered: Sequence[Answer], offered: set[str]) -> None:
    """Keep what came back, all of it at once."""
    rows = [_row(evaluation, one) for one in answered]
    kept: dict[str, Any] = {
        "state": State.DONE,
        "ended_at": timezone.now(),
        "done": len(rows),
        "tools": len(offered),
        "not_run": sum(bool(one.problem) for one in answered),
        "missing": _missing([one.query for one in answered], offered),
        "milliseconds": middle([one.seconds for one in answered]),
        "figures": figures_over([one.figures for one in answered]),
        "revision": revision,
    }
    with transaction.atomic():
        if Evaluation.objects.filter(pk=evaluation.pk, state=State.RUNNING).update(**kept):
            EvaluationAnswer.objects.bulk_create(rows, batch_size=400)


def _row(evaluation: Evaluation, one: Answer) -> EvaluationAnswer:
    return EvaluationAnswer(evaluation=evaluation, query=one.query.id, hits=list(one.hits), ranks=dict(one.ranks))


def _missing(queries: Sequence[JudgedQuery], offered: set[str]) -> list[str]:
    return sorted({tool for query in queries for tool in query.relevant} - offered)


def _teller(evaluation: Evaluation) -> Callable[[int], bool]:
    told = monotonic()
    running = partial(Evaluation.objects.filter, pk=evaluation.pk, state=State.RUNNING)

    def tell(done: int) -> bool:
        """Whether to go on."""
        nonlocal told
        if monotonic() - told < TELL_EVERY:
            return True
        told = monotonic()
        return bool(running().update(done=done))

    return tell


def _said(error: Exception) -> str:
    if isinstance(error, NotMeasuredError):
        return str(error)[:300]
    return f"It failed; the log says why ({type(error).__name__})."
