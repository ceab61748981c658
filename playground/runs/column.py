"""How later events complete the steps of the chat column. Steps that an event leaves alone stay the same object."""

from collections.abc import Callable
from dataclasses import replace

from playground.agent.events import (
    CallFinished,
    CallRouted,
    CallSent,
    ModelAnswered,
    OfferMade,
    SearchAnswered,
    ToolInView,
    ToolsLoaded,
)
from playground.agent.person_events import CallDecided, CallHeld
from playground.runs.board import EARLIER, Origin
from playground.runs.steps import Called, Loaded, Offered, Said, Searched, Step, call_of, with_call

Steps = tuple[Step, ...]


def with_text(steps: Steps, seq: int, at: float | None, turn: int, text: str) -> Steps:
    """Joined to the turn's open text, or begun."""
    for place in range(len(steps) - 1, -1, -1):
        step = steps[place]
        if isinstance(step, Offered):
            break
        if isinstance(step, Said) and step.turn == turn and step.state == "open":
            return _put(steps, place, replace(step, text=step.text + text))
    return (*steps, Said(seq, at, turn, text))


def with_answer(steps: Steps, event: ModelAnswered) -> Steps:
    def told(step: Step) -> Step:
        if isinstance(step, Said) and step.turn == event.turn and step.state == "open":
            return replace(step, state="whole")
        if isinstance(step, Offered) and step.turn == event.turn:
            return replace(
                step,
                seconds=None if "seconds" in event.unknown else event.seconds,
                finish_reason=event.finish_reason,
                prompt_tokens=event.prompt_tokens,
                completion_tokens=event.completion_tokens,
                cached_tokens=event.cached_tokens,
                written_tokens=event.written_tokens,
                reasoning_tokens=event.reasoning_tokens,
                cost=event.cost,
                unknown=(*step.unknown, *event.unknown),
            )
        return step

    return _in_this_turn(steps, told)


def with_search(steps: Steps, event: SearchAnswered) -> Steps:
    """The search in place of the bare call that made it."""

    def searched(step: Step) -> Step:
        if isinstance(step, Called) and step.call_id == event.call_id:
            return Searched(step.seq, step.at, step, event)
        return step

    return _in_this_turn(steps, searched)


def with_load(steps: Steps, seq: int, at: float | None, event: ToolsLoaded) -> Steps:
    """The loading in place of the bare call that did it; a step of its own where the call has told of a search."""
    place = _place(steps, event.call_id)
    call = call_of(steps[place]) if place is not None else None
    if place is None or call is None:
        return steps
    marked = tuple(_with_loaded_hits(step, event.names) for step in steps)
    if isinstance(steps[place], Called):
        return _put(marked, place, Loaded(call.seq, call.at, call, event.names))
    return (*marked, Loaded(seq, at, call, event.names))


def with_prices(steps: Steps, offer: OfferMade) -> Steps:
    """What was loaded since the last offer, with what it now adds to each prompt."""
    tokens = {tool.name: tool.tokens for tool in offer.tools}

    def priced(step: Step) -> Step:
        if not isinstance(step, Loaded) or step.tokens is not None or "tokens" in offer.unknown:
            return step
        cost = sum(tokens.get(name, 0) for name in step.names)
        return replace(step, tokens=cost, prefix_kept=offer.prefix_kept)

    return _in_this_turn(steps, priced)


def with_hold(steps: Steps, seq: int, event: CallHeld) -> Steps:
    return _with_calls(steps, event.call_id, lambda call: replace(call, state="held", held=event, held_seq=seq))


def with_decision(steps: Steps, event: CallDecided) -> Steps:
    return _with_calls(steps, event.call_id, lambda call: replace(call, state="asked", decided=event))


def with_sent(steps: Steps, event: CallSent) -> Steps:
    return _with_calls(
        steps,
        event.call_id,
        lambda call: replace(call, state="sent", server=event.server, simulated=event.simulated, nested=event.nested),
    )


def with_route(steps: Steps, event: CallRouted) -> Steps:
    return _with_calls(steps, event.call_id, lambda call: replace(call, route=event))


def with_finish(steps: Steps, seq: int, event: CallFinished) -> Steps:
    return _with_calls(
        steps,
        event.call_id,
        lambda call: replace(
            call,
            state=event.outcome,
            content=event.content,
            seconds=None if "seconds" in event.unknown else event.seconds,
            kept=event.kept,
            finished_seq=seq,
            unknown=(*call.unknown, *event.unknown),
        ),
    )


def cut_off(steps: Steps) -> Steps:
    """The text of an answer that will not be completed, marked as such."""
    return _in_this_turn(steps, _close)


def closed(steps: Steps) -> Steps:
    """The steps of a run that ended: what is still open stays open for ever, and says so."""
    return tuple(with_call(_close(step), _close_call) for step in steps)


def among_own_calls(steps: Steps, offer: OfferMade) -> OfferMade:
    """The offer with EARLIER for each call that is not of this run: what those loaded is told as one group."""
    own = {"", *(call.call_id for step in steps if (call := call_of(step)))}
    if all(tool.call_id in own for tool in offer.tools):
        return offer
    tools = (tool if tool.call_id in own else replace(tool, call_id=EARLIER) for tool in offer.tools)
    return replace(offer, tools=tuple(tools))


def origin_of(steps: Steps, tool: ToolInView) -> Origin:
    """The last search before the loading call whose hits hold the tool, else that call."""
    place = _place(steps, tool.call_id)
    if place is None:
        return Origin(earlier=True)
    for step in reversed(steps[: place + 1]):
        if isinstance(step, Searched) and any(hit.name == tool.name for hit in step.found.hits):
            return Origin(step.call.turn, search=step.found.query)
    call = call_of(steps[place])
    return Origin(call.turn, tool=call.tool) if call else Origin()


def _close(step: Step) -> Step:
    return replace(step, state="cut off") if isinstance(step, Said) and step.state == "open" else step


def _close_call(call: Called) -> Called:
    match call.state:
        case "sent":
            return replace(call, state="unknown")
        case "asked" | "held":
            return replace(call, state="not sent")
    return call


def _with_loaded_hits(step: Step, names: tuple[str, ...]) -> Step:
    if not isinstance(step, Searched):
        return step
    loaded = tuple(hit.name for hit in step.found.hits if hit.name in names and hit.name not in step.loaded)
    return replace(step, loaded=(*step.loaded, *loaded)) if loaded else step


def _with_calls(steps: Steps, call_id: str, change: Callable[[Called], Called]) -> Steps:
    def changed(call: Called) -> Called:
        return change(call) if call.call_id == call_id else call

    return _in_this_turn(steps, lambda step: with_call(step, changed))


def _in_this_turn(steps: Steps, change: Callable[[Step], Step]) -> Steps:
    """Each step since the last offer changed, and that offer's own; an answer, its calls and theirs all come before the next one."""
    places = range(len(steps) - 1, -1, -1)
    start = next((place for place in places if isinstance(steps[place], Offered)), 0)
    return (*steps[:start], *(change(step) for step in steps[start:]))


def _place(steps: Steps, call_id: str) -> int | None:
    """Where the call is told of: of its search and its loading, the loading."""
    places = (
        place for place in range(len(steps) - 1, -1, -1) if (call := call_of(steps[place])) and call.call_id == call_id
    )
    return next(places, None)


def _put(steps: Steps, place: int, step: Step) -> Steps:
    return (*steps[:place], step, *steps[place + 1 :])
