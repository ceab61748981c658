"""Suggested edits of a tool's search text, each tried on every known query before it is shown."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic

from catalog.absence.steps import with_words
from catalog.models import Tool
from catalog.whatif.foreseeing import foresee
from catalog.whatif.rows import with_tools
from catalog.whatif.shifts import Shift
from catalog.whatif.sides import Side
from catalog.whatif.suggesting import Suggestion, suggestions
from catalog.whatif.tally import Tally
from catalog.whatif.under_way import Change

MAX_SECONDS = 8.0
"""Seconds after which no further suggestion is tried."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """A suggestion, the search text with it, and what it does to the queries beyond what the draft does."""

    suggestion: Suggestion
    text: str
    tally: Tally

    @property
    def gain(self) -> tuple[float, int]:
        """In the judged figures, and in called tools that are found."""
        before, after, _ = self.tally.called
        return sum(shift.gain for shift in (*self.tally.better, *self.tally.worse)), after - before

    @property
    def helps(self) -> bool:
        return self.gain > (0.0, 0)


def proposals(change: Change, tool: Tool, shifts: Sequence[Shift]) -> tuple[list[Proposal], int]:
    """Those that help, best first, and how many were tried. `shifts` are what the change does, an edit of the tool.

    Raises UnreadableIndexError.
    """
    with TemporaryDirectory(prefix="pegboard-proposals-") as folder:
        draft = change.after(change.before, Path(folder) / "draft")
        tried = list(_tried(draft, tool, shifts, Path(folder)))
    return sorted((one for one in tried if one.helps), key=lambda one: one.gain, reverse=True), len(tried)


def _tried(draft: Side, tool: Tool, shifts: Sequence[Shift], folder: Path) -> Iterator[Proposal]:
    spec = next((one for one in draft.corpus.tools if one.key == str(tool)), None)
    if spec is None:
        return
    known, until = {shift.query.text: shift.after for shift in shifts}, monotonic() + MAX_SECONDS
    for number, one in enumerate(suggestions(spec, shifts, draft.corpus.tools, Tally.k)):
        if monotonic() > until:
            return
        text = with_words(tool.search_text, one.words)
        tools = [replace(spec, search_text=text) if other is spec else other for other in draft.corpus.tools]
        after = with_tools(tools, draft, folder / str(number))
        found = tuple(foresee([shift.query for shift in shifts], draft, after, known))
        yield Proposal(one, text, Tally(found, spec.key))
