"""The groups of all tools that facets count, and their counts, kept by the process until anything changes that decides them."""

from dataclasses import dataclass, field, replace
from datetime import datetime

from django.utils import timezone

from catalog.exposing import OVERLAP
from catalog.facets import Chosen, Counts, Group, count
from catalog.models import Tool
from catalog.narrowing import Stamp, groups_of, stamp_of_groups

CHOICES_KEPT = 100
"""Choices of which the counts are kept; with more, they are counted anew."""
Edits = frozenset[tuple[int, datetime]]
"""The keys of tools, and when they were edited."""


@dataclass(frozen=True, slots=True)
class Kept:
    """The groups as they were when last asked for, with what told then of changes, and what was counted of them since.

    `edits` are those after `since`, so long before the groups were read that whatever was not yet committed is later.
    """

    stamp: Stamp
    since: datetime
    edits: Edits
    groups: tuple[Group, ...]
    counts: dict[Chosen, Counts] = field(default_factory=dict)

    def heeding(self, since: datetime) -> "Kept":
        """With later edits only, of those that are in the groups: they need not be told apart for ever."""
        return replace(self, since=since, edits=frozenset(edit for edit in self.edits if edit[1] >= since))


@dataclass(slots=True)
class Last:
    """What was kept last; replaced as a whole."""

    kept: Kept | None = None


last = Last()


def counts_of_all(chosen: Chosen) -> Counts:
    """The counts of all tools where these are chosen."""
    kept = kept_groups()
    counts = kept.counts.get(chosen)
    if counts is None:
        counts = count(kept.groups, chosen)
        if len(kept.counts) < CHOICES_KEPT:
            kept.counts[chosen] = counts
    return counts


def kept_groups() -> Kept:
    """As `groups_of` of no words."""
    stamp, since, kept = stamp_of_groups(), timezone.now() - OVERLAP, last.kept
    if kept is None or kept.stamp != stamp or kept.edits != _edits(kept.since):
        kept = Kept(stamp, since, _edits(since), tuple(groups_of("", stamp.slugs)))
    last.kept = kept.heeding(since)
    return last.kept


def _edits(since: datetime) -> Edits:
    return frozenset(Tool.objects.filter(updated_at__gte=since).values_list("pk", "updated_at"))
