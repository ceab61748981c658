"""Runs of a catalog by hand, so that a test knows every number of its report."""

from datetime import date, datetime, timedelta

from django.utils import timezone

from catalog.models import Catalog
from catalog.policy import Denial
from playground.agent.events import (
    CallFinished,
    CallMade,
    CallSent,
    Event,
    HitFound,
    ModelAnswered,
    OfferMade,
    RunEnded,
    RunStarted,
    SearchAnswered,
    ToolInView,
    ToolsDenied,
)
from playground.models import Run
from tests.playground.test_views_runs import run_with

TODAY = date(2026, 12, 10)
SEARCH = ToolInView("search_tools", "", "meta-tool", 120)
ASK = ToolInView("team__ask_human", "team", "special category", 60)
WEATHER = ToolInView("team__getWeather", "team", "loaded", 100, "s1")


def begun(days_ago: int, *events: Event, catalog: Catalog, task: str = "Weather?") -> Run:
    """A run that began so many days before TODAY, at noon."""
    run = run_with(*events, catalog=catalog, task=task)
    at = timezone.make_aware(datetime.combine(TODAY - timedelta(days=days_ago), datetime.min.time())) + timedelta(
        hours=12
    )
    Run.objects.filter(pk=run.pk).update(created_at=at, ended_at=at + timedelta(seconds=9))
    run.refresh_from_db()
    return run


def started(scripted: bool = False) -> RunStarted:
    return RunStarted("Weather?", "Team agent", "mcpagent", "bm25f", "a/model", scripted, 5, 1_000)


def answered(turn: int, cost: float | None = None) -> ModelAnswered:
    everything = None if cost is None else cost * 4
    return ModelAnswered(turn, "stop", 0.5, 400, 10, 100, cost=cost, cost_all=everything)


def searched(turn: int, query: str, *names: str) -> tuple[Event, ...]:
    """`names` are those returned; mail__send is always found and cut."""
    hits = (
        *(HitFound(n, name, "team", 2.0) for n, name in enumerate(names, 1)),
        HitFound(9, "mail__send", "m", 1, "k"),
    )
    call = f"s{turn}"
    return (
        CallMade(turn, call, "search_tools", "{}", True),
        SearchAnswered(turn, call, query, "bm25f", hits, len(hits), 5, True),
        CallFinished(turn, call, "search_tools", "ok", "…", 0.0),
    )


def called(turn: int, tool: str, outcome: str = "ok") -> tuple[Event, ...]:
    call = f"c{turn}"
    made = CallMade(turn, call, tool, "{}", False)
    if outcome == "denied":
        denial = ToolsDenied(turn, call, (Denial(tool, "active", "a rule", 1),), 1)
        return (made, denial, CallFinished(turn, call, tool, "refused", "not called", 0.0))
    sent = CallSent(turn, call, tool, "team", False)
    return (made, sent, CallFinished(turn, call, tool, outcome, "…", 0.1))  # type: ignore[arg-type]


FOUND_AND_CALLED = (
    started(),
    OfferMade(1, (SEARCH, ASK), (), (), 180, True),
    answered(1, 0.01),
    *searched(1, "weather", "team__getWeather", "team__notify_user"),
    OfferMade(2, (SEARCH, ASK, WEATHER), (), (), 280, True),
    answered(2, 0.02),
    *called(2, "team__getWeather"),
    RunEnded("completed"),
)
"""Two prompts of 460 tokens of tools in all, one search that led to a call, three cents."""
FOUND_AND_FAILED = (
    started(),
    OfferMade(1, (SEARCH, ASK), (), (), 180, True),
    answered(1),
    *searched(1, "weather", "team__getWeather"),
    OfferMade(2, (SEARCH, ASK, WEATHER), (), (), 280, True),
    answered(2, 0.02),
    *called(2, "team__getWeather", "failed"),
    RunEnded("failed", "It failed."),
)
"""The same with a call that failed, and a first answer without a price."""
LED_NOWHERE = (
    started(scripted=True),
    OfferMade(1, (SEARCH, ASK), (), (), 180, True),
    answered(1),
    *searched(1, "pto"),
    *searched(1, "weather", "team__getWeather"),
    *called(1, "team__getWeather", "denied"),
    RunEnded("completed"),
)
"""A scripted run whose searches, of which one found nothing, led to no call; one call was denied."""
