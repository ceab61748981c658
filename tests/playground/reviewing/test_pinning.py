"""What other lists of pre-discovered tools would have cost, against runs worked out by hand and runs played with each list."""

import random
from collections.abc import Sequence
from itertools import combinations

import pytest

from playground.agent.events import Event
from playground.reviewing.pinned_figures import PinnedRuns
from playground.reviewing.pinned_runs import Assumed, PinnedRun, search_turns_of
from playground.reviewing.pinning import EXACT, Chosen, best_of, curve
from playground.reviewing.served import served_by
from playground.reviewing.trails import trail_of
from tests.playground.reviewing.told import Step, Told, pinned_run, played, tokens_of, trail
from tests.playground.runs.recordings import EVERY_KIND, recorded

PRICES = {name: 10 * place for place, name in enumerate("abcdefgh", start=1)}
KEYED = {f"team/{name}": tokens for name, tokens in PRICES.items()}
TOGETHER = [Step("ab", "c"), Step("d")]
"""One search brings a, b and, for nothing, c; another brings d."""


def cost(events: Sequence[Event], pins: str, **assumed: float) -> tuple[float, float]:
    found = pinned_run(events).with_pins({f"team/{name}" for name in pins}, Assumed(**assumed), KEYED)
    elsewhere = sum(KEYED[f"team/{name}"] for name in pins if f"team/{name}" not in pinned_run(events).touches)
    return found.tokens + found.each * elsewhere, found.turns


@pytest.mark.parametrize(
    ("pins", "tokens", "turns"),
    [
        # Prompts as recorded: 150, 240, 280, 350, 390.
        ("", 1410, 5),
        # The first search goes with the 30 tokens that it left to four prompts, and with c (30): a and b are in view from
        # the start, 180, 220, 290, 330.
        ("ab", 1020, 4),
        # The search brought b as well, so it stays; a is in the prompt before it, too.
        ("a", 1420, 5),
        # The second search goes, with what it left to the last prompts; d is in each: 190, 280, 320, 360.
        ("d", 1150, 4),
        # h was never searched: it is paid for five times.
        ("h", 1410 + 5 * 80, 5),
    ],
)
def test_a_turn_that_only_found_pinned_tools_vanishes_and_a_pin_is_paid_for_in_every_prompt(
    pins: str, tokens: float, turns: float
) -> None:
    events = played(TOGETHER, PRICES).end()
    assert cost(events, pins) == (tokens, turns)


@pytest.mark.parametrize("seed", range(12))
def test_what_a_record_says_of_a_list_is_what_the_run_costs_that_is_played_with_it(seed: int) -> None:
    chance = random.Random(seed)
    names = [*PRICES]
    steps = [Step(chance.sample(names, chance.randint(1, 2)), chance.sample(names, 2)) for _ in range(4)]
    # A tool that an earlier search brings for nothing would be missing without that search: then the agent searches anew.
    found = {name for step in steps for name in step.needs}
    steps = [Step(step.needs, [name for name in step.besides if name not in found]) for step in steps]
    record = played(steps, PRICES).end()
    for size in (0, 1, 2, 4):
        pins = "".join(chance.sample(names, size))
        assert cost(record, pins)[0] == tokens_of(played(steps, PRICES, pins).end())


def test_a_tool_taken_from_the_list_is_searched_for_where_it_was_called() -> None:
    events = played([Step("a"), Step("b")], PRICES, "ah").end()
    # As recorded, with a and h in view: 240, 280 (the search for b), 330, 370.
    assert cost(events, "ah") == (1220, 4)
    # Without h, that nobody called, each prompt lacks its 80 tokens. Without a, the prompt that called it is sent as often
    # again as a search takes turns.
    assert cost(events, "a") == (1220 - 4 * 80, 4)
    assert cost(events, "h", search_turns=2.0) == (1220 + 2 * 240, 6)


def test_tokens_that_were_sent_before_count_at_their_price() -> None:
    events = played([Step("b")], PRICES).end()
    # Prompts of 150, 200 and 240, each beginning with the one before.
    assert cost(events, "", cached=0.1) == pytest.approx((150 + (50 + 15) + (40 + 20), 3))
    # The search goes: 170 as new, then 210, of which the turn before had all but what the search's own turn had new: 150.
    first, again = 170, 0.1 * 210 + 0.9 * 40
    assert cost(events, "b", cached=0.1) == pytest.approx((first + again, 2))


