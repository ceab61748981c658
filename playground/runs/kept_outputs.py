"""Large outputs of runs on disk: a folder a run, which goes with its run, or after PEGBOARD_OUTPUT_DAYS days."""

import shutil
import time
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from uuid import UUID

from django.conf import settings
from django.db import DatabaseError

from catalog.repeating import repeat
from playground.agent.large_outputs.files import OutputFiles
from playground.models import Run
from playground.runs.database import read

REMOVE_EVERY = 3600.0
DAY = 86_400.0


def files_of(run_id: UUID, earlier: Sequence[UUID] = ()) -> OutputFiles:
    """The run's own files; those of `earlier` runs of its conversation can be read as well."""
    root = settings.PEGBOARD_OUTPUT_DIR
    return OutputFiles(root / str(run_id), [root / str(each) for each in earlier])


def remove_old() -> int:
    """Remove the folders of runs that are gone, and those to which nothing was added for so many days; how many."""
    folders = dict(_folders())
    runs = set(Run.objects.filter(pk__in=folders).values_list("pk", flat=True))
    oldest = time.time() - settings.PEGBOARD_OUTPUT_DAYS * DAY
    gone = [folder for pk, folder in folders.items() if pk not in runs or folder.stat().st_mtime < oldest]
    for folder in gone:
        shutil.rmtree(folder)
    return len(gone)


async def keep_removing() -> None:
    """At the start, then every hour."""
    failing = "old outputs of tools could not be removed"
    await repeat(partial(read, remove_old), REMOVE_EVERY, failing, at_once=True, failures=(DatabaseError, OSError))


def _folders() -> Iterator[tuple[UUID, Path]]:
    """Those that bear a run's id; anything else there is left alone."""
    root = settings.PEGBOARD_OUTPUT_DIR
    for folder in root.iterdir() if root.is_dir() else ():
        try:
            yield UUID(folder.name), folder
        except ValueError:
            continue
