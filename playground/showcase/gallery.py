"""The gallery: tasks on the sample that each show something else, and what to look at in a run of them."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from catalog.sources import sample

FILE = Path(__file__).parent / "gallery.json"


@dataclass(frozen=True, slots=True)
class GalleryTask:
    """`shows` and `look` are sentences; `catalog` is a short name, `mode` empty where it is that of the catalog.

    `lanes` are the modes of one that runs in several at once, the first of them the lead.
    """

    slug: str
    title: str
    shows: str
    look: str
    task: str
    catalog: str
    mode: str = ""
    context: Mapping[str, str] = field(default_factory=dict)
    lanes: tuple[str, ...] = ()

    @property
    def query(self) -> str:
        """What fills in the playground's form, or that of lanes but for their chat model, as the query of its address."""
        lanes = {f"{place}-mode": mode for place, mode in enumerate(self.lanes, 1)}
        catalogs = {f"{place}-catalog": self.catalog for place, _ in enumerate(self.lanes, 1)}
        context = "\n".join(f"{name} = {value}" for name, value in self.context.items())
        told = {"catalog": self.catalog, "mode": self.mode, "context": context, "task": self.task}
        told |= {**catalogs, **lanes}
        return urlencode({name: value for name, value in told.items() if value})


@cache
def gallery() -> tuple[GalleryTask, ...]:
    tasks = {task.title: task for task in sample.tasks()}
    return tuple(_task(entry, tasks) for entry in json.loads(FILE.read_text(encoding="utf-8")))


def _task(entry: dict[str, Any], tasks: Mapping[str, sample.SampleTask]) -> GalleryTask:
    """One that names a task of the sample has its text and its catalog."""
    usual = {"catalog": "office-agent"}
    if named := entry.pop("sample", None):
        usual = {"task": tasks[named].task, "catalog": tasks[named].catalog}
    return GalleryTask(**{**usual, **entry, "lanes": tuple(entry.get("lanes", ()))})
