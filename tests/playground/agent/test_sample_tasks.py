"""The scripted model does each task of the sample: with the tools that it expects, in order, after as many searches."""

import json
from datetime import date
from pathlib import Path

import pytest

from catalog.search import ENGINES
from catalog.search.engine import Corpus
from catalog.search.index import build_index
from catalog.search.settings import read_settings
from catalog.sources import sample
from playground.agent.events import CallFinished, CallMade, Event, RunEnded
from playground.agent.loop import run_agent
from playground.modes import MODES
from playground.modes.protocol import Session
from tests.playground.agent.doubles import PlayedTools, ScriptedModel, collect, of_kind
from tests.playground.agent.office import play, pool_of

ARGUMENTS = {
    "A message that waits for you": [
        {"city": "Lisbon", "date": "2026-12-12"},
        {"channel": "#offsite", "message": "Pack a rain jacket for Saturday"},
    ],
    "A question to you": [{"question": "Two rooms fit. Shall I take the larger one?"}],
    "Weather for one day": [{"city": "Oslo", "date": "2026-12-14"}],
    "Forecast, then tell the team": [
        {"city": "Lisbon", "date": "2026-12-12"},
        {"channel": "#offsite", "message": "Pack a rain jacket for Saturday"},
    ],
    "Flight and a desk": [
        {"from_city": "Berlin", "to_city": "Madrid", "date": "2027-01-18"},
        {"title": "Desk needed in Madrid", "priority": "high"},
    ],
    "A word the tools do not know": [{"from_date": "2027-02-08", "to_date": "2027-02-12"}],
    "提交一笔报销": [{"category": "差旅", "amount": 1280.5, "spent_on": "2026-11-18", "reason": "上海客户拜访高铁票"}],
    "Decline, not cancel": [{"event_id": "EVT-4821", "note": "I am in Rotterdam that day"}],
    "An invoice with a line": [
        {
            "customer": {"email": "accounts@harbourlane.example"},
            "lines": [{"description": "Workshop facilitation", "quantity": 2, "unit_price": 450}],
            "currency": "EUR",
        }
    ],
    "A room for eight": [{"city": "Berlin", "date": "2026-12-03", "people": 8}],
    "Nothing to search for": [{"folder": "/Finance/2026"}],
    "Comment and close": [
        {"ticket_id": "TCK-2291", "comment": "Same fault as on floor 3"},
        {"ticket_id": "TCK-2291", "reason": "duplicate"},
    ],
    "A skill, then a message": [
        {},
        {
            "channel": "#ops",
            "message": "Since 14:10 UTC search answers slowly. We are looking into it. Next update at 15:00 UTC.",
        },
    ],
    "Handed to an agent": [{"task": "What will the weather be in Madrid on 2027-01-18?"}],
}


MISSES = {
    ("eino", "Weather for one day"),
    ("eino-native-client", "Weather for one day"),
    ("mastra", "Flight and a desk"),
    ("mastra", "Comment and close"),
    ("mastra-autoload", "Flight and a desk"),
    ("mastra-autoload", "Comment and close"),
    ("sanqian", "Comment and close"),
}
"""Where the right tool is not among the five that the mode's search returns, and a sibling is called instead."""
CATALOGS = {task.catalog for task in sample.tasks()}
SEARCHING = [slug for slug in MODES if slug != "none"]


@pytest.fixture(scope="module")
def corpora(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Corpus]:
    return {catalog: indexed(catalog, tmp_path_factory.mktemp("index")) for catalog in CATALOGS}


def indexed(catalog: str, folder: Path) -> Corpus:
    build_index(folder, pool_of(catalog).searchable)
    return Corpus(pool_of(catalog).searchable, folder)


def run_in(slug: str, task: sample.SampleTask, corpus: Corpus, engine: str) -> list[Event]:
    kind = MODES[slug]
    session = Session(most_handed=ScriptedModel.most_handed)
    mode = kind(pool_of(task.catalog), ENGINES[engine](corpus), read_settings(kind.Options, {}), session)
    tools = PlayedTools(play)
    day = date(2026, 11, 21)
    return collect(run_agent(mode, ScriptedModel(), tools, task.task, catalog=task.catalog, engine=engine, today=day))


@pytest.mark.parametrize("task", sample.tasks(), ids=lambda task: task.title)
def test_a_sample_task_is_done_with_the_tools_that_it_expects(task: sample.SampleTask, tmp_path: Path) -> None:
    corpus = Corpus(pool_of(task.catalog).searchable, tmp_path)
    events = run_in("mcpagent", task, corpus, "mcpagent")
    made = of_kind(events, CallMade)
    real = [call for call in made if not call.meta]
    assert tuple(call.tool for call in real) == task.expects
    assert [json.loads(call.arguments) for call in real] == ARGUMENTS[task.title]
    assert sum(call.tool == "search_tools" for call in made) == task.searches
    assert {call.outcome for call in of_kind(events, CallFinished)} == {"ok"}
    assert events[-1] == RunEnded("completed")


@pytest.mark.parametrize("task", sample.tasks(), ids=lambda task: task.title)
@pytest.mark.parametrize("slug", SEARCHING)
def test_in_every_mode_a_task_is_done_with_the_tools_that_its_searches_find(
    slug: str, task: sample.SampleTask, corpora: dict[str, Corpus]
) -> None:
    events = run_in(slug, task, corpora[task.catalog], MODES[slug].default_engine)
    called = tuple(call.tool for call in of_kind(events, CallMade) if not call.meta)
    assert (called == task.expects) == ((slug, task.title) not in MISSES)
    assert {call.outcome for call in of_kind(events, CallFinished)} <= {"ok"}
    assert events[-1] == RunEnded("completed")


@pytest.mark.parametrize("task", sample.tasks(), ids=lambda task: task.title)
def test_without_a_search_the_model_does_what_it_can_and_says_what_it_cannot(
    task: sample.SampleTask, corpora: dict[str, Corpus]
) -> None:
    upfront = pool_of(task.catalog).upfront_names
    events = run_in("none", task, corpora[task.catalog], "pegboard")
    called = [call.tool for call in of_kind(events, CallMade)]
    assert called == [name for name in task.expects if name in upfront]
    assert events[-1] == RunEnded("completed")
