"""What the last turn of each of several runs came to, for lists: read from one event a run."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import cast
from uuid import UUID

from django.db.models import OuterRef, Subquery

from playground.agent.events import OfferMade
from playground.models import Run, RunEvent
from playground.runs.stored import from_row


@dataclass(frozen=True, slots=True)
class Figures:
    """`in_view` counts the catalog's own tools; `tokens` is the estimate of that turn's tools."""

    turns: int
    in_view: int
    tokens: int


def closing_figures(runs: Iterable[Run]) -> dict[UUID, Figures]:
    """By run; none for a run that made no offer yet."""
    offers = RunEvent.objects.filter(kind=OfferMade.kind)
    last = offers.filter(run=OuterRef("run")).order_by("-seq").values("pk")[:1]
    rows = offers.filter(run__in=[run.pk for run in runs], pk=Subquery(last)).values_list("run_id", "kind", "body")
    return {run_id: _figures(cast(OfferMade, from_row(kind, body))) for run_id, kind, body in rows}


def _figures(offer: OfferMade) -> Figures:
    return Figures(offer.turn, sum(tool.cause != "meta-tool" for tool in offer.tools), offer.tokens)
