"""Places in the chat column: the steps of the turn under way, where a call is told of, and a step put in place of another."""

from collections.abc import Callable
from dataclasses import replace

from playground.runs.steps import Offered, Said, Step, call_of

Steps = tuple[Step, ...]


def in_this_turn(steps: Steps, change: Callable[[Step], Step]) -> Steps:
    """Each step since the last offer changed, and that offer's own; an answer, its calls and theirs all come before the next one."""
    places = range(len(steps) - 1, -1, -1)
    start = next((place for place in places if isinstance(steps[place], Offered)), 0)
    return (*steps[:start], *(change(step) for step in steps[start:]))


def place_of(steps: Steps, call_id: str) -> int | None:
    """Where the call is told of: of its search and its loading, the loading."""
    places = (
        place for place in range(len(steps) - 1, -1, -1) if (call := call_of(steps[place])) and call.call_id == call_id
    )
    return next(places, None)


def put(steps: Steps, place: int, step: Step) -> Steps:
    return (*steps[:place], step, *steps[place + 1 :])


def close_text(step: Step) -> Step:
    """An answer that will not be completed, marked as such."""
    return replace(step, state="cut off") if isinstance(step, Said) and step.state == "open" else step
