"""A search of a catalog as someone asked it, by a page or from outside, and the ranking of any engine for it."""

from collections import Counter
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any

from django.http import QueryDict

from catalog.editions import Edition
from catalog.exposure import Exposure
from catalog.forms.searching import SearchForm
from catalog.generations import Asked, generation_of
from catalog.indexing import exposure_of, ranking_of
from catalog.models import Catalog
from catalog.policed_search import permitted
from catalog.policy import Policy
from catalog.policy_rows import policy_shown, policy_to_try
from catalog.search.choosing import ChosenEngine
from catalog.search.ranking import Ranking


@dataclass(frozen=True, slots=True)
class Search:
    """`why` is the name of the tool whose explanation is asked for. `policy` is the catalog's, with the context that the
    address has, or else its context to try.
    """

    catalog: Asked
    exposure: Exposure
    form: SearchForm
    why: str
    policy: Policy

    def ranking(self, engine: ChosenEngine) -> Ranking:
        asked = (engine, self.form.query, self.form.top_k, self.form.servers)
        return ranking_under(self.policy, self.catalog, *asked)


def ranking_under(
    policy: Policy, catalog: Asked, engine: ChosenEngine, query: str, limit: int, servers: frozenset[str]
) -> Ranking:
    """What the engine finds, less what the policy denies, which is told as cut."""
    if not policy.may_deny("search"):
        return ranking_of(catalog, engine, query, limit, servers)
    size = len(exposure_of(catalog).pool.searchable)
    denial_of = partial(policy.denial, phase="search")
    return permitted(lambda most: ranking_of(catalog, engine, query, most, servers), limit, size, denial_of)


def engine_state(catalog: Catalog) -> dict[str, Any]:
    """The engine that a catalog asks, and its settings, in JSON."""
    return {"engine": catalog.engine, "settings": catalog.engine_settings}


def read_search(catalog: Asked, address: QueryDict) -> Search:
    """Of the edition that is given, whichever the address names."""
    exposure = exposure_of(catalog)
    form = SearchForm(address, catalog, servers=Counter(tool.server for tool in exposure.pool.searchable))
    context = form.request_context
    policy = policy_to_try(catalog) if context is None else policy_shown(catalog, context)
    return Search(catalog, exposure, form, address.get("why", ""), policy)


def is_changed_since(edition: Edition, moment: datetime) -> bool:
    """Whether what a live edition is made of was changed after that: a tool, a server, or the catalog's own settings."""
    if not edition.is_live:
        return False
    seen = generation_of(edition.catalog).read.seen
    return any(time is not None and time > moment for time in (seen.last, seen.server, edition.catalog.updated_at))
