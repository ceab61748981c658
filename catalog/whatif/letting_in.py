"""What a change of a policy lets in: what it hides is hidden on purpose, and is not held against it."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from catalog.policy import Denial, Phase, Policy
from catalog.tools import ToolSpec
from catalog.whatif.edits import Wanted
from catalog.whatif.sides import Side


@dataclass(frozen=True)
class Hiding(Policy):
    """Denies the tools of these names, and no others."""

    names: frozenset[str] = frozenset()

    def may_deny(self, phase: Phase) -> bool:
        return bool(self.names)

    def denial(self, tool: ToolSpec, phase: Phase) -> Denial | None:
        return Denial(tool.name, phase, "it stays hidden") if tool.name in self.names else None


def letting_in(before: Side, wanted: Wanted) -> Policy:
    """The wanted policy without what it hides of the tools that were found; as it was, if it lets nothing in.

    Both are asked in the context that stood before: another one to try changes pages, and no request of an agent.
    """
    if wanted.policy == before.policy:
        return wanted.policy
    was = _denied(before.corpus.tools, before.policy)
    then = _denied(wanted.tools, replace(wanted.policy, context=before.policy.context))
    if was.isdisjoint({tool.name for tool in wanted.tools} - then):
        return before.policy
    found = {tool.name for tool in before.corpus.tools} - was
    return Hiding(names=frozenset(then - found))


def _denied(tools: Iterable[ToolSpec], policy: Policy) -> set[str]:
    if not policy.may_deny("search"):
        return set()
    return {tool.name for tool in tools if policy.denial(tool, "search")}
