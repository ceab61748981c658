"""sanqian's search over all that an agent can do: tools, skills and agents in one ranking, behind four filters (S-9 to S-11)."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from catalog.exposure import Candidate, Selection, expose
from catalog.search import ENGINES
from catalog.search.engine import Corpus
from catalog.search.index import build_index
from catalog.tools import ToolPool, ToolSpec
from playground.modes.sanqian import BOUND, Sanqian
from playground.transcript import AssistantMessage, ToolCall, ToolMessage, Transcript, UserMessage

TASK: Transcript = (UserMessage("Plan a trip"),)
TRIP = {
    "travel__search_trips": ToolSpec("travel__search_trips", "Search trips.", server="travel"),
    "skills__trip-report": ToolSpec(
        "skills__trip-report", "Outline of a trip report.", server="skills", capability="skill"
    ),
    "agents__trip-desk": ToolSpec("agents__trip-desk", "Plans a whole trip.", server="agents", capability="agent"),
}


def mode(pool: ToolPool, folder: Path) -> Sanqian:
    build_index(folder, pool.searchable)
    return Sanqian(pool, ENGINES["hybrid"](Corpus(pool.searchable, folder)))


def pool_of(*candidates: Candidate, pre_discovered: tuple[str, ...] = ()) -> ToolPool:
    return expose(candidates, Selection(), pre_discovered).pool


def searched(mode: Sanqian, query: str = "trip", transcript: Transcript = TASK) -> tuple[list[dict[str, Any]], Any]:
    answer = mode.answer(ToolCall("1", "search_capability", json.dumps({"query": query})), transcript)
    return json.loads(answer.content)["results"], answer


def test_tools_skills_and_agents_stand_in_one_ranking_each_with_its_kind(tmp_path: Path) -> None:
    results, answer = searched(mode(pool_of(*map(Candidate, TRIP.values())), tmp_path))
    assert {result["name"]: result["kind"] for result in results} == {
        "travel__search_trips": "tool",
        "skills__trip-report": "skill",
        "agents__trip-desk": "agent",
    }
    scores = [result["score"] for result in results]
    assert scores == sorted(scores, reverse=True)
    assert set(answer.loaded) == set(TRIP)


def test_what_is_found_is_callable_at_once_whatever_it_is(tmp_path: Path) -> None:
    made = mode(pool_of(*map(Candidate, TRIP.values())), tmp_path)
    _, answer = searched(made)
    said = ToolMessage("1", "search_capability", answer.content, answer.loaded)
    offer = made.offer((*TASK, AssistantMessage("", (ToolCall("1", "search_capability"),)), said))
    assert {tool.name for tool in offer.tools} == {"search_capability", *TRIP}


@pytest.mark.parametrize("name", TRIP)
@pytest.mark.parametrize(
    "filtered",
    [
        pytest.param(lambda spec: Candidate(spec, enabled=False), id="the blacklist: switched off"),
        pytest.param(lambda spec: Candidate(replace(spec, searchable=False)), id="not searchable"),
        pytest.param(lambda spec: Candidate(spec, excluded=True), id="excluded for this agent"),
    ],
)
def test_three_filters_stand_before_the_catalog(tmp_path: Path, name: str, filtered: Any) -> None:
    candidates = [filtered(spec) if spec.name == name else Candidate(spec) for spec in TRIP.values()]
    results, _ = searched(mode(pool_of(*candidates), tmp_path))
    assert {result["name"] for result in results} == TRIP.keys() - {name}


@pytest.mark.parametrize("name", TRIP)
def test_the_fourth_leaves_out_what_is_bound_already_and_tells_it_as_cut(tmp_path: Path, name: str) -> None:
    pool = pool_of(*map(Candidate, TRIP.values()), pre_discovered=(TRIP[name].key,))
    results, answer = searched(mode(pool, tmp_path))
    assert {result["name"] for result in results} == TRIP.keys() - {name}
    assert [(cut.by, [hit.tool.name for hit in cut.hits]) for cut in answer.ranking.cuts] == [(BOUND, [name])]
