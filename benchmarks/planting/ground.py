"""The tools and queries that edits are planted in, and edits that help, taken as a tuner takes them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

from catalog.absence.steps import with_words
from catalog.search.trials import changed_corpus
from catalog.tools import ToolSpec
from catalog.whatif.edits import Wanted
from catalog.whatif.foreseeing import foresee
from catalog.whatif.queries import KnownQuery
from catalog.whatif.shifts import Shift
from catalog.whatif.sides import Side
from catalog.whatif.suggesting import suggestions
from catalog.whatif.tally import Tally

Edits = dict[str, ToolSpec]
"""Tools as they are edited, by their keys."""


@dataclass(frozen=True)
class Ground:
    """The tools and queries before any edit."""

    side: Side
    shifts: Sequence[Shift]
    folder: Path
    random: Random

    @property
    def tools(self) -> tuple[ToolSpec, ...]:
        return self.side.corpus.tools

    @property
    def queries(self) -> list[KnownQuery]:
        return [shift.query for shift in self.shifts]

    def found(self) -> list[ToolSpec]:
        """Right tools that stand among the first five, in an order of their own."""
        keys = {key for shift in self.shifts for key in shift.query.answers if (shift.before.rank(key) or 9) <= 5}
        tools = [tool for tool in self.tools if tool.key in keys]
        return self.random.sample(tools, len(tools))

    def with_edits(self, edits: Edits) -> Wanted:
        tools = tuple(edits.get(tool.key, tool) for tool in self.tools)
        return Wanted(tools, self.side.engine, self.side.policy)

    def sibling(self, tool: ToolSpec) -> ToolSpec:
        others = [one for one in self.tools if one.server == tool.server and one.key != tool.key]
        return self.random.choice(others or [one for one in self.tools if one.key != tool.key])

    def stranger(self) -> ToolSpec:
        return self.random.choice(self.tools)


def ground_of(side: Side, queries: Sequence[KnownQuery], folder: Path) -> Ground:
    return Ground(side, tuple(foresee(queries, side, side, {})), folder, Random(5))


def suggested(ground: Ground, most: int) -> Edits:
    """Edits as a tuner takes them one after the other: of what is proposed, what makes most better and none worse."""
    side, edits, tried = ground.side, Edits(), set[str]()
    while len(edits) < most:
        shifts = list(foresee(ground.queries, side, side, {}))
        tools = {tool.key: tool for tool in side.corpus.tools}
        lacking = (key for shift in shifts if shift.fails(Tally.k) for key in sorted(shift.query.answers))
        tool = next((tools[key] for key in lacking if key in tools and key not in tried), None)
        if tool is None:
            return edits
        tried.add(tool.key)
        taken = max(_proposed(ground, side, shifts, tool), key=lambda pair: pair[0], default=None)
        if taken is not None:
            _, edits[tool.key], side = taken
    return edits


def _proposed(
    ground: Ground, side: Side, shifts: Sequence[Shift], spec: ToolSpec
) -> Iterator[tuple[float, ToolSpec, Side]]:
    known = {shift.query.text: shift.before for shift in shifts}
    for one in suggestions(spec, shifts, side.corpus.tools, Tally.k):
        edited = replace(spec, search_text=with_words(spec.search_text, one.words))
        tools = [edited if tool is spec else tool for tool in side.corpus.tools]
        folder = ground.folder / str(len([*ground.folder.iterdir()]))
        after = replace(side, corpus=changed_corpus(side.corpus, tools, folder))
        tally = Tally(tuple(foresee(ground.queries, side, after, known)), spec.key)
        if tally.better and not tally.worse:
            yield sum(shift.gain for shift in tally.better), edited, after
