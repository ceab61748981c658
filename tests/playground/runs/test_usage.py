"""A run that ends says which tools were of use, without counting as an edit of them."""

from django.utils import timezone

from catalog.models import Catalog, Tool
from catalog.redaction import Redactor
from playground.agent.events import CallSent, Event, HitFound, RunEnded, SearchAnswered
from playground.models import Run, Thread
from playground.runs.appending import Addition, append

FOUND = SearchAnswered(
    1,
    "a",
    "weather",
    "bm25f",
    (HitFound(1, "team__getWeather", "team", 2.0), HitFound(2, "team__ask_human", "team", 1.0, "top-k 1")),
    2,
    5,
    True,
)
CALLED = CallSent(1, "b", "team__notify_user", "team", True)


def record(run: Run, *events: Event) -> None:
    append(Addition(run.pk, [(timezone.now(), event) for event in events], Redactor()))


def used() -> set[str]:
    return set(Tool.objects.exclude(last_used_at=None).values_list("name", flat=True))


def test_tools_that_were_called_or_returned_are_of_use_once_the_run_ends(team: Catalog) -> None:
    run = Run.objects.create(thread=Thread.objects.create(title="t"), task="t")
    edited = {tool.name: tool.updated_at for tool in Tool.objects.all()}
    record(run, FOUND, CALLED)
    assert used() == set()
    record(run, RunEnded("completed"))
    assert used() == {"getWeather", "notify_user"}
    assert {tool.name: tool.updated_at for tool in Tool.objects.all()} == edited


def test_a_run_that_failed_counts_too_and_a_tool_that_is_no_more_does_not(team: Catalog) -> None:
    run = Run.objects.create(thread=Thread.objects.create(title="t"), task="t")
    Tool.objects.filter(name="getWeather").delete()
    record(run, FOUND, RunEnded("failed", "No answer."))
    assert used() == set()
