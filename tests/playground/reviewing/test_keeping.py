"""Runs that ended are read once, and again when judgements of their queries or the rules change."""

from datetime import timedelta

import pytest
from django.utils import timezone

from catalog.judging import judge, unjudge
from catalog.models import Catalog, Judgement, Suite, SuiteQuery
from catalog.redaction import Redactor
from playground.agent.events import Event
from playground.models import Run, RunFinding, RunReview, Thread
from playground.reviewing import keeping
from playground.reviewing.queries import recorded_queries
from playground.reviewing.rules import VERSION
from playground.runs.appending import Addition, append
from tests.playground.reviewing.stories import call, end, search, start, told
from tests.playground.reviewing.sweeping import review_some

RIGHT = Judgement.Verdict.RIGHT


def record(catalog: Catalog, *parts: Event | list[Event], task: str = "Do it.") -> Run:
    run = Run.objects.create(thread=Thread.objects.create(title="x"), task=task, catalog=catalog)
    append(Addition(run.pk, [(timezone.now(), event) for event in told(start(task), *parts)], Redactor()))
    return Run.objects.get(pk=run.pk)


def rules(run: Run) -> list[str]:
    return sorted(RunFinding.objects.filter(run=run).values_list("rule", flat=True))


@pytest.fixture
def missed(team: Catalog) -> Run:
    return record(
        team,
        *(
            search(1, "rain in Oslo", "team__notify_user", cut=["team__getWeather"]),
            search(2, "weather", "team__getWeather"),
        ),
        *(call(3, "team__getWeather"), end()),
    )


def test_a_run_is_read_when_it_has_ended_and_once(team: Catalog, missed: Run) -> None:
    record(team, search(1, "still", "team__notify_user"))
    assert review_some() == 1
    assert review_some() == 0
    finding = RunFinding.objects.get()
    assert (finding.rule, finding.rank, finding.gap, finding.seq) == ("near-miss", 2, 1.0, 2)
    assert (finding.right, finding.source) == (["team/getWeather"], "inferred")
    assert finding.search is not None
    assert (finding.search.text, finding.search.returned, finding.search.called) == (
        "rain in Oslo",
        ["team/notify_user"],
        "team/getWeather",
    )


def test_what_is_judged_of_the_same_words_counts_from_then_on(team: Catalog, missed: Run) -> None:
    other = record(team, search(1, "weather", "team__getWeather"), call(2, "team__getWeather"), end())
    review_some()
    seen = RunReview.objects.get(run=other)
    suite = Suite.objects.create(slug="asked", title="Asked", catalog=team)
    query = SuiteQuery.objects.create(suite=suite, text="Oslo: the rain")
    judge(query, "team/notify_user", RIGHT, None)
    assert review_some() == 1, "the other run asked nothing of the kind"
    assert rules(missed) == []
    assert RunReview.objects.get(run=other).at == seen.at
    unjudge(query, "team/notify_user", None)
    assert review_some() == 1
    assert rules(missed) == ["near-miss"]
    suite.delete()
    assert review_some() == 0


def test_other_rules_read_every_run_again(missed: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    review_some()
    monkeypatch.setattr(keeping, "VERSION", VERSION + 1)
    assert (review_some(), review_some()) == (1, 0)


def test_what_the_one_tool_of_a_task_is_comes_before_an_inference(sample: Catalog) -> None:
    task = "What will the weather be in Oslo on 2026-12-14?"
    run = record(
        sample, search(1, "weather", "chat__notify_channel"), call(2, "chat__notify_channel"), end(), task=task
    )
    review_some()
    missed = RunFinding.objects.get(run=run, rule="search-miss")
    assert (missed.source, missed.right) == ("expected", ["weather/get_forecast"])


def test_recorded_queries_are_grouped_by_their_words(team: Catalog, missed: Run) -> None:
    record(team, search(1, "Weather", "team__getWeather"), call(2, "team__getWeather"), end())
    review_some()
    weather, rain = recorded_queries(team)
    assert (weather.text, weather.times, len(weather.runs)) == ("Weather", 2, 2)
    assert weather.wordings == ("Weather", "weather")
    assert weather.led_to == {"team/getWeather": 2}
    assert rain.led_to == {"team/getWeather": 1}, "the search after it did what it was for"
    assert recorded_queries(team, timezone.now() + timedelta(seconds=1)) == []
