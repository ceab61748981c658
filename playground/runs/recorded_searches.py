"""A search that a run made, and the address of the search page that asks it again as it was asked."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from catalog.editions import DRAFT
from catalog.forms.searching import ASKED_AT, MAX_TOP_K
from catalog.models import Catalog
from catalog.policy_text import context_text
from catalog.publishing.drafts import draft_of
from catalog.search import ENGINES
from playground.agent.events import SearchAnswered
from playground.models import Run
from playground.runs.reading import all_events
from playground.runs.state import RunState, fold
from playground.runs.steps import Searched

MOST_NAMED = 200
"""Tools in view that an address names."""


@dataclass(frozen=True, slots=True)
class SearchMade:
    """`loaded` are the tools that searches and loads had brought into view before."""

    found: SearchAnswered
    at: datetime
    loaded: tuple[str, ...]


def search_made(run_id: UUID, seq: int) -> SearchMade | None:
    """The search that the step of the event `seq` tells of; None where that is none."""
    state, before, at = RunState(), RunState(), None
    for recorded in all_events(run_id):
        state = fold(state, *recorded)
        if recorded.seq == seq:
            before, at = state, recorded.at
        if at and (found := _found(state, seq)):
            loaded = tuple(peg.name for peg in before.board.pegs() if peg.cause == "loaded" and not peg.is_dropped)
            return SearchMade(found, at, loaded)
    return None


def search_address(run: Run, made: SearchMade) -> dict[str, str]:
    """Parameters for the search page: edition, engine, request and all else as it was when the run asked."""
    if run.catalog is None:
        return {"q": made.found.query}
    address = {"catalog": run.catalog.slug, "q": made.found.query}
    if version := _version(run, run.catalog):
        address["version"] = version
    if made.found.engine in ENGINES:
        address["engine"] = made.found.engine
    if returned := sum(not hit.cut_by for hit in made.found.hits):
        address["k"] = str(min(returned, MAX_TOP_K))
    if run.imported_from:
        return address
    address |= {"asked_with": context_text(run.context), "asked_at": made.at.strftime(ASKED_AT)}
    return address | ({"asked_in_view": ",".join(made.loaded[:MOST_NAMED])} if made.loaded else {})


def _version(run: Run, catalog: Catalog) -> str:
    """The edition of then as an address names it. Where it holds what agents get now, these: they can be edited."""
    if run.version is None:
        return "" if catalog.publishes_itself else DRAFT
    if catalog.publishes_itself and draft_of(catalog).content.hash == run.version.content.hash:
        return ""
    return str(run.version.number)


def _found(state: RunState, seq: int) -> SearchAnswered | None:
    steps = (step for step in reversed(state.steps) if isinstance(step, Searched) and step.seq == seq)
    return next((step.found for step in steps), None)
