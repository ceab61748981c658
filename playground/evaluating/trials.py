"""Evaluations of tasks as rows: beginning one with all its trials, a run for each, how it ended, stopping, and going on."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from uuid import UUID

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Sum
from django.utils import timezone

from catalog.editions import DRAFT, Edition
from catalog.owners import is_alive, this_owner
from catalog.policy import Context
from catalog.publishing.asking import edition_for_agent
from playground.evaluating.outcomes import outcome_of
from playground.evaluating.tasks import Task, body_of
from playground.models import ChatModel, Run, TaskEvaluation, TaskTrial
from playground.runs.closing import costs_of
from playground.runs.family import descendants
from playground.runs.lane_state import lane_at
from playground.runs.reading import all_events
from playground.runs.threads import Setup, add_first

State = TaskEvaluation.State
MOST_TRIALS = 1_000
MEASURED = (Run.Status.COMPLETED, Run.Status.FAILED, Run.Status.LIMIT)
"""Ends of runs that say something of the mode; not those that a person, the process or the cap brought about."""


class CannotGoOnError(Exception):
    """The trials that are missing cannot be played now; the message says why, as a sentence."""


@dataclass(frozen=True, slots=True)
class Trying:
    """What is to be tried; a mode without a slug is the catalog's own. `cap` is in dollars."""

    edition: Edition
    tasks: Sequence[Task]
    modes: Sequence[str]
    chat_model: ChatModel
    repeats: int = 1
    cap: float | None = None
    context: Context = field(default_factory=dict)

    @property
    def trials(self) -> int:
        return len(self.tasks) * len(self.modes) * self.repeats


@transaction.atomic
def begin(trying: Trying, by: User) -> TaskEvaluation:
    """Under way from then on; its trials are there, and none has a run. What agents get has a number from then on."""
    edition = edition_for_agent(trying.edition.catalog, trying.edition.asked)
    row = TaskEvaluation.objects.create(
        tasks=body_of(trying.tasks),
        catalog=edition.catalog,
        version=None if edition.asked == DRAFT else edition.version,
        modes=list(trying.modes),
        own_mode=edition.mode,
        chat_model=trying.chat_model,
        context=dict(trying.context),
        repeats=trying.repeats,
        cap=trying.cap,
        by=by,
    )
    TaskTrial.objects.bulk_create(_trials(row, trying))
    return row


def missing(row: TaskEvaluation) -> list[int]:
    """The trials that are not measured, in the order in which they are played: every task and mode once, then again."""
    return list(row.trials.filter(success=None).values_list("pk", flat=True))


def spent(row: TaskEvaluation) -> float:
    """Dollars, as far as prices are known, of all that was tried so far."""
    sums = row.trials.aggregate(cost=Sum("cost"), lost=Sum("lost"))
    return (sums["cost"] or 0.0) + (sums["lost"] or 0.0)


@transaction.atomic
def add_run(trial_pk: int, by: User) -> Run | None:
    """The run of a trial, not under way yet; None where it is not to be played any more."""
    moving = {"evaluation__state": State.RUNNING, "evaluation__owner": this_owner()}
    related = TaskTrial.objects.select_related("evaluation__catalog", "evaluation__chat_model", "evaluation__version")
    trial = related.filter(pk=trial_pk, **moving).first()
    model = trial.evaluation.chat_model if trial else None
    if trial is None or model is None:
        return None
    row, task = trial.evaluation, trial.evaluation.tasks[trial.task - 1]["text"]
    made_of = Setup(row.catalog, model, task, by, trial.mode, context=row.context, edition=row.edition)
    trial.run = add_first(made_of)
    trial.save(update_fields=["run"])
    return trial.run


def keep_outcome(trial_pk: int, is_capped: bool) -> None:
    """How a trial's run ended, once it has. `is_capped` says that the cap kept runs from going on: a limit says nothing then."""
    trial = TaskTrial.objects.select_related("evaluation", "run").filter(pk=trial_pk).first()
    if trial is None or trial.run is None:
        return
    needs = trial.evaluation.tasks[trial.task - 1]["needs"]
    said = outcome_of(lane_at(1, trial.run.pk, all_events(trial.run.pk)), needs)
    if trial.run.status in MEASURED and not (is_capped and trial.run.status == Run.Status.LIMIT):
        trial.success = said.is_success
    nested = costs_of([one.pk for one in descendants(trial.run.pk)])
    trial.cost = None if said.cost is None else said.cost + sum(nested.values())
    trial.status, trial.met, trial.extra = trial.run.status, said.met, said.extra
    trial.turns, trial.tokens, trial.seconds = said.turns, said.tokens, said.seconds
    trial.save()


@transaction.atomic
def stop(row: TaskEvaluation) -> list[UUID]:
    """No further trial is begun; the runs that are still under way, to be stopped. Empty where it had ended."""
    moving = TaskEvaluation.objects.filter(pk=row.pk, state=State.RUNNING)
    if not moving.update(state=State.STOPPED, ended_at=timezone.now()):
        return []
    return list(Run.objects.unfinished().filter(trial__evaluation=row).values_list("pk", flat=True))


@transaction.atomic
def take_up_again(row: TaskEvaluation, cap: float | None) -> None:
    """Under way again, in this process, with the trials that are missing. Raises CannotGoOnError."""
    if row.chat_model is None or not row.chat_model.enabled:
        raise CannotGoOnError("Its model was deleted or switched off.")
    if not missing(row):
        raise CannotGoOnError("No trial is missing.")
    if Run.objects.unfinished().filter(trial__evaluation=row).exists():
        raise CannotGoOnError("Some of its runs are still ending. Try again in a moment.")
    if cap is not None and cap <= spent(row):
        raise CannotGoOnError(f"${spent(row):,.4f} is spent already: the cap has to be higher.")
    ended = TaskEvaluation.objects.filter(pk=row.pk).exclude(state=State.RUNNING)
    if not ended.update(state=State.RUNNING, owner=this_owner(), ended_at=None, cap=cap):
        raise CannotGoOnError("It is under way already.")
    for trial in row.trials.filter(success=None).exclude(run=None):
        _give_up_run(trial)


def end(pk: UUID, state: str) -> None:
    """Unless it was stopped meanwhile."""
    moving = TaskEvaluation.objects.filter(pk=pk, state=State.RUNNING, owner=this_owner())
    moving.update(state=state, ended_at=timezone.now())


def end_left_behind() -> int:
    """Those whose process is gone are interrupted, and can go on; how many."""
    moving = TaskEvaluation.objects.filter(state=State.RUNNING).order_by()
    owners = set(moving.values_list("owner", flat=True))
    dead = [owner for owner in owners if not owner or not is_alive(owner)]
    return moving.filter(owner__in=dead).update(state=State.INTERRUPTED, ended_at=timezone.now())


def _trials(row: TaskEvaluation, trying: Trying) -> Iterator[TaskTrial]:
    for repeat in range(1, trying.repeats + 1):
        for task in range(1, len(trying.tasks) + 1):
            for mode in trying.modes:
                yield TaskTrial(evaluation=row, task=task, mode=mode, repeat=repeat)


def _give_up_run(trial: TaskTrial) -> None:
    """A run that did not count stays, and what it cost does; one that ended well just before its process did counts."""
    keep_outcome(trial.pk, is_capped=True)
    trial.refresh_from_db()
    if trial.success is None:
        trial.lost += trial.cost or 0.0
        trial.run, trial.cost, trial.status = None, None, ""
        trial.save()
