"""jq on a text, in a process of its own: a query may loop for ever or ask for all memory there is."""

import re
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.connection import Connection

from playground.agent.large_outputs.jq_process import Reply, answer_query

SECONDS = 10.0
"""Within which the process must have begun and answered."""
_MODULES = re.compile(r"\A(?:\s|#[^\r\n]*)*(?:import|include|module)\b|(?<![.$\w])modulemeta\b")


class QueryFailedError(Exception):
    """The query has no answer; the message says why, in words for the model."""


@dataclass(frozen=True, slots=True)
class Query:
    """A jq program, and how its results are written: `compact` in one line each, `raw` texts without quotes."""

    program: str
    compact: bool = False
    raw: bool = False

    @property
    def reads_modules(self) -> bool:
        return bool(_MODULES.search(self.program))


def run_query(text: str, query: Query, most: int, seconds: float = SECONDS) -> str:
    """The results, a line or several each, as jq writes them, at most `most` characters. Raises QueryFailedError."""
    if query.reads_modules:
        raise QueryFailedError("modules are not available here")
    reply = _asked_apart(text, query, most, seconds)
    if reply.problem:
        raise QueryFailedError(reply.problem)
    return reply.text


def _asked_apart(text: str, query: Query, most: int, seconds: float) -> Reply:
    context = get_context("spawn")
    hears, tells = context.Pipe(duplex=False)
    asked = (text, query.program, query.compact, query.raw, most, tells)
    process = context.Process(target=answer_query, args=asked, daemon=True)
    with hears:
        process.start()
        tells.close()
        try:
            return _heard(hears, seconds)
        finally:
            process.kill()
            process.join()
            process.close()


def _heard(hears: Connection, seconds: float) -> Reply:
    if not hears.poll(seconds):
        raise QueryFailedError(f"it took longer than {seconds:g} seconds")
    try:
        reply: Reply = hears.recv()
    except EOFError:
        raise QueryFailedError("it needed too much memory or time") from None
    return reply
