"""What recorded runs tell the lint of searches."""

from django.utils import timezone

from catalog.lint.survey import LedHere
from catalog.linting import carry_out, sources
from catalog.models import Catalog, Finding, Look
from catalog.redaction import Redactor
from playground.agent.events import CallSent, Event, HitFound, SearchAnswered
from playground.models import Run, Thread
from playground.recorded_searches import heard
from playground.runs.appending import Addition, append


def search(query: str, *names: str) -> SearchAnswered:
    hits = tuple(HitFound(rank, name, "team", 1.0) for rank, name in enumerate(names, start=1))
    return SearchAnswered(1, "s", query, "bm25f", hits, len(hits), 5, True)


def call(name: str) -> CallSent:
    return CallSent(1, "c", name, "team", True)


def record(*events: Event) -> str:
    run = Run.objects.create(thread=Thread.objects.create(title="x"), task="x")
    append(Addition(run.pk, [(timezone.now(), event) for event in events], Redactor()))
    return str(run.pk)


def test_a_call_counts_for_the_last_search_that_found_the_tool(db: None) -> None:
    first = record(search("bills", "pay", "list"), search("unpaid", "list"), search("other", "x"), call("list"))
    record(search("bills", "pay"), call("list"))
    assert heard().queries == ["bills", "unpaid", "other", "bills"]
    assert heard().led == {("team", "list"): [LedHere("unpaid", first)]}


def test_a_look_knows_runs(team: Catalog) -> None:
    assert sources.heard == heard
    for query in ("bills of Ada", "unpaid bills"):
        record(search(query, "team__list-invoices"), call("team__list-invoices"))
    carry_out(Look.objects.create())
    assert "“bills”" in Finding.objects.get(rule="unheard-words").sentence
