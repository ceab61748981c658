"""Tools that were paid for in every prompt and never called."""

from collections import defaultdict
from collections.abc import Iterator
from typing import ClassVar

from playground.agent.events import ToolInView
from playground.reviewing.evidence import Evidence
from playground.reviewing.finding import MOST_NAMED, Finding
from playground.reviewing.right_tools import Rights

CAUSES = ("pre-discovered", "loaded")
"""Tools of special categories are always in view: nobody chose them for this run."""


class DeadWeight:
    """One finding for each call that loaded such tools, and one for those in view from the start."""

    slug: ClassVar[str] = "dead-weight"
    title: ClassVar[str] = "Dead weight"
    harm: ClassVar[bool] = False

    def look(self, run: Evidence, rights: Rights) -> Iterator[Finding]:
        if run.unknown & {"tools", "tokens"} or not run.calls:
            return
        called = {call.name for call in run.calls}
        loads = {load.call_id: load.seq for load in run.loads}
        for call_id, tools in _idle(run, called).items():
            names = tuple(tools)
            whole = sum(tokens for seen in tools.values() for tokens in seen)
            each = sum(seen[-1] for seen in tools.values())
            # Where an earlier run of the thread loaded them, they came with the first offer.
            seq = loads.get(call_id, run.offers[0].seq)
            came = "loaded" if call_id else "in view from the start"
            sentence = (
                f"{len(names):,} tool{'' if len(names) == 1 else 's'} {came} and never called: "
                f"{each:,} tokens a prompt, {whole:,} in all."
            )
            yield Finding(self.slug, seq, sentence, names[:MOST_NAMED], tokens=whole, about=came)


def _idle(run: Evidence, called: set[str]) -> dict[str, dict[str, list[int]]]:
    """By the call that loaded them (empty: from the start) and name, the tokens in each turn in which they were in view."""
    found: dict[str, dict[str, list[int]]] = defaultdict(lambda: defaultdict(list))
    for offer in run.offers:
        for tool in filter(_counts, offer.tools):
            if tool.name not in called:
                found[tool.call_id][tool.name].append(tool.tokens)
    return found


def _counts(tool: ToolInView) -> bool:
    return tool.cause in CAUSES
