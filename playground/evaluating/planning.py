"""What all trials might cost, before any of them is begun."""

from dataclasses import dataclass

from playground.evaluating.trials import Trying
from playground.runs.lane_plans import CostPlan, LanePlan, plan_all, plan_lane


@dataclass(frozen=True, slots=True)
class TrialsPlan:
    """`costs` are those of all trials. `problem` is a sentence where a mode cannot be played, else empty."""

    trials: int
    costs: CostPlan
    has_price: bool
    problem: str

    @property
    def shown(self) -> str:
        """What a form sends back to say that a person saw this."""
        return f"{self.trials} {self.costs.tokens} {self.costs.most} {self.costs.cap}"


def plan_trials(trying: Trying) -> TrialsPlan:
    """Estimated by the longest task."""
    longest = max((task.text for task in trying.tasks), key=len)
    plans = [plan_lane(trying.edition, mode, trying.chat_model, longest, trying.context, {}) for mode in trying.modes]
    each, times = plan_all(plans, trying.cap), len(trying.tasks) * trying.repeats
    first, bound = (None if one is None else one * times for one in (each.first, each.bound))
    costs = CostPlan(first, bound, trying.cap, each.tokens * times, each.is_free)
    return TrialsPlan(trying.trials, costs, each.first is not None, _problem(plans))


def _problem(plans: list[LanePlan]) -> str:
    return next((plan.problem for plan in plans if plan.problem), "")
