"""What each edit of a draft does to the judged queries: by itself, and on top of the others.

Every side is made from the one before in one step, so that an edit that is left out leaves no trace in an index.
"""

from collections.abc import Callable, Collection, Mapping, MutableMapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from time import monotonic

from catalog.search.orders import Order
from catalog.whatif.edits import Edit, Wanted, edits_between, with_edits
from catalog.whatif.foreseeing import foresee
from catalog.whatif.queries import KnownQuery, asked_terms, moved_terms
from catalog.whatif.shifts import LEAST, Shift
from catalog.whatif.sides import Side

FIGURE = "recall@5"
"""The figure that falls where a right tool leaves the first five."""

Orders = Mapping[str, Order]
"""What queries find, by text."""


@dataclass(frozen=True, slots=True)
class Weighed:
    """What an edit does to judged queries.

    `better` and `worse` are what it does by itself, `worse` without what the others make up for. From those in `losing` it
    takes, on top of the others, a right tool out of the first five. It is `covered` if a judged query has one of its tools as
    right.
    """

    edit: Edit
    covered: bool
    better: tuple[Shift, ...] = ()
    worse: tuple[Shift, ...] = ()
    losing: tuple[Shift, ...] = ()

    @property
    def harms(self) -> bool:
        return bool(self.worse or self.losing)

    @property
    def harmed(self) -> tuple[Shift, ...]:
        """Each query once, those that it harms by itself first."""
        return tuple({shift.query.text: shift for shift in (*self.losing[::-1], *self.worse[::-1])}.values())[::-1]


@dataclass(frozen=True, slots=True)
class Weighing:
    """All edits of a draft. `together` are queries that lose a right tool from the first five to no single one of the edits.

    `shifts` are what all edits do, of the queries that were asked in time. Of `total` edits `edits` were weighed in time, those
    first that most queries can tell of.
    """

    edits: tuple[Weighed, ...] = ()
    together: tuple[Shift, ...] = ()
    shifts: tuple[Shift, ...] = ()
    total: int = 0

    @property
    def harming(self) -> list[Weighed]:
        """Those that harm most first."""
        return sorted((one for one in self.edits if one.harms), key=lambda one: -len(one.harmed))


def loses_an_answer(shift: Shift) -> bool:
    """Whether a right tool leaves the first five, and no other right one comes in."""
    return shift.figures_after[FIGURE] < shift.figures_before[FIGURE] - LEAST


