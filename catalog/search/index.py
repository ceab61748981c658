"""The Whoosh index of a corpus on disk: building it, changing it and opening it.

An index folder holds generations, folders named by a number, of which the highest counts. A new one is built aside and
renamed into place, so that a build that is killed leaves the old one whole.
"""

import os
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from whoosh.index import Index, create_in, open_dir
from whoosh.util.filelock import FileLock

from catalog.search.documents import document, index_key, index_schema
from catalog.tools import ToolSpec

_BUILDING = "building-"
_MEGABYTES = 256
"""Memory that a build may fill before it goes to disk."""


class UnreadableIndexError(Exception):
    """There is no usable index in the folder: it has to be built again."""


def build_index(folder: Path, tools: Iterable[ToolSpec], progress: Callable[[int], None] | None = None) -> None:
    """Build an index of `tools`, whose names are unique; `progress` hears how many are done, after each.

    Until it returns, and if it does not, whoever opens the folder gets the index that was there before.
    """
    with _alone(folder):
        _sweep(folder)
        aside = Path(tempfile.mkdtemp(prefix=_BUILDING, dir=folder))
        _write(aside, tools, progress)
        _flush(aside)
        aside.rename(folder / f"{_newest(folder) + 1:08}")
        _flush(folder)


def update_index(folder: Path, changed: Iterable[ToolSpec] = (), removed: Iterable[str] = ()) -> None:
    """Put the changed tools in, and take the removed names out. Raises UnreadableIndexError if there is no index."""
    with _alone(folder), open_index(folder).writer() as writer:
        for tool in changed:
            writer.update_document(**document(tool))
        for name in removed:
            writer.delete_by_term("key", index_key(name))


def copy_index(folder: Path, to: Path) -> None:
    """Copy the newest index of a folder into another, which must not exist. Raises UnreadableIndexError if there is none."""
    with _alone(folder):
        number = _newest(folder)
        if not number:
            raise UnreadableIndexError(f"no index in {folder}")
        shutil.copytree(folder / f"{number:08}", to / f"{number:08}")


def open_index(folder: Path) -> Index:
    """The newest index in the folder. Raises UnreadableIndexError."""
    number = _newest(folder)
    if not number:
        raise UnreadableIndexError(f"no index in {folder}")
    with unreadable(folder):
        return open_dir(str(folder / f"{number:08}"))


def index_state(folder: Path) -> tuple[str, ...]:
    """What changes whenever the index in the folder does."""
    return tuple(sorted(str(path) for path in (folder / f"{_newest(folder):08}").glob("*.toc")))


@contextmanager
def unreadable(folder: Path) -> Iterator[None]:
    """Whatever goes wrong while the files are read is the index's fault: damaged bytes can raise anything."""
    try:
        yield
    except UnreadableIndexError:
        raise
    except Exception as error:
        raise UnreadableIndexError(f"the index in {folder} cannot be read: {error}") from error


def _write(folder: Path, tools: Iterable[ToolSpec], progress: Callable[[int], None] | None) -> None:
    with create_in(str(folder), index_schema()).writer(limitmb=_MEGABYTES) as writer:
        for done, tool in enumerate(tools, start=1):
            writer.add_document(**document(tool))
            if progress:
                progress(done)


def _generations(folder: Path) -> list[int]:
    return sorted(int(path.name) for path in folder.glob("[0-9]*") if path.name.isdecimal())


def _newest(folder: Path) -> int:
    """The number of the newest generation, 0 if there is none."""
    return max(_generations(folder), default=0)


def _sweep(folder: Path) -> None:
    """Remove what killed builds left, and all generations but the newest, which somebody may be about to open."""
    old = [folder / f"{number:08}" for number in _generations(folder)[:-1]]
    for path in (*folder.glob(f"{_BUILDING}*"), *old):
        shutil.rmtree(path)


def _flush(folder: Path) -> None:
    """Have a folder and its files on disk, so that a power cut cannot leave a name without its bytes."""
    for path in (folder, *(path for path in folder.iterdir() if path.is_file())):
        descriptor = os.open(path, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """One writer at a time, in any process; the lock of a killed one is gone with it."""
    folder.mkdir(parents=True, exist_ok=True)
    lock = FileLock(str(folder / "writing"))
    lock.acquire(blocking=True)
    try:
        yield
    finally:
        lock.release()
