"""Each rule finds what its definition in docs/findings.md says, says of which step, and nothing where something is not known."""

from pathlib import Path

import pytest

from playground.agent.events import Event, OfferMade
from playground.reviewing.evidence import Evidence
from playground.reviewing.right_tools import Judged, rights_of
from playground.reviewing.rules import RULES, findings_of
from playground.reviewing.wording import query_digest
from tests.playground.reviewing.stories import call, end, load, offer, search, shown

Found = list[tuple[str, str]]


def found(run: Evidence, judged: dict[str, Judged] | None = None) -> Found:
    """Rule and sentence of each finding but dead weight, which most of these runs have."""
    rights = rights_of(run, judged or {})
    return [(one.rule, one.sentence) for one in findings_of(run, rights) if one.rule != "dead-weight"]


def judged(query: str, *right: str, wrong: tuple[str, ...] = (), no_tool: bool = False) -> dict[str, Judged]:
    keys = tuple(f"team/{name}" for name in right)
    return {query_digest(query): Judged(keys, frozenset(f"team/{name}" for name in wrong), no_tool, "ann")}


STORIES: list[tuple[str, list[Event | list[Event]], dict[str, Judged], Found]] = [
    ("what led to a call is no miss", [search(1, "bills", "pay"), call(2, "pay"), end()], {}, []),
    (
        "a second search found it",
        [search(1, "PTO", "pay"), search(2, "leave", "ask_leave"), call(3, "ask_leave"), end()],
        {},
        [("search-miss", "1 found among 5 tools, and ask_leave is not one of them.")],
    ),
    (
        "nothing was found",
        [search(1, "PTO"), search(2, "leave", "ask_leave"), call(3, "ask_leave"), end()],
        {},
        [("search-miss", "Nothing was found among 5 tools; ask_leave should have been.")],
    ),
    (
        "it was cut",
        [search(1, "PTO", "pay", cut=["x", "ask_leave"]), search(2, "leave", "ask_leave"), call(3, "ask_leave"), end()],
        {},
        [("near-miss", "ask_leave was hit 3 and was cut by top-k 1, its score 2.00 below the last one returned.")],
    ),
    (
        "a judgement says so, though the run came to a call",
        [search(1, "bills", "pay"), call(2, "pay"), end()],
        judged("Bill", "list"),
        [("search-miss", "1 found among 5 tools, and team/list is not one of them.")],
    ),
    ("no tool answers it", [search(1, "moon"), search(2, "sun", "x"), call(3, "x")], judged("moon", no_tool=True), []),
    (
        "the sibling was taken",
        [search(1, "bills", "pay", "list"), call(2, "pay"), end()],
        judged("bills", "list"),
        [("selection-miss", "list was hit 2, and the model called pay (hit 1) first.")],
    ),
    (
        "the sibling failed and the other did not",
        [search(1, "bills", "pay", "list"), call(2, "pay", "failed", "no\nsuch bill"), call(3, "list"), end()],
        {},
        [
            ("selection-miss", "list was hit 2, and the model called pay (hit 1) first."),
            ("failed-call", "pay failed: no such bill"),
        ],
    ),
    (
        "only the other was loaded",
        [search(1, "bills", "pay", "list"), load(2, "pay"), offer(3, loaded=["pay"], call_id="load"), call(3, "pay")],
        judged("bills", "list"),
        [
            ("load-miss", "list was hit 2 and was not loaded; pay was."),
            ("selection-miss", "list was hit 2, and the model called pay (hit 1) first."),
        ],
    ),
    (
        "it was called first and loaded later",
        [
            *(offer(1), search(1, "bills", "pay"), offer(2), call(2, "pay", "refused"), load(3, "pay")),
            *(offer(4, loaded=["pay"], call_id="load"), call(4, "pay")),
        ],
        {},
        [("called-before-loaded", "pay was called when it was not in view; a search had found it in turn 1.")],
    ),
    ("broken arguments are no such call", [offer(1, "pay"), call(1, "pay", "refused")], {}, []),
    (
        "the same words in another order",
        [search(1, "unpaid bills", "x"), search(2, "the bills unpaid", "x"), call(3, "x")],
        {},
        [("repeated-search", "The same words were asked in turn 1 already, with the same answer.")],
    ),
    (
        "no call after the last search",
        [search(1, "bills", "pay", "list"), end()],
        {},
        [("gave-up", "The last search returned 2 tools, and the run ended without a call after it.")],
    ),
    ("a person stopped it", [search(1, "bills", "pay"), end("stopped")], {}, []),
    ("calls of one answer were not made knowing what its search found", [search(1, "a", "x"), call(1, "x")], {}, []),
    (
        "searches of one answer are not tries of the same",
        [search(1, "weather"), search(1, "notify", "chat"), call(2, "chat")],
        {},
        [],
    ),
]


