"""What a nested run did, as the slide of the call that it is tells it."""

from dataclasses import dataclass

from playground.runs.state import RunState
from playground.runs.steps import Called, Loaded, Said, Searched, Step

_TOLD = (Searched, Loaded, Called, Said)


@dataclass(frozen=True, slots=True)
class Course:
    """`title` is that of the agent, empty where it was deleted."""

    title: str
    state: RunState

    @property
    def steps(self) -> tuple[Step, ...]:
        """Searches, loads, calls and what was said, in order."""
        return tuple(step for step in self.state.steps if isinstance(step, _TOLD))

    @property
    def searches(self) -> int:
        return self._count(Searched)

    @property
    def calls(self) -> int:
        return self._count(Called)

    @property
    def loaded(self) -> int:
        """Tools, not loads."""
        return sum(len(step.names) for step in self.state.steps if isinstance(step, Loaded))

    def _count(self, kind: type[Step]) -> int:
        return sum(isinstance(step, kind) for step in self.state.steps)
