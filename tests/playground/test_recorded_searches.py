"""What recorded runs tell the lint and what-ifs of searches."""

from collections.abc import Callable
from urllib.parse import urlsplit

from django.http import QueryDict
from django.test import Client
from django.utils import timezone

from catalog.lint.survey import LedHere
from catalog.linting import carry_out, sources
from catalog.models import Catalog, Finding, Look
from catalog.redaction import Redactor
from catalog.roles import Role
from catalog.whatif.known import Recorded, queries_of
from playground.agent.events import CallSent, Event, HitFound, SearchAnswered
from playground.models import Run, Thread
from playground.recorded_searches import heard, recorded
from playground.runs.appending import Addition, append


def search(query: str, *names: str, cut: str = "", turn: int = 1) -> SearchAnswered:
    """`cut` was found too, and not given to the model."""
    hits = [HitFound(rank, name, "team", 1.0) for rank, name in enumerate(names, start=1)]
    hits += [HitFound(len(hits) + 1, cut, "team", 0.5, "top-k")] if cut else []
    return SearchAnswered(turn, f"s {query}", query, "bm25f", tuple(hits), len(hits), 5, True)


def call(name: str, turn: int = 2) -> CallSent:
    return CallSent(turn, f"c {turn} {name}", name, "team", True)


def record(*events: Event, catalog: Catalog | None = None) -> str:
    run = Run.objects.create(thread=Thread.objects.create(title="x"), task="x", catalog=catalog)
    append(Addition(run.pk, [(timezone.now(), event) for event in events], Redactor()))
    return str(run.pk)


def test_a_search_leads_to_no_call_of_a_tool_that_was_cut_or_of_a_turn_in_which_its_answer_was_not_known(
    db: None,
) -> None:
    record(search("bills", "pay", cut="list"), call("list"), call("pay", turn=1))
    assert (heard().queries, heard().led) == (["bills"], {})


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


def test_a_search_of_a_run_is_filed_with_the_tool_that_was_called_after_it(
    team: Catalog, client_as: Callable[[Role], Client]
) -> None:
    found = search("bills", "team__list-invoices", "team__getWeather")
    run = record(
        call("team__getWeather", turn=1), found, search("rain"), call("team__list-invoices"), call("team__getWeather")
    )
    Run.objects.update(catalog=team)
    client = client_as(Role.CURATOR)
    filed = client.get(f"/runs/{run}/file-search/?q=bills")
    asked = QueryDict(urlsplit(filed["Location"]).query)
    assert asked.dict() == {"text": "bills", "origin": f"asked in run {run[:8]}", "tool": "team/list-invoices"}
    assert "tool=" not in client.get(f"/runs/{run}/file-search/?q=rain")["Location"]
    page = client.get(filed["Location"]).content.decode()
    assert "No suite yet" in page


def test_a_what_if_knows_the_queries_of_the_runs_of_its_catalog(team: Catalog) -> None:
    record(search("elsewhere", "x"))
    for _ in range(2):
        record(search("unpaid", "team__list-invoices"), call("team__list-invoices"), catalog=team)
    assert recorded(team.pk) == (Recorded("unpaid", 2, frozenset({"team__list-invoices"})),)
    (query,) = queries_of(team)
    assert (query.text, query.answers, query.is_judged) == ("unpaid", frozenset({"team/list-invoices"}), False)
    Run.objects.filter(catalog=team).delete()
    assert queries_of(team) == ()
