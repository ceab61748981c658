"""What each of several runs came to, for lists: its last turn, read from one event a run, and its cost."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import cast
from uuid import UUID

from django.db.models import Count, FloatField, OuterRef, Q, Subquery, Sum
from django.db.models.fields.json import KT
from django.db.models.functions import Cast

from playground.agent.events import ModelAnswered, OfferMade
from playground.models import Run, RunEvent
from playground.runs.stored import from_row


@dataclass(frozen=True, slots=True)
class Figures:
    """`in_view` counts the catalog's own tools; `tokens` is the estimate of that turn's tools. None where a log lacks them.

    `cost` is that of the whole run in dollars, None where the price of an answer is not known.
    """

    turns: int
    in_view: int | None
    tokens: int | None
    cost: float | None


def closing_figures(runs: Iterable[Run]) -> dict[UUID, Figures]:
    """By run; none for a run that made no offer yet."""
    pks = [run.pk for run in runs]
    offers = RunEvent.objects.filter(kind=OfferMade.kind)
    last = offers.filter(run=OuterRef("run")).order_by("-seq").values("pk")[:1]
    rows = offers.filter(run__in=pks, pk=Subquery(last)).values_list("run_id", "kind", "body")
    costs = costs_of(pks)
    return {run_id: _figures(cast(OfferMade, from_row(kind, body)), costs.get(run_id)) for run_id, kind, body in rows}


def _figures(offer: OfferMade, cost: float | None) -> Figures:
    if "tools" in offer.unknown:
        return Figures(offer.turn, None, None, cost)
    return Figures(offer.turn, sum(tool.cause != "meta-tool" for tool in offer.tools), offer.tokens, cost)


def costs_of(runs: Collection[UUID]) -> dict[UUID, float]:
    """In dollars, of the runs of which every answer has a cost."""
    answers = RunEvent.objects.filter(kind=ModelAnswered.kind, run__in=runs).order_by()
    unknown = Count("pk", filter=Q(body__cost=None) | Q(body__cost__isnull=True))
    sums = answers.values("run").annotate(whole=Sum(Cast(KT("body__cost"), FloatField())), unknown=unknown)
    return {row["run"]: row["whole"] for row in sums if not row["unknown"]}
