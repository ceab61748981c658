"""The gate: whether a change that is about to reach agents makes judged queries worse, and who let it through.

Taking a tool out of searches is never held: that may be for safety's sake.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic

from django.contrib.auth.models import User

from catalog.auditing.recording import Act, record
from catalog.indexing import exposure_of, revision_of
from catalog.models import Catalog, Tool
from catalog.publishing.asking import published
from catalog.roles import Role, role_of
from catalog.whatif.blaming import blamed
from catalog.whatif.changes import tool_change
from catalog.whatif.foreseeing import foresee
from catalog.whatif.known import judged_of
from catalog.whatif.rows import side_of
from catalog.whatif.shifts import Shift
from catalog.whatif.sides import Side
from catalog.whatif.tally import Tally
from catalog.whatif.under_way import Change

MAX_SECONDS = 15.0
"""Seconds after which no further query is asked; the verdict says how many were."""
BLAMING_SECONDS = 10.0
"""Seconds more in which the edits of a draft are tried one by one."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a change does to the judged queries of a catalog, of which `asked` of `judged` were asked in time.

    `blamed` names the edits of a draft without which a query would not get worse.
    """

    catalog: Catalog
    tally: Tally
    judged: int
    blamed: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def rows(self) -> list[tuple[Shift, tuple[str, ...]]]:
        """The queries that get worse, with the edits to blame for each."""
        return [(shift, self.blamed.get(shift.query.text, ())) for shift in self.tally.worse]

    @property
    def unasked(self) -> int:
        return self.judged - self.asked

    @property
    def holds(self) -> bool:
        return bool(self.tally.worse)

    @property
    def asked(self) -> int:
        return len(self.tally.shifts)

    def may_override(self, user: User) -> bool:
        return role_of(user) >= (Role.ADMIN if self.catalog.gate == Catalog.Gate.BLOCK else Role.CURATOR)


@dataclass(frozen=True, slots=True)
class Held:
    """Why a change is not made: the verdicts that hold it, and whether this person may let it through."""

    verdicts: Sequence[Verdict]
    may_override: bool

    def tell(self, row: Catalog | Tool, reason: str, by: User) -> None:
        """Have the audit know who let the change through and why. In the transaction of the change."""
        for verdict in self.verdicts:
            worse = [shift.query.text for shift in verdict.tally.worse]
            record(
                Act.GATE_OVERRIDDEN,
                row,
                after={"catalog": verdict.catalog.slug, "reason": reason, "worse": worse},
                by=by,
            )


def held_edit(tool: Tool, by: User) -> Held | None:
    """Whether saving the tool as it stands here is held by a catalog whose changes reach agents at once."""
    if not (tool.enabled and tool.searchable):
        return None
    catalogs = Catalog.objects.filter(servers__server=tool.server_id, publishes_itself=True, suites__isnull=False)
    gated = catalogs.exclude(gate=Catalog.Gate.OFF).distinct()
    return _held([_verdict(catalog, tool_change(catalog, tool), str(tool)) for catalog in gated], by)


def held_publishing(catalog: Catalog, by: User) -> Held | None:
    """Whether publishing the draft of a catalog is held. Where nothing was published yet, nothing can get worse."""
    edition = published(catalog)
    if catalog.gate == Catalog.Gate.OFF or edition.is_live or not judged_of(catalog):
        return None
    return _held([_verdict(catalog, publishing_change(catalog))], by)


def publishing_change(catalog: Catalog) -> Change:
    """What agents get becomes what the draft holds."""
    edition = published(catalog)
    named = f"draft {revision_of(catalog)} {exposure_of(catalog).known}"
    return Change(
        named, revision_of(edition), judged_of(catalog), side_of(edition), lambda side, folder: side_of(catalog)
    )


def _held(verdicts: Sequence[Verdict], by: User) -> Held | None:
    holding = [verdict for verdict in verdicts if verdict.holds]
    return Held(holding, all(verdict.may_override(by) for verdict in holding)) if holding else None


def _verdict(catalog: Catalog, change: Change, key: str = "") -> Verdict:
    asked = replace(change, queries=judged_of(catalog))
    until, shifts = monotonic() + MAX_SECONDS, []
    with TemporaryDirectory(prefix="pegboard-gate-") as folder:
        after = asked.after(asked.before, Path(folder) / "index")
        for shift in foresee(asked.queries, asked.before, after, asked.known()):
            shifts.append(shift)
            if monotonic() > until:
                break
        tally = Tally(shifts, key)
        named = {} if key else _blamed(asked.before, after, tally.worse, Path(folder))
    return Verdict(catalog, tally, len(asked.queries), named)


def _blamed(before: Side, after: Side, worse: Sequence[Shift], folder: Path) -> Mapping[str, tuple[str, ...]]:
    return blamed(before, after, worse, folder / "blaming", monotonic() + BLAMING_SECONDS) if worse else {}
