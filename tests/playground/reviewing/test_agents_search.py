"""Searches as an agent's would go now, for the queue and for searches that are asked again."""

import pytest

from catalog.asked_engine import CannotAskError, engine_asked
from catalog.editions import draft
from catalog.models import Catalog
from catalog.policy import Condition
from catalog.whatif.rows import engine_of
from playground.models import Run
from playground.modes import MODES
from playground.reviewing.agents_search import agents_search, context_key
from playground.reviewing.asking_again import asked_before, compare
from tests.catalog.policies import add
from tests.playground.reviewing.stories import call, end, search
from tests.playground.reviewing.sweeping import review_some
from tests.playground.reviewing.test_keeping import record

WEATHER = "team/getWeather"


def test_a_what_if_and_a_review_ask_the_engine_that_agents_ask(team: Catalog) -> None:
    for slug, mode in MODES.items():
        team.mode, team.engine, team.engine_settings = slug, "", {}
        assert engine_asked(team).slug == engine_of(team).slug == mode.default_engine
    team.engine, team.engine_settings = "bm25f", {"name": 3}
    assert engine_asked(draft(team)) == engine_of(team)
    team.engine = "gone"
    with pytest.raises(CannotAskError):
        engine_asked(team)


def test_a_search_is_asked_again_with_the_context_that_its_run_told_the_policy(team: Catalog) -> None:
    found = search(1, "weather", "team__getWeather"), call(2, "team__getWeather"), end()
    guest, staff = record(team, *found), record(team, *found)
    for run, role in ((guest, "guest"), (staff, "staff")):
        Run.objects.filter(pk=run.pk).update(context={"role": role})
    review_some()
    add(team, "*getWeather", ("search",), Condition("role", ("guest",)))
    again = list(compare(asked_before(team, None), agents_search(draft(team)), {}))
    assert {(one.asked.context, one.change) for one in again} == {
        (context_key({"role": "guest"}), "misses now"),
        (context_key({"role": "staff"}), "same"),
    }


@pytest.mark.parametrize(("mode", "found"), [("mcpagent", True), ("eino", False)])
def test_what_may_not_be_loaded_is_not_found_where_a_search_loads_what_it_finds(
    team: Catalog, mode: str, found: bool
) -> None:
    team.mode, team.engine = mode, "pegboard"
    add(team, "*getWeather", ("load",))
    ranking = agents_search(draft(team))("weather", 5, "{}")
    assert (WEATHER in [hit.tool.key for hit in ranking.hits]) is found
