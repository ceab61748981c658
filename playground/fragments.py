"""The HTML of what changed in a run, as htmx swaps it in: by the same templates, from the same state, as the whole page."""

from collections import OrderedDict
from collections.abc import Iterator, Sequence
from uuid import UUID

from django.template.loader import render_to_string

from catalog.invisible import has_invisible
from playground.runs.state import Recorded, RunState, state_of
from playground.runs.steps import Said, Step
from playground.view_fragments import VIEW_FRAMES

HEAD = ("about", "summary")
"""The parts of a state that every view shows."""
PANELS = (*HEAD, "meter", "holes", "board", "chart")
"""The parts of a state that have a panel each: `_about.html` shows `about`, in the element of the id `run-about`."""
MOST_FRAMES = 256


class SharedFrames:
    """Frames that several watchers get at the same time: folded and rendered for the first of them."""

    def __init__(self) -> None:
        self._frames: OrderedDict[tuple[UUID, int, int, str], tuple[RunState, str]] = OrderedDict()

    def advance(
        self, run_id: UUID, before: RunState, events: Sequence[Recorded], view: str = "chat"
    ) -> tuple[RunState, str]:
        """The state after the events, and the frame that brings a page of that view there."""
        key = (run_id, before.seq, events[-1].seq, view)
        if key not in self._frames:
            after = state_of(events, before)
            self._frames[key] = (after, frame(before, after, view))
            if len(self._frames) > MOST_FRAMES:
                self._frames.popitem(last=False)
        return self._frames[key]


FRAMES = SharedFrames()


def frame(before: RunState, after: RunState, view: str = "chat") -> str:
    """Everything that a page showing this view of `before` needs to show `after`."""
    if tell := VIEW_FRAMES.get(view):
        return "".join([*tell(before, after), *_panels(before, after, HEAD), _seq(after)])
    steps = (*_changed_steps(before, after), *_new_steps(before, after))
    return "".join([*steps, *_panels(before, after, PANELS), _seq(after)])


def _changed_steps(before: RunState, after: RunState) -> Iterator[str]:
    for old, new in zip(before.steps, after.steps, strict=False):
        if old is new or old == new:
            continue
        if isinstance(old, Said) and isinstance(new, Said) and _only_grew(old, new):
            yield render_to_string("playground/_more_text.html", {"seq": new.seq, "text": new.text[len(old.text) :]})
        else:
            yield _step(new, swap=True)


def _new_steps(before: RunState, after: RunState) -> Iterator[str]:
    if new := after.steps[len(before.steps) :]:
        yield render_to_string("playground/_more_steps.html", {"steps": new})


def _panels(before: RunState, after: RunState, names: Sequence[str]) -> Iterator[str]:
    for name in names:
        if getattr(before, name) != (part := getattr(after, name)):
            arriving = _arriving(before, after) if name == "board" else ()
            yield render_to_string(f"playground/_{name}.html", {name: part, "swap": True, "arriving": arriving})


def _arriving(before: RunState, after: RunState) -> frozenset[str]:
    """The tools that this frame hangs up: a page that is loaded anew has none, as nothing moves on it."""
    return frozenset(peg.name for peg in after.board.pegs()) - {peg.name for peg in before.board.pegs()}


def _seq(after: RunState) -> str:
    return render_to_string("playground/_seq.html", {"seq": after.seq, "swap": True})


def _step(step: Step, swap: bool) -> str:
    return render_to_string(f"playground/steps/{step.kind}.html", {"step": step, "swap": swap})


def _only_grew(old: Said, new: Said) -> bool:
    """Whether the new part can be shown by itself: an invisible character at the seam is judged by both its neighbours."""
    if old.state != new.state or not new.text.startswith(old.text):
        return False
    return not has_invisible(old.text[-2:]) and not has_invisible(new.text[len(old.text) :])
