"""Searches as an agent's would go now: by the engine that its catalog or mode asks, less what the policy of its request denies."""

import json
from collections.abc import Callable
from functools import lru_cache, partial

from catalog.asked_engine import engine_asked
from catalog.editions import Edition
from catalog.indexing import exposure_of, ranking_of
from catalog.policed_search import permitted
from catalog.policy import Denial, Phase, Policy
from catalog.policy_rows import policy_shown
from catalog.search.ranking import Ranking
from catalog.tools import ToolSpec
from playground.modes import MODES
from playground.modes.searching import loads_by_name

AgentsSearch = Callable[[str, int, str], Ranking]
"""From a query, how many hits are returned, and the context of the request (as `context_key` has it)."""
MOST_CONTEXTS = 200


def context_key(context: object) -> str:
    """A request's context as a text, the same for the same one."""
    return json.dumps(context, sort_keys=True, ensure_ascii=False)


def agents_search(edition: Edition) -> AgentsSearch:
    """Raises CannotAskError."""
    engine, mode = engine_asked(edition), MODES.get(edition.mode)
    phases: tuple[Phase, ...] = ("search",) if mode and loads_by_name(mode.meta_tools) else ("search", "load")

    @lru_cache(maxsize=MOST_CONTEXTS)
    def policy_of(context: str) -> Policy:
        return policy_shown(edition, json.loads(context))

    def search(query: str, most: int, context: str) -> Ranking:
        policy = policy_of(context)
        if not any(map(policy.may_deny, phases)):
            return ranking_of(edition, engine, query, most)
        size = len(exposure_of(edition).pool.searchable)
        return permitted(partial(ranking_of, edition, engine, query), most, size, partial(_denial, policy, phases))

    return search


def _denial(policy: Policy, phases: tuple[Phase, ...], tool: ToolSpec) -> Denial | None:
    """As a mode's search asks it: what is found is loaded, unless a model loads by name."""
    return next(filter(None, (policy.denial(tool, phase) for phase in phases)), None)
