"""What a catalog is made of, as values that can be changed to see what would follow."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from catalog.exposure import Candidate, Exposure, Selection, expose
from catalog.policy import ALLOW_ALL, PHASES, Phase, Policy, Rule
from catalog.tools import ToolSpec


@dataclass(frozen=True)
class Offering:
    """The tools that a catalog could offer, in catalog order, its filter, and the keys of those in view from the start.

    `policy` decides which of them a request may find.
    """

    candidates: tuple[Candidate, ...]
    selection: Selection
    pre_discovered: tuple[str, ...] = ()
    policy: Policy = ALLOW_ALL

    def exposure(self) -> Exposure:
        return expose(self.candidates, self.selection, self.pre_discovered)

    def candidate(self, key: str) -> Candidate:
        """The tool of that key (`server/name`). Raises StopIteration if there is none."""
        return next(candidate for candidate in self.candidates if candidate.spec.key == key)

    def with_candidate(self, key: str, change: Callable[[Candidate], Candidate]) -> "Offering":
        changed = tuple(change(one) if one.spec.key == key else one for one in self.candidates)
        return replace(self, candidates=changed)

    def with_spec(self, key: str, change: Callable[[ToolSpec], ToolSpec]) -> "Offering":
        return self.with_candidate(key, lambda one: replace(one, spec=change(one.spec)))

    def with_server_on(self, server: str) -> "Offering":
        changed = (replace(one, server_enabled=True) if one.spec.server == server else one for one in self.candidates)
        return replace(self, candidates=tuple(changed))

    def with_tool_let_in(self, server: str, name: str) -> "Offering":
        if self.selection.count_picked(server):
            changed = replace(self.selection, picked=self.selection.picked | {f"{server}/{name}"})
        else:
            changed = replace(self.selection, tools=(*self.selection.tools, f"{server}:{name}"))
        return replace(self, selection=changed)

    def with_tool_let_past(self, spec: ToolSpec) -> "Offering":
        """The policy with a rule before all others that allows the tool where it is denied."""
        rule = Rule(allow=True, name=spec.name, phases=denied_phases(self.policy, spec))
        return replace(self, policy=replace(self.policy, rules=(rule, *self.policy.rules)))


def denied_phases(policy: Policy, spec: ToolSpec) -> tuple[Phase, ...]:
    return tuple(phase for phase in PHASES if policy.ruling(spec, phase))