@dataclass
class Scale:
    """The judged queries before any edit; `known` holds what they find, by text, and is filled in.

    `until` is when by the monotonic clock no further edit is weighed, and `tell` hears how many were.
    """

    before: Side
    wanted: Wanted
    queries: Sequence[KnownQuery]
    known: MutableMapping[str, Order]
    folder: Path
    until: float
    tell: Callable[[int], None] = lambda done: None
    _sides: int = field(default=0, init=False)

    def weigh(self) -> Weighing:
        """Raises UnreadableIndexError."""
        edits = edits_between(self.before, self.wanted)
        if not edits:
            return Weighing()
        shifts = self._asked(edits)
        together = {shift.query.text: shift.after for shift in shifts}
        if len(edits) == 1:
            return Weighing((self._weighed(edits[0], shifts),), (), shifts, 1)
        near = {edit: self._near(edit, together) for edit in edits}
        alone: list[Weighed] = []
        for edit in sorted(edits, key=lambda edit: -len(near[edit])):
            if self._is_late:
                break
            found = self._weighed(edit, self._shifts([edit], near[edit]))
            alone.append(replace(found, worse=self._still_worse(found, edits, together)))
            self.tell(len(alone))
        return self._on_top(edits, alone, near, shifts)

    def _on_top(
        self,
        edits: Sequence[Edit],
        alone: Sequence[Weighed],
        near: Mapping[Edit, list[KnownQuery]],
        shifts: Sequence[Shift],
    ) -> Weighing:
        """Those that harm nothing by themselves are weighed once more, each on top of the others of them."""
        harming = {one.edit for one in alone if one.harms}
        rest = [edit for edit in edits if edit not in harming]
        kept = self._asked(rest) if harming and rest and not self._is_late else shifts
        named = {shift.query.text for one in alone for shift in one.harmed}
        weighed, found = [], {shift.query.text: shift.after for shift in kept}
        for one in alone:
            losing = () if one.harms or self._is_late else self._losing(one.edit, rest, near, found)
            weighed.append(replace(one, losing=losing))
            named |= {shift.query.text for shift in losing}
        together = (shift for shift in kept if loses_an_answer(shift) and shift.query.text not in named)
        return Weighing(tuple(weighed), tuple(together), tuple(shifts), len(edits))

    def _still_worse(self, one: Weighed, edits: Sequence[Edit], together: Orders) -> tuple[Shift, ...]:
        """Of the queries that an edit makes worse by itself those that lose an answer, or are better without it in the draft."""
        asked = [shift.query for shift in one.worse if shift.query.text in together and not loses_an_answer(shift)]
        lacking = self._shifts([edit for edit in edits if edit != one.edit], asked)
        on_top = (Shift(found.query, found.after, together[found.query.text]) for found in lacking)
        mended = {shift.query.text for shift in on_top if not shift.is_worse}
        return tuple(shift for shift in one.worse if shift.query.text not in mended)

    def _losing(
        self, edit: Edit, rest: Sequence[Edit], near: Mapping[Edit, list[KnownQuery]], found: Orders
    ) -> tuple[Shift, ...]:
        """Of the queries that another of the edits is near to as well: by itself it was asked of all that it is near to."""
        others = [other for other in rest if other != edit]
        theirs = {query.text for other in others for query in near[other]}
        shared = [query for query in near[edit] if query.text in theirs and query.text in found]
        lacking = self._shifts(others, shared)
        on_top = (Shift(one.query, one.after, found[one.query.text]) for one in lacking)
        return tuple(shift for shift in on_top if loses_an_answer(shift))

    def _weighed(self, edit: Edit, shifts: Sequence[Shift]) -> Weighed:
        covered = not edit.is_of_tools or any(edit.keys & query.answers for query in self.queries)
        better = tuple(shift for shift in shifts if shift.is_better)
        worse = sorted((shift for shift in shifts if shift.is_worse), key=lambda shift: shift.gain)
        return Weighed(edit, covered, better, tuple(worse))

    def _near(self, edit: Edit, together: Orders) -> list[KnownQuery]:
        """The queries that can tell of an edit: they find one of its tools, before or after, or ask for a word that it moves."""
        if not edit.is_of_tools:
            return list(self.queries)
        keys, moved = edit.keys, moved_terms(edit.old, edit.new)
        return [
            query
            for query in self.queries
            if not moved.isdisjoint(asked_terms(query.text))
            or _tells(self.known.get(query.text), keys)
            or _tells(together.get(query.text), keys)
        ]

    def _asked(self, edits: Collection[Edit]) -> tuple[Shift, ...]:
        """Every query, as far as the time goes."""
        shifts = []
        for shift in foresee(self.queries, self.before, self._side(edits), self.known):
            shifts.append(shift)
            if self._is_late:
                break
        return tuple(shifts)

    def _shifts(self, edits: Collection[Edit], queries: Sequence[KnownQuery]) -> list[Shift]:
        return list(foresee(queries, self.before, self._side(edits), self.known)) if queries else []

    def _side(self, edits: Collection[Edit]) -> Side:
        self._sides += 1
        return with_edits(self.before, self.wanted, edits, self.folder / str(self._sides))

    @property
    def _is_late(self) -> bool:
        return monotonic() > self.until


def _tells(order: Order | None, keys: frozenset[str]) -> bool:
    return order is not None and not keys.isdisjoint((*order.kept, *order.below))
