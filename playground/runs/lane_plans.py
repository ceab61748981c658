"""What lanes would begin with and might cost, before any of them is started."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils import timezone

from catalog.editions import Edition
from catalog.indexing import exposure_of
from catalog.policy import Context
from catalog.policy_rows import PolicyUnusableError, policy_shown
from catalog.search.settings import UnfitSettingsError, read_settings
from playground.agent.limits import Limits
from playground.agent.spending import Prices, Usage
from playground.models import ChatModel
from playground.modes import MODES
from playground.runs.assembling import limits_from
from playground.runs.first_call import FirstCall, first_call
from playground.runs.shared_budgets import prices_of


@dataclass(frozen=True, slots=True)
class LanePlan:
    """`first` is None where the catalog's settings cannot be taken: `problem` says why, as a sentence.

    `prices` are None where none are known, and for the demo model, which `is_free`.
    """

    first: FirstCall | None
    prices: Prices | None
    is_free: bool
    limits: Limits
    problem: str = ""

    @property
    def in_view(self) -> int:
        """Tools of the catalog in the first prompt."""
        offered = self.first.offer.tools if self.first else ()
        return sum(tool.name in self.first.pool.by_name for tool in offered) if self.first else 0

    @property
    def tools_all(self) -> int:
        return len(self.first.pool) if self.first else 0

    @property
    def tokens(self) -> int:
        """Of the first prompt, estimated."""
        return self.first.tokens if self.first else 0

    @property
    def first_cost(self) -> float | None:
        """Dollars of the first prompt alone; None where no price is known."""
        return _cost(self, Usage(self.tokens, 0))

    @property
    def most_cost(self) -> float | None:
        """Dollars, if every token that the limits allow had the price of the dearest; the limit in dollars where that is less."""
        dearest = max((_cost(self, usage) or 0.0 for usage in _either(self.limits.tokens)), default=0.0)
        if _cost(self, Usage(0, 0)) is None:
            return None
        return dearest if self.limits.dollars is None else min(dearest, self.limits.dollars)


@dataclass(frozen=True, slots=True)
class CostPlan:
    """All lanes together, in dollars; None where a price is not known. `most` heeds the cap."""

    first: float | None
    bound: float | None
    cap: float | None
    tokens: int
    is_free: bool

    @property
    def most(self) -> float | None:
        known = [amount for amount in (self.bound, self.cap) if amount is not None]
        return min(known, default=None)

    @property
    def is_capped(self) -> bool:
        """Whether the cap, and not the limits, is what ends it."""
        return self.cap is not None and (self.bound is None or self.cap < self.bound)


def plan_lane(
    edition: Edition,
    mode: str,
    chat_model: ChatModel,
    task: str,
    context: Context,
    limits: Mapping[str, float],
    options: Mapping[str, Any] | None = None,
) -> LanePlan:
    """Without a `mode` it is the catalog's, with its options; otherwise `options` are those of that mode."""
    prices = None if chat_model.is_scripted else prices_of(chat_model)
    made = (prices, chat_model.is_scripted, limits_from(limits))
    slug, chosen = (mode, options or {}) if mode else (edition.mode, edition.mode_options)
    try:
        first = _first(edition, slug, chosen, task, context)
    except (UnfitSettingsError, PolicyUnusableError, KeyError):
        return LanePlan(None, *made, "Its catalog’s mode, options or engine cannot be taken: open the catalog.")
    if not first.pool:
        return LanePlan(None, *made, "Its catalog offers no tools.")
    return LanePlan(first, *made)


def plan_all(plans: Iterable[LanePlan], cap: float | None) -> CostPlan:
    plans = list(plans)
    return CostPlan(
        _sum(plan.first_cost for plan in plans),
        _sum(plan.most_cost for plan in plans),
        cap,
        sum(plan.tokens for plan in plans),
        bool(plans) and all(plan.is_free for plan in plans),
    )


def _first(edition: Edition, mode: str, options: Mapping[str, Any], task: str, context: Context) -> FirstCall:
    settings, policy = read_settings(MODES[mode].Options, options), policy_shown(edition, context)
    pool, today = exposure_of(edition).pool, timezone.localdate()
    return first_call(pool, mode, edition.engine, settings, today, policy, task)


def _cost(plan: LanePlan, usage: Usage) -> float | None:
    if plan.is_free:
        return 0.0
    return None if plan.prices is None else plan.prices.cost(usage)


def _either(tokens: int) -> tuple[Usage, ...]:
    """All of them in prompts, one prompt after the other, or all in answers."""
    return Usage(tokens, 0), Usage(0, tokens)


def _sum(amounts: Iterable[float | None]) -> float | None:
    total = 0.0
    for amount in amounts:
        if amount is None:
            return None
        total += amount
    return total