@pytest.mark.parametrize(("parts", "said", "wanted"), [story[1:] for story in STORIES], ids=[one[0] for one in STORIES])
def test_a_run_has_just_these_findings(
    parts: list[Event | list[Event]], said: dict[str, Judged], wanted: Found
) -> None:
    assert sorted(found(shown(*parts), said)) == sorted(wanted)


def test_how_the_right_tool_is_known_is_said() -> None:
    run = shown(search(1, "PTO"), search(2, "leave", "ask_leave"), call(3, "ask_leave"))
    first, second = run.searches
    by_run = rights_of(run, {})
    assert by_run[first.seq].how.startswith("inferred: the search led to no call; the model searched again (“leave”)")
    assert by_run[second.seq].how == "inferred: found by this search, and called with success in turn 3"
    assert rights_of(run, {}, "team/x")[first.seq].source == "expected"
    by_people = rights_of(run, judged("pto", "x"), "team/y")
    assert (by_people[first.seq].source, by_people[first.seq].tools) == ("judged", ("team/x",))
    assert by_people[first.seq].how == "judged right for these words by ann"
    assert first.seq not in rights_of(run, judged("pto", wrong=("ask_leave",)))


def test_dead_weight_is_told_by_what_brought_it_with_its_tokens_of_every_turn() -> None:
    run = shown(
        *(offer(1, "read", "write"), search(1, "bills", "pay", "list"), load(2, "pay", "list")),
        *(offer(3, "read", "write", loaded=["pay", "list"], call_id="load", tokens=7), call(3, "pay"), end()),
    )
    told = [one for one in findings_of(run, {}) if one.rule == "dead-weight"]
    assert [(one.tools, one.tokens, one.sentence.partition(":")[0]) for one in told] == [
        (("read", "write"), 34, "2 tools in view from the start and never called"),
        (("list",), 7, "1 tool loaded and never called"),
    ]
    assert [one.seq for one in told] == [run.offers[0].seq, run.loads[0].seq]


def test_of_what_a_log_lacks_nothing_is_said() -> None:
    lacking = OfferMade(1, (), (), (), 0, True, unknown=("tools", "tokens"))
    run = shown(lacking, call(1, "pay", "refused"), call(2, "pay"))
    assert findings_of(run, {}) == ()


def test_every_rule_is_defined_in_the_document() -> None:
    text = Path("docs/findings.md").read_text()
    rows = [line for line in text.splitlines() if line.startswith("| ")]
    defined = [
        row.split("|")[1].strip() for row in rows if row.split("|")[1].strip() in {r.title for r in RULES.values()}
    ]
    assert defined == [rule.title for rule in RULES.values()]
    assert [slug for slug, rule in RULES.items() if rule.slug != slug] == []


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("Send an Invoice", "invoices sending", True),
        ("weather, Oslo", "Oslo weather weather", True),
        ("the", "The ", True),
        ("报销", "报销", True),
        ("send message", "send mail", False),
        ("send.*message", "message.*send", False),
        ("+send message", "send message", False),
    ],
)
def test_queries_of_the_same_words_are_one(one: str, other: str, same: bool) -> None:
    assert (query_digest(one) == query_digest(other)) is same
