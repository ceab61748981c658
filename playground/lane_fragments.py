"""The HTML of what changed in lanes, as htmx swaps it in: by the same templates, from the same values, as the whole page."""

from collections.abc import Callable, Iterator, Sequence

from django.template.loader import render_to_string

from playground.runs.lane_state import Lane
from playground.runs.lane_summary import LaneSummary


def frame(before: Sequence[Lane], after: Sequence[Lane], summarize: Callable[[Sequence[Lane]], LaneSummary]) -> str:
    """Everything that a page showing the lanes `before` needs to show them `after`; `summarize` tells their figures."""
    summary = summarize(after)
    parts = [part for old, new in zip(before, after, strict=True) if old is not new for part in _lane(old, new)]
    parts.append(render_to_string("playground/_lanes_summary.html", {"summary": summary, "swap": True}))
    parts.append(render_to_string("playground/_lanes_seq.html", {"lanes": after, "swap": True}))
    return "".join(parts)


def _lane(before: Lane, after: Lane) -> Iterator[str]:
    for old, new in zip(before.state.steps, after.state.steps, strict=False):
        if old is not new and old != new:
            yield render_to_string("playground/_lane_step.html", {"step": new, "place": after.place, "swap": True})
    if new_steps := after.state.steps[len(before.state.steps) :]:
        yield render_to_string("playground/_lane_more.html", {"steps": new_steps, "place": after.place})
    yield render_to_string("playground/_lane_standing.html", {"lane": after, "swap": True})
    if before.answer != after.answer:
        yield render_to_string("playground/_lane_answer.html", {"lane": after, "swap": True})
