"""States that watchers of this process had lately: who comes back is there with few events to fold, or none."""

from collections import OrderedDict
from uuid import UUID

from playground.runs.database import read
from playground.runs.reading import state_at
from playground.runs.state import RunState

MOST_OF_A_RUN = 64
"""States, and so the last seconds of a run under way: those that are away for longer are many events behind anyway."""
MOST_RUNS = 200


class LatestStates:
    """Of each run the last states that were kept. For the event loop alone."""

    def __init__(self) -> None:
        self._runs: OrderedDict[UUID, OrderedDict[int, RunState]] = OrderedDict()

    def keep(self, run_id: UUID, state: RunState) -> None:
        states = self._runs.setdefault(run_id, OrderedDict())
        self._runs.move_to_end(run_id)
        states[state.seq] = state
        if len(states) > MOST_OF_A_RUN:
            states.popitem(last=False)
        if len(self._runs) > MOST_RUNS:
            self._runs.popitem(last=False)

    async def at(self, run_id: UUID, seq: int) -> RunState:
        """The run as it stood after the event `seq`, or after its last where it has fewer."""
        known = [state for kept, state in self._runs.get(run_id, {}).items() if kept <= seq]
        nearest = max(known, key=lambda state: state.seq, default=RunState())
        if nearest.seq == seq:
            return nearest
        state = await read(state_at, run_id, seq, nearest)
        self.keep(run_id, state)
        return state


LATEST = LatestStates()
