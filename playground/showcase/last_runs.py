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

    @property
    def url(self) -> str:
        """Of lanes, the page that shows all of them."""
        return (self.run.lane_set or self.run).get_absolute_url()


def last_runs(tasks: Sequence[GalleryTask]) -> dict[str, LastRun]:
    """By the slug of the task. A run counts that had the task's words, catalog and mode; of lanes, the run in the lead."""
    runs = Run.objects.top_level().own().filter(task__in={task.task for task in tasks})
    latest: dict[tuple[str, str, str, bool], Run] = {}
    for run in runs.select_related("catalog", "lane_set").order_by("-created_at")[:LOOKED_AT]:
        key = (run.task, run.catalog.slug if run.catalog else "", run.mode, run.lane_set is not None)
        latest.setdefault(key, run)
    found = {task.slug: one for task in tasks if (one := latest.get(_key(task)))}
    figures = closing_figures(found.values())
    return {slug: LastRun(one, figures[one.pk].turns if one.pk in figures else 0) for slug, one in found.items()}


def _key(task: GalleryTask) -> tuple[str, str, str, bool]:
    return (task.task, task.catalog, task.lanes[0] if task.lanes else task.mode, bool(task.lanes))
