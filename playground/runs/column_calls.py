"""What becomes of a call in the chat column: held, decided, sent, routed, finished, or left open for ever."""

from collections.abc import Callable
from dataclasses import replace

from playground.agent.events import CallFinished, CallRouted, CallSent
from playground.agent.person_events import CallDecided, CallHeld
from playground.runs.column_places import Steps, close_text, in_this_turn
from playground.runs.steps import Called, with_call


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


def closed(steps: Steps) -> Steps:
    """The steps of a run that ended: what is still open stays open for ever, and says so."""
    return tuple(with_call(close_text(step), _close_call) for step in steps)


def _close_call(call: Called) -> Called:
    match call.state:
        case "sent":
            return replace(call, state="unknown")
        case "asked" | "held":
            return replace(call, state="not sent")
    return call


def _with_calls(steps: Steps, call_id: str, change: Callable[[Called], Called]) -> Steps:
    def changed(call: Called) -> Called:
        return change(call) if call.call_id == call_id else call

    return in_this_turn(steps, lambda step: with_call(step, changed))
