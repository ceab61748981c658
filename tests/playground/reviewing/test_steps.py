"""Which search led to which call or load: one definition, and every page that tells of it tells the same."""

from catalog.models import Catalog
from playground.agent.events import CallMade, Event, HitFound, SearchAnswered, ToolsLoaded
from playground.agent.provider_searches import PROVIDER_SEARCH
from playground.models import Run
from playground.recorded_searches import heard, recorded
from playground.reporting.trails import trails_of
from playground.reviewing.keeping import Reader, review
from playground.reviewing.mistaken import ABOVE, all_evidence
from playground.reviewing.recorded_steps import KINDS, steps_by_run
from playground.runs.stored import to_body
from tests.playground.reviewing.stories import call, end, load, search, shown, start, told
from tests.playground.reviewing.told import record, trail

AGAIN = told(
    *(search(1, "bills", "pay", "list", cut=["void"]), search(2, "unpaid", "list")),
    *(call(3, "list"), call(3, "pay", "failed"), call(3, "void"), end()),
)
"""Both searches returned `list`; the first had cut `void`."""
MISTAKEN = told(search(1, "bills", "pay", "list"), search(2, "unpaid", "note", "list"), call(3, "list"), end())
"""`pay` stood above `list` in the first search, which did not lead to its call."""


def led(*parts: Event | list[Event]) -> dict[str, list[str]]:
    """The names that were called, by the query of the search that led to them."""
    run = shown(*parts)
    return {search.query: [call.name for call in run.led_by(search)] for search in run.searches}


def test_a_call_goes_back_to_the_last_search_that_returned_its_tool() -> None:
    assert led(*AGAIN) == {"bills": ["pay"], "unpaid": ["list"]}


def test_a_search_leads_to_no_call_that_the_model_made_before_it_had_the_answer() -> None:
    assert led(search(1, "bills", "pay"), call(1, "pay"), call(2, "pay", "failed")) == {"bills": ["pay"]}
    beside = led(search(1, "bills", "pay"), search(2, "more", "pay"), call(2, "pay"), end())
    assert beside == {"bills": ["pay"], "more": []}


def test_what_a_provider_searched_its_model_may_call_within_the_same_answer() -> None:
    hits = (HitFound(1, "pay", "team", 0.0),)
    found = SearchAnswered(1, "p", "bills", PROVIDER_SEARCH, hits, 1, 5, False)
    assert led(CallMade(1, "p", PROVIDER_SEARCH, "{}", True), found, call(1, "pay")) == {"bills": ["pay"]}
    assert led(call(1, "pay"), CallMade(1, "p", PROVIDER_SEARCH, "{}", True), found) == {"bills": []}


def test_a_load_goes_back_to_a_search_as_a_call_does_and_one_that_searches_loads_by_itself() -> None:
    run = shown(search(1, "bills", "pay", "list"), search(2, "unpaid", "list"), load(3, "pay", "list", "other"))
    assert [run.loaded_by(one) for one in run.searches] == [{"team/pay"}, {"team/list"}]
    by_itself = shown(search(1, "bills", "pay", id_="s"), ToolsLoaded(1, "s", ("pay",)))
    assert by_itself.loaded_by(by_itself.searches[0]) == {"team/pay"}


def test_searches_and_calls_alone_tell_the_same_as_all_events() -> None:
    run = Run().pk
    rows = [(run, seq, event.kind, to_body(event)) for seq, event in enumerate(told(start(), *AGAIN), start=1)]
    (steps,) = steps_by_run(row for row in reversed(rows) if row[2] in KINDS).values()
    assert {one.query: [call.name for call in steps.led_by(one)] for one in steps.searches} == led(*AGAIN)


def test_findings_reports_lint_what_ifs_and_the_map_go_by_the_same_definition(team: Catalog) -> None:
    run = record(team, told(start(), *AGAIN))
    review(run, Reader())
    report = trails_of(Run.objects.all())
    assert {text: sorted(query.called) for text, query in report.queries.items()} == {
        "bills": ["pay"],
        "unpaid": ["list"],
    }
    assert {name: [one.query for one in said] for (_, name), said in heard().led.items()} == {
        "list": ["unpaid"],
        "pay": ["bills"],
    }
    assert {one.text: one.called for one in recorded(team.pk)} == {"bills": {"pay"}, "unpaid": {"list"}}
    assert dict(run.searches.values_list("text", "called")) == {"bills": "team/list", "unpaid": "team/list"}
    mapped = [(one.kind, one.query, one.right) for one in all_evidence([(run, trail(MISTAKEN))], {})]
    assert mapped == [(ABOVE, "unpaid", "team/list")]
