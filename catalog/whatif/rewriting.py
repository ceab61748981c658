"""A description that a model wrote anew, tried on every known query before it is shown. Nothing is kept."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from catalog.whatif.asking_writers import question, unfit, written_in
from catalog.whatif.foreseeing import foresee
from catalog.whatif.rows import with_tools
from catalog.whatif.shifts import Shift, lacking
from catalog.whatif.tally import Tally
from catalog.whatif.under_way import Change


@dataclass(frozen=True, slots=True)
class Rewrite:
    """`problem` says why the text is not offered, as a sentence; `tally` is what it does beyond what the draft does."""

    text: str = ""
    tally: Tally | None = None
    problem: str = ""


def rewrite(change: Change, key: str, shifts: Sequence[Shift], ask: Callable[[str, str], str]) -> Rewrite:
    """Of the tool `key`, whose edit the change is and whose queries `shifts` are. Nothing is asked if none of them fails.

    Raises UnreadableIndexError and WritingFailedError.
    """
    with TemporaryDirectory(prefix="pegboard-rewrite-") as folder:
        draft = change.after(change.before, Path(folder) / "draft")
        tools = {tool.key: tool for tool in draft.corpus.tools}
        tool = tools.get(key)
        failing = lacking(key, shifts, Tally.k)
        if tool is None or not failing:
            return Rewrite(problem="Nothing to write for: no known query that should find this tool fails to.")
        text = written_in(ask(*question(tool, failing, tools)))
        if problem := unfit(text, tool):
            return Rewrite(problem=problem)
        changed = [replace(tool, description=text) if one is tool else one for one in draft.corpus.tools]
        after = with_tools(changed, draft, Path(folder) / "after")
        known = {shift.query.text: shift.after for shift in shifts}
        return _judged(text, Tally(tuple(foresee([shift.query for shift in shifts], draft, after, known)), key))


def _judged(text: str, tally: Tally) -> Rewrite:
    gain = sum(shift.gain for shift in (*tally.better, *tally.worse))
    found_before, found_after, _ = tally.called
    if (gain, found_after - found_before) < (0.0, 0):
        return Rewrite(text, tally, "What the model wrote makes things worse, and is not offered.")
    return Rewrite(text, tally)
