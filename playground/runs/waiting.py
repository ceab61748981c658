"""Which runs wait for a person, for lists."""

from uuid import UUID

from django.db.models import Exists, OuterRef, Q, QuerySet

from playground.models import HeldCall, Run


def with_waits(runs: QuerySet[Run]) -> QuerySet[Run]:
    """Each with `waits`: whether a call of it, or of a run nested in it, waits for a person."""
    return runs.annotate(waits=Exists(_waiting().filter(Q(run=OuterRef("pk")) | Q(top=OuterRef("pk")))))


def held_runs() -> set[UUID]:
    """The runs that `with_waits` marks."""
    return {pk for pair in _waiting().values_list("run", "top") for pk in pair}


def waiting_calls() -> QuerySet[HeldCall]:
    """The calls that wait now, the oldest first."""
    return _waiting().select_related("run", "top").order_by("held_at")


def _waiting() -> QuerySet[HeldCall]:
    return HeldCall.objects.filter(decision="", run__status=Run.Status.RUNNING)
