"""What the gate says of a change: the edits of it that make judged queries worse, and who may let it through all the same."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic

from django.contrib.auth.models import User

from catalog.auditing.recording import Act, record
from catalog.models import Catalog, Tool
from catalog.roles import Role, role_of
from catalog.whatif.edits import Wanted
from catalog.whatif.tally import Tally
from catalog.whatif.under_way import Change
from catalog.whatif.weighing_edits import Scale, Weighed, Weighing

MAX_SECONDS = 30.0
"""Seconds after which no further query is asked and no further edit weighed; the verdict says how many were."""


@dataclass(frozen=True)
class Verdict:
    """What a change does to the judged queries of a catalog, of which there are `judged`."""

    catalog: Catalog
    weighing: Weighing
    judged: int

    @cached_property
    def tally(self) -> Tally:
        """What all edits do together."""
        return Tally(self.weighing.shifts)

    @cached_property
    def harming(self) -> list[Weighed]:
        return self.weighing.harming

    @cached_property
    def harmless(self) -> list[Weighed]:
        return [one for one in self.weighing.edits if not one.harms]

    @cached_property
    def uncovered(self) -> list[Weighed]:
        """Edits of tools that no judged query has as right."""
        return [one for one in self.weighing.edits if not one.covered]

    @cached_property
    def worse(self) -> list[str]:
        """The queries for which it is held, each once."""
        harmed = (shift for one in self.harming for shift in one.harmed)
        return list(dict.fromkeys(shift.query.text for shift in (*harmed, *self.weighing.together)))

    @property
    def is_of_many(self) -> bool:
        return self.weighing.total > 1

    @property
    def unweighed(self) -> int:
        return self.weighing.total - len(self.weighing.edits)

    @property
    def asked(self) -> int:
        return len(self.weighing.shifts)

    @property
    def unasked(self) -> int:
        return self.judged - self.asked

    @property
    def holds(self) -> bool:
        return bool(self.harming or self.weighing.together)

    def may_override(self, user: User) -> bool:
        return role_of(user) >= (Role.ADMIN if self.catalog.gate == Catalog.Gate.BLOCK else Role.CURATOR)


@dataclass(frozen=True, slots=True)
class Held:
    """Why a change is not made: the verdicts that hold it, and whether this person may let it through."""

    verdicts: Sequence[Verdict]
    may_override: bool

    def tell(self, row: Catalog | Tool | None, reason: str, by: User) -> None:
        """Have the audit know who let the change through and why, of a row or of each catalog. In the transaction of the change."""
        for verdict in self.verdicts:
            after = {
                "catalog": verdict.catalog.slug,
                "reason": reason,
                "worse": verdict.worse,
                "edits": [one.edit.label for one in verdict.harming],
            }
            record(Act.GATE_OVERRIDDEN, row or verdict.catalog, after=after, by=by)


def held_by(verdicts: Sequence[Verdict], by: User) -> Held | None:
    holding = [verdict for verdict in verdicts if verdict.holds]
    return Held(holding, all(verdict.may_override(by) for verdict in holding)) if holding else None


def verdict_on(
    catalog: Catalog,
    change: Change,
    wanted: Wanted,
    seconds: float = MAX_SECONDS,
    tell: Callable[[int], None] = lambda done: None,
) -> Verdict:
    """`change` has the judged queries and the side before. Raises UnreadableIndexError."""
    until = monotonic() + seconds
    with TemporaryDirectory(prefix="pegboard-gate-") as folder:
        scale = Scale(change.before, wanted, change.queries, change.known(), Path(folder), until, tell)
        return Verdict(catalog, scale.weigh(), len(change.queries))
