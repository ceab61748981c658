"""The model calls of a run: what each offered, what was said, and what the mode was asked and answered."""

from dataclasses import dataclass

from playground.runs.state import RunState
from playground.runs.steps import Called, Offered, Retried, Said, call_of


@dataclass(frozen=True, slots=True)
class ModelCall:
    """One turn's. `is_open`: no answer was recorded, and the run goes on. `asked` are the calls that the mode answered."""

    offered: Offered
    is_open: bool
    retries: int
    said: str
    calls: tuple[Called, ...]

    @property
    def turn(self) -> int:
        return self.offered.turn

    @property
    def asked(self) -> tuple[Called, ...]:
        return tuple(call for call in self.calls if call.meta)


def model_calls(state: RunState) -> tuple[ModelCall, ...]:
    offers = [step for step in state.steps if isinstance(step, Offered)]
    return tuple(_model_call(state, offered, is_last=offered is offers[-1]) for offered in offers)


def _model_call(state: RunState, offered: Offered, *, is_last: bool) -> ModelCall:
    turn = offered.turn
    texts = [step.text for step in state.steps if isinstance(step, Said) and step.turn == turn]
    retries = sum(isinstance(step, Retried) and step.turn == turn for step in state.steps)
    found = (call for step in state.steps if (call := call_of(step)) and call.turn == turn)
    calls = {call.call_id: call for call in found}
    is_open = is_last and offered.seconds is None and not offered.finish_reason and not state.summary.is_over
    return ModelCall(offered, is_open, retries, texts[-1] if texts else "", tuple(calls.values()))