def test_a_try_that_found_nothing_goes_with_the_search_that_did() -> None:
    told = Told(PRICES)
    told.search("wrong words", "c")
    told.search("right words", "a")
    told.call("a")
    told.search("given up", "c")
    events = told.end()
    found = served_by(trail(events))
    assert {call: set(tools) for call, tools in found.items()} == {"s1": {"team/a"}, "s2": {"team/a"}}
    assert cost(events, "a")[1] == 3


def test_a_search_before_a_call_that_failed_is_for_nothing() -> None:
    told = Told(PRICES)
    told.search("words", "a")
    told.call("a", outcome="failed")
    events = told.end()
    assert served_by(trail(events)) == {}
    assert search_turns_of([pinned_run(events)]) is None


def test_turns_of_a_search_are_shared_by_the_tools_that_it_brought() -> None:
    assert search_turns_of([pinned_run(played(TOGETHER, PRICES).end())]) == 2 / 3


@pytest.fixture(scope="module")
def many() -> PinnedRuns:
    chance = random.Random(7)
    tools = "abcde"
    runs = []
    for _ in range(30):
        steps = [Step(chance.sample(tools, chance.randint(1, 3)), chance.sample("fgh", 1)) for _ in range(3)]
        runs.append(pinned_run(played(steps, PRICES).end()))
    return PinnedRuns(runs, frozenset(KEYED), KEYED, Assumed())


def by_hand(runs: PinnedRuns, pins: frozenset[str]) -> float:
    return sum(runs.of_run(run, pins).tokens for run in runs.runs) / len(runs.runs)


def test_few_tools_are_chosen_from_by_trying_every_list(many: PinnedRuns) -> None:
    tools = [f"team/{name}" for name in "abcde"]
    points = curve(many, tools)
    assert [len(one.pins) for one in points] == [0, 1, 2, 3, 4, 5]
    for one in points:
        lists = map(frozenset, combinations(tools, len(one.pins)))
        assert one.figures.tokens == pytest.approx(min(by_hand(many, pins) for pins in lists))


def test_of_many_tools_those_that_only_save_together_are_chosen_together() -> None:
    names = [f"t{number:02}" for number in range(EXACT + 4)]
    prices = dict.fromkeys(names, 10)
    pairs = [names[place : place + 2] for place in range(0, len(names), 2)]
    runs = [
        pinned_run(played([Step(pair)] * 1, prices).end())
        for pair in pairs
        for _ in range(9 if pair == pairs[2] else 3)
    ]
    keyed = {f"team/{name}": 10 for name in names}
    points = curve(PinnedRuns(runs, frozenset(keyed), keyed, Assumed()), [*keyed])
    assert points[2].pins == {"team/t04", "team/t05"}
    assert points[1].figures.tokens > points[0].figures.tokens > points[2].figures.tokens


def test_a_turn_may_count_for_more_than_its_tokens(many: PinnedRuns) -> None:
    points = curve(many, [f"team/{name}" for name in "abcde"])
    fewest_turns = best_of(points, turn_worth=100_000)
    assert fewest_turns.figures.turns == min(one.figures.turns for one in points)
    assert best_of(points).figures.tokens == min(one.figures.tokens for one in points)


def test_of_lists_that_cost_the_same_the_shortest_is_best(many: PinnedRuns) -> None:
    figures = many.with_pins(frozenset())
    longer, shorter = Chosen(frozenset({"team/a"}), figures), Chosen(frozenset(), figures)
    assert best_of([longer, shorter]) is shorter


def test_runs_in_which_a_list_is_cheaper_are_counted() -> None:
    needing, other = pinned_run(played([Step("a")], PRICES).end()), pinned_run(played([Step("b")], PRICES).end())
    runs = PinnedRuns([needing, other], frozenset(KEYED), KEYED, Assumed())
    assert runs.cheaper({"team/a"}, set()) == 1


@pytest.mark.parametrize(("tools_all", "hid"), [(8, False), (9, True)])
def test_a_run_that_was_sent_every_tool_hid_none(tools_all: int, hid: bool) -> None:
    told = Told(PRICES, "abcdefgh", tools_all)
    told.call("a")
    assert trail(told.end()).hid is hid


def test_every_kind_of_event_may_be_in_a_record() -> None:
    assert PinnedRun.of(trail_of(recorded(EVERY_KIND), lambda server, name: f"{server}/{name}")).prompts
