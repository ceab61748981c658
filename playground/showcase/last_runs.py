"""The last run of each task of the gallery in this installation."""

from collections.abc import Sequence
from dataclasses import dataclass

from playground.models import Run
from playground.runs.closing import closing_figures
from playground.showcase.gallery import GalleryTask

LOOKED_AT = 200
"""Runs, the latest first, among which a task's last one is looked for."""


@dataclass(frozen=True, slots=True)
class LastRun:
    """`turns` is 0 before the first."""

    run: Run
    turns: int


def last_runs(tasks: Sequence[GalleryTask]) -> dict[str, LastRun]:
    """By the slug of the task. A run counts that had the task's words, catalog and mode."""
    runs = Run.objects.top_level().own().filter(task__in={task.task for task in tasks}).select_related("catalog")
    latest: dict[tuple[str, str, str], Run] = {}
    for run in runs.order_by("-created_at")[:LOOKED_AT]:
        latest.setdefault((run.task, run.catalog.slug if run.catalog else "", run.mode), run)
    found = {task.slug: one for task in tasks if (one := latest.get((task.task, task.catalog, task.mode)))}
    figures = closing_figures(found.values())
    return {slug: LastRun(one, figures[one.pk].turns if one.pk in figures else 0) for slug, one in found.items()}
