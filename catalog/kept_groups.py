"""The groups of all tools that facets count, kept by the process until anything changes that decides them."""

from dataclasses import dataclass, field

from django.utils import timezone

from catalog.exposing import OVERLAP
from catalog.facets import Group
from catalog.narrowing import Stamp, groups_of, stamp_of_groups


@dataclass
class Kept:
    """The groups as they were when last asked for, and the stamp of that time."""

    stamped: tuple[Stamp | None, tuple[Group, ...]] = field(default=(None, ()))


kept = Kept()


def groups_of_all() -> tuple[Group, ...]:
    """As `groups_of` of no words. They are kept only once the last edit lies so far back that none made before it can follow."""
    now = stamp_of_groups()
    stamp, groups = kept.stamped
    if stamp == now:
        return groups
    groups = tuple(groups_of("", now.slugs))
    if now.last is not None and now.last < timezone.now() - OVERLAP:
        kept.stamped = now, groups
    return groups
