"""An evaluation as its page shows it: modes with their figures, pairs of modes, and every task with its trials."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from playground.evaluating.figures import Pair, Trial, by_mode, pairs
from playground.evaluating.picking import tasks_that_differ, trials_asked
from playground.evaluating.tasks import Task, tasks_of
from playground.evaluating.trials import spent
from playground.models import HeldCall, Run, TaskEvaluation, TaskTrial
from playground.modes import MODES


@dataclass(frozen=True, slots=True)
class Cell:
    """The trials of a task in the mode of that title."""

    title: str
    trials: tuple[TaskTrial, ...]

    @property
    def successes(self) -> int:
        return sum(bool(one.success) for one in self.trials)

    @property
    def measured(self) -> int:
        return sum(one.success is not None for one in self.trials)


@dataclass(frozen=True, slots=True)
class TaskRow:
    """A cell for each mode. `number` counts tasks from 1."""

    number: int
    task: Task
    cells: tuple[Cell, ...]


def page_of(row: TaskEvaluation, address: Mapping[str, str]) -> dict[str, Any]:
    """`which` and `mode` of the address list trials, `differ` (two modes) the tasks that they differ in."""
    trials = list(row.trials.select_related("run"))
    measured = [_measured(one) for one in trials if one.success is not None]
    titles, figures = titles_of(row), by_mode(row.modes, measured)
    differing = tasks_that_differ(measured, address.get("differ", ""))
    return {
        "titles": titles,
        "picked": trials_asked(trials, address.get("which", ""), address.get("mode", ""), titles),
        "task_texts": {number: task.text for number, task in enumerate(tasks_of(row.tasks), 1)},
        "differing": differing is not None,
        "figures": [(titles[one.mode], one) for one in figures],
        "pairs": [] if row.is_moving else _told(pairs(row.modes, measured), titles),
        "rows": [one for one in _rows(row, trials, titles) if differing is None or one.number in differing],
        "done": len(measured),
        "total": len(trials),
        "missing": len(trials) - len(measured),
        "broke_off": sum(one.broke_off for one in figures),
        "spent": spent(row),
        "has_prices": all(one.cost is not None for one in measured),
        "waits": row.is_moving and HeldCall.objects.filter(top__trial__evaluation=row, decision="").exists(),
    }


def titles_of(row: TaskEvaluation) -> dict[str, str]:
    """By slug, with the catalog's own told apart."""
    own = MODES[row.own_mode].title if row.own_mode in MODES else row.own_mode
    named = {slug: MODES[slug].title if slug in MODES else slug for slug in row.modes if slug}
    return {slug: named.get(slug, f"{own}, as the catalog has it") for slug in row.modes}


def _rows(row: TaskEvaluation, trials: Sequence[TaskTrial], titles: Mapping[str, str]) -> list[TaskRow]:
    cells: dict[tuple[int, str], list[TaskTrial]] = defaultdict(list)
    for trial in trials:
        cells[trial.task, trial.mode].append(trial)
    return [
        TaskRow(number, task, tuple(Cell(titles[mode], tuple(cells[number, mode])) for mode in row.modes))
        for number, task in enumerate(tasks_of(row.tasks), 1)
    ]


def _measured(trial: TaskTrial) -> Trial:
    return Trial(
        trial.task,
        trial.mode,
        bool(trial.success),
        trial.status != Run.Status.COMPLETED,
        trial.extra,
        trial.turns,
        trial.tokens,
        trial.cost,
        trial.seconds,
    )


def _told(found: Sequence[Pair], titles: Mapping[str, str]) -> list[tuple[str, str, Pair]]:
    return [(titles[one.first], titles[one.second], one) for one in found]
