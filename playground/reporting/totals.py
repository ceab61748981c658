"""What each run of a period came to, added up by the database, and what all of them did."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any, cast
from uuid import UUID

from django.db.models import BigIntegerField, Count, FloatField, Max, Q, Sum
from django.db.models.fields.json import KT
from django.db.models.functions import Cast
from django.utils import timezone

from playground.agent.events import CallSent, ModelAnswered, OfferMade, RunStarted, SearchAnswered
from playground.models import Run, RunEvent
from playground.models.run import RunQuerySet

KINDS = [RunStarted.kind, OfferMade.kind, ModelAnswered.kind, SearchAnswered.kind, CallSent.kind]
COUNTED = {"read": "prompt_tokens", "cached": "cached_tokens"}
PRICED = {"cost": "cost", "cost_all": "cost_all"}
TOLD = {**COUNTED, **PRICED}
"""What providers and prices tell of an answer, by the name of its sum."""
UNFINISHED = {Run.Status.WAITING.value, Run.Status.RUNNING.value}


@dataclass(frozen=True, slots=True)
class RunFigures:
    """`tokens` are those of the tools of all its prompts (estimated), `tokens_all` what every tool of the catalog would have
    been in each. `read` and `cached` are tokens of prompts as the provider counted them, `cost` and `cost_all` dollars: None
    where they are not known of every answer.
    """

    run: UUID
    day: date
    status: str
    is_free: bool = False
    prompts: int = 0
    tokens: int = 0
    tokens_all: int = 0
    read: int | None = None
    cached: int | None = None
    cost: float | None = None
    cost_all: float | None = None
    searches: int = 0
    calls: int = 0


@dataclass(frozen=True, slots=True)
class Totals:
    """Of several runs. Sums of what providers tell are of the runs of which they are known: `told`, `told_cache`, `priced`."""

    outcomes: Mapping[str, int]
    free: int
    searching: int
    prompts: int
    tokens: int
    tokens_all: int
    told_cache: int
    read: int
    cached: int
    priced: int
    cost: float
    cost_all: float
    searches: int
    calls: int

    @property
    def runs(self) -> int:
        return sum(self.outcomes.values())

    @property
    def ended(self) -> int:
        return sum(count for status, count in self.outcomes.items() if status not in UNFINISHED)

    @property
    def completed(self) -> int:
        return self.outcomes.get(Run.Status.COMPLETED, 0)

    @property
    def tokens_a_prompt(self) -> int:
        return round(self.tokens / self.prompts) if self.prompts else 0

    @property
    def all_a_prompt(self) -> int:
        return round(self.tokens_all / self.prompts) if self.prompts else 0

    @property
    def tokens_spared(self) -> int:
        """Below zero where the means to search cost more than they spare."""
        return self.tokens_all - self.tokens

    @property
    def dollars_spared(self) -> float:
        return self.cost_all - self.cost


def figures_of(runs: RunQuerySet) -> list[RunFigures]:
    sums = {row.pop("run"): row for row in _sums(runs)}
    rows = runs.values_list("pk", "created_at", "status")
    return [RunFigures(pk, timezone.localdate(at), status, **_told(sums.get(pk))) for pk, at, status in rows]


def totals_of(figures: Iterable[RunFigures]) -> Totals:
    rows = list(figures)
    cache = [row for row in rows if row.cached is not None and row.read is not None]
    priced = [row for row in rows if row.cost is not None and row.cost_all is not None and not row.is_free]
    return Totals(
        outcomes=Counter(row.status for row in rows),
        free=sum(row.is_free for row in rows),
        searching=sum(row.searches > 0 for row in rows),
        prompts=_sum(rows, lambda row: row.prompts),
        tokens=_sum(rows, lambda row: row.tokens),
        tokens_all=_sum(rows, lambda row: row.tokens_all),
        told_cache=len(cache),
        read=_sum(cache, lambda row: row.read or 0),
        cached=_sum(cache, lambda row: row.cached or 0),
        priced=len(priced),
        cost=sum(row.cost or 0.0 for row in priced),
        cost_all=sum(row.cost_all or 0.0 for row in priced),
        searches=_sum(rows, lambda row: row.searches),
        calls=_sum(rows, lambda row: row.calls),
    )


def _sum(rows: Iterable[RunFigures], number: Callable[[RunFigures], int]) -> int:
    return sum(number(row) for row in rows)


def _sums(runs: RunQuerySet) -> Iterable[dict[str, Any]]:
    """One row a run that has events."""
    events = RunEvent.objects.filter(run__in=runs.values("pk"), kind__in=KINDS).order_by().values("run")
    offers, answers = Q(kind=OfferMade.kind), Q(kind=ModelAnswered.kind)
    sums = events.annotate(
        is_free=Count("pk", filter=Q(kind=RunStarted.kind, body__scripted=True)),
        whole=Max(_number("tokens_all"), filter=Q(kind=RunStarted.kind)),
        prompts=Count("pk", filter=offers),
        tokens=Sum(_number("tokens"), filter=offers),
        answers=Count("pk", filter=answers),
        **{name: Sum(_number(field), filter=answers & _known(field)) for name, field in COUNTED.items()},
        **{name: Sum(_dollars(field), filter=answers & _known(field)) for name, field in PRICED.items()},
        **{f"{name}_known": Count("pk", filter=answers & _known(field)) for name, field in TOLD.items()},
        searches=Count("pk", filter=Q(kind=SearchAnswered.kind)),
        calls=Count("pk", filter=Q(kind=CallSent.kind)),
    )
    return cast("Iterable[dict[str, Any]]", sums)


def _known(name: str) -> Q:
    """Whether the field is there and not null."""
    return Q(**{f"body__{name}__isnull": False}) & ~Q(**{f"body__{name}": None})


def _number(name: str) -> Cast:
    return Cast(KT(f"body__{name}"), BigIntegerField())


def _dollars(name: str) -> Cast:
    return Cast(KT(f"body__{name}"), FloatField())


def _told(row: dict[str, Any] | None) -> dict[str, Any]:
    if row is None:
        return {}
    answers, whole = row.pop("answers"), row.pop("whole") or 0
    for name in TOLD:
        row[name] = row[name] if row.pop(f"{name}_known") == answers > 0 else None
    sums = {"tokens": row["tokens"] or 0, "tokens_all": whole * row["prompts"], "is_free": bool(row["is_free"])}
    return {**row, **sums}
