"""How later events complete the steps of the chat column. Steps that an event leaves alone stay the same object."""

from dataclasses import replace

from playground.agent.events import (
    ModelAnswered,
    OfferMade,
    SearchAnswered,
    ToolInView,
    ToolsLoaded,
)
from playground.runs.board import EARLIER, Origin
from playground.runs.column_places import Steps, close_text, in_this_turn, place_of, put
from playground.runs.steps import Called, Loaded, Offered, Said, Searched, Step, call_of


def with_text(steps: Steps, seq: int, at: float | None, turn: int, text: str) -> Steps:
    """Joined to the turn's open text, or begun."""
    for place in range(len(steps) - 1, -1, -1):
        step = steps[place]
        if isinstance(step, Offered):
            break
        if isinstance(step, Said) and step.turn == turn and step.state == "open":
            return put(steps, place, replace(step, text=step.text + text))
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

    return in_this_turn(steps, told)


def with_search(steps: Steps, event: SearchAnswered) -> Steps:
    """The search in place of the bare call that made it."""

    def searched(step: Step) -> Step:
        if isinstance(step, Called) and step.call_id == event.call_id:
            return Searched(step.seq, step.at, step, event)
        return step

    return in_this_turn(steps, searched)


def with_load(steps: Steps, seq: int, at: float | None, event: ToolsLoaded) -> Steps:
    """The loading in place of the bare call that did it; a step of its own where the call has told of a search."""
    place = place_of(steps, event.call_id)
    call = call_of(steps[place]) if place is not None else None
    if place is None or call is None:
        return steps
    marked = tuple(_with_loaded_hits(step, event.names) for step in steps)
    if isinstance(steps[place], Called):
        return put(marked, place, Loaded(call.seq, call.at, call, event.names))
    return (*marked, Loaded(seq, at, call, event.names))


def with_prices(steps: Steps, offer: OfferMade) -> Steps:
    """What was loaded since the last offer, with what it now adds to each prompt."""
    tokens = {tool.name: tool.tokens for tool in offer.tools}

    def priced(step: Step) -> Step:
        if not isinstance(step, Loaded) or step.tokens is not None or "tokens" in offer.unknown:
            return step
        cost = sum(tokens.get(name, 0) for name in step.names)
        return replace(step, tokens=cost, prefix_kept=offer.prefix_kept)

    return in_this_turn(steps, priced)


def cut_off(steps: Steps) -> Steps:
    """The text of an answer that will not be completed, marked as such."""
    return in_this_turn(steps, close_text)


def among_own_calls(steps: Steps, offer: OfferMade) -> OfferMade:
    """The offer with EARLIER for each call that is not of this run: what those loaded is told as one group."""
    own = {"", *(call.call_id for step in steps if (call := call_of(step)))}
    if all(tool.call_id in own for tool in offer.tools):
        return offer
    tools = (tool if tool.call_id in own else replace(tool, call_id=EARLIER) for tool in offer.tools)
    return replace(offer, tools=tuple(tools))


def origin_of(steps: Steps, tool: ToolInView) -> Origin:
    """The last search before the loading call whose hits hold the tool, else that call."""
    place = place_of(steps, tool.call_id)
    if place is None:
        return Origin(earlier=True)
    for step in reversed(steps[: place + 1]):
        if isinstance(step, Searched) and any(hit.name == tool.name for hit in step.found.hits):
            return Origin(step.call.turn, search=step.found.query)
    call = call_of(steps[place])
    return Origin(call.turn, tool=call.tool) if call else Origin()


def _with_loaded_hits(step: Step, names: tuple[str, ...]) -> Step:
    if not isinstance(step, Searched):
        return step
    loaded = tuple(hit.name for hit in step.found.hits if hit.name in names and hit.name not in step.loaded)
    return replace(step, loaded=(*step.loaded, *loaded)) if loaded else step
