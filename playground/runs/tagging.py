"""Putting tags on runs and taking them off."""

from collections.abc import Collection
from uuid import UUID

from catalog.invisible import cleaned
from playground.models import Run, RunTag
from playground.models.run_tag import LONGEST_TAG


def tag_named(text: str) -> str:
    """A tag as it is kept: lower case, one space between words, no comma. Raises ValueError, as a sentence."""
    name = " ".join(cleaned(text).lower().split())
    if not name:
        raise ValueError("A tag needs a word.")
    if "," in name:
        raise ValueError("One tag at a time, without a comma.")
    if len(name) > LONGEST_TAG:
        raise ValueError(f"A tag has {LONGEST_TAG} characters at most.")
    return name


def put_tag(runs: Collection[UUID], name: str) -> int:
    """On those of the runs that lack it; how many those were."""
    lacking = Run.objects.filter(pk__in=runs).exclude(tags__name=name).values_list("pk", flat=True)
    made = [RunTag(run_id=pk, name=name) for pk in lacking]
    RunTag.objects.bulk_create(made, ignore_conflicts=True)
    return len(made)


def take_tag(runs: Collection[UUID], name: str) -> int:
    """Off those of the runs that have it; how many those were."""
    return RunTag.objects.filter(run__in=runs, name=name).delete()[0]


def tag_names() -> list[str]:
    """Every tag that some run has."""
    return list(RunTag.objects.order_by("name").values_list("name", flat=True).distinct())
