"""Building a large index in a process of its own, so that whoever asks for pages meanwhile does not wait for it."""

from collections.abc import Callable, Sequence
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path

from catalog.search.index import build_index
from catalog.tools import ToolSpec

APART_FROM = 2_000
"""Tools; fewer are indexed before a process would have started."""
REBUILD_FROM = 0.2
"""The share of tools that must differ for a new index to be quicker than an update of the old."""
TELL_EVERY = 200
"""Tools between two words on progress."""


class BuildFailedError(Exception):
    """The process that built the index ended early; the index is as it was before."""


def build(folder: Path, tools: Sequence[ToolSpec], progress: Callable[[int], None] | None = None) -> None:
    """As `build_index`, apart where the tools are many. Raises BuildFailedError."""
    if len(tools) < APART_FROM:
        build_index(folder, tools, progress)
    else:
        _build_apart(folder, tools, progress or (lambda done: None))


def _build_apart(folder: Path, tools: Sequence[ToolSpec], progress: Callable[[int], None]) -> None:
    context = get_context("spawn")
    hears, tells = context.Pipe(duplex=False)
    process = context.Process(target=_build, args=(folder, tools, tells), daemon=True)
    with hears:
        process.start()
        tells.close()
        _pass_on(hears, progress)
    process.join()
    if process.exitcode:
        raise BuildFailedError(f"building the index of {len(tools):,} tools ended with status {process.exitcode}")


def _pass_on(hears: Connection, progress: Callable[[int], None]) -> None:
    while True:
        try:
            progress(hears.recv())
        except EOFError:
            return


def _build(folder: Path, tools: Sequence[ToolSpec], tells: Connection) -> None:
    """In the process of its own; it ends with a broken pipe if nobody listens any more."""
    with tells:
        build_index(folder, tools, lambda done: None if done % TELL_EVERY else tells.send(done))
