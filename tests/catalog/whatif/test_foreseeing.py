"""What a what-if says of a query is what the catalog answers once the edit is made."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.speed.synthetic import NEW_WORDS, synthetic
from catalog.policy import Policy, Rule
from catalog.search import ENGINES
from catalog.search.building import REBUILD_FROM
from catalog.search.choosing import choose
from catalog.search.engine import Corpus
from catalog.search.index import build_index, update_index
from catalog.search.orders import Order, order_in, order_of
from catalog.tools import ToolSpec
from catalog.whatif.foreseeing import foresee
from catalog.whatif.queries import KnownQuery, together, touched_first
from catalog.whatif.rows import with_tools
from catalog.whatif.sides import LIMIT, Side
from tests.catalog.search.conftest import TOOLS, corpus_of
from tests.catalog.search.random_catalogs import catalogs, queries
from tests.catalog.search.random_catalogs import tools as any_tools

every_engine = pytest.mark.parametrize("slug", ENGINES)
QUERIES = ("weather", "send a message to the team", "file a bug", "a letter", "read", "emial", "outlook for a city")
REWORDED = replace(TOOLS[0], description="Send the weather of a city to the team as a message")


def save(corpus: Corpus, specs: Sequence[ToolSpec], place: int) -> None:
    """As a save does it: what is a large share of the tools is indexed anew."""
    if REBUILD_FROM * len(specs) < 1:
        build_index(corpus.index, specs)
    else:
        update_index(corpus.index, [specs[place]])


@every_engine
@given(catalogs.filter(bool), st.integers(0, 100), any_tools, st.lists(queries, min_size=1, max_size=3))
@settings(max_examples=4, deadline=None)
def test_any_edit_is_foreseen_as_it_comes(
    slug: str, tools: tuple[ToolSpec, ...], number: int, other: ToolSpec, asked: list[str]
) -> None:
    place = number % len(tools)
    old = tools[place]
    specs = list(tools)
    specs[place] = replace(other, name=old.name, server=old.server, upstream_name=old.upstream_name)
    known = [KnownQuery(text) for text in dict.fromkeys((*asked, other.description))]
    with corpus_of(tools) as corpus, corpus_of(()) as nowhere:
        side = Side(corpus, choose(slug))
        after = with_tools(specs, side, nowhere.index / "changed")
        foreseen = {shift.query.text: shift for shift in foresee(known, side, after, {})}
        before = {query: order_in(side.ranking(query)) for query in foreseen}
        save(corpus, specs, place)
        then = ENGINES[slug](Corpus(tuple(specs), corpus.index))
        for query, shift in foreseen.items():
            assert shift.before == before[query]
            assert shift.after == order_in(then.search(query, LIMIT))


@every_engine
def test_an_edit_is_foreseen_as_an_index_made_anew_has_it(slug: str, corpus: Corpus, tmp_path: Path) -> None:
    side, specs = Side(corpus, choose(slug)), (REWORDED, *TOOLS[1:])
    found = list(foresee([KnownQuery(text) for text in QUERIES], side, with_tools(specs, side, tmp_path / "x"), {}))
    with corpus_of(specs) as anew:
        engine = ENGINES[slug](anew)
        assert {shift.query.text: shift.after for shift in found} == {
            text: order_in(engine.search(text, LIMIT)) for text in QUERIES
        }


@every_engine
def test_an_order_is_that_of_the_search_also_where_scores_are_equal(slug: str) -> None:
    twins = [replace(tool, name=f"{tool.name}_{number}") for tool in TOOLS for number in range(4)]
    with corpus_of(twins) as corpus:
        engine = ENGINES[slug](corpus)
        for text in QUERIES:
            assert order_of(engine, text, 3) == order_in(engine.search(text, 3))


def test_tools_that_come_and_go_are_foreseen(corpus: Corpus, tmp_path: Path) -> None:
    side = Side(corpus, choose("pegboard"))
    (shift,) = foresee([KnownQuery("weather")], side, with_tools(TOOLS[1:], side, tmp_path / "x"), {})
    assert list(shift.went_out(5)) == ["weather/get_weather"]
    assert shift.move("weather/weather_forecast").rise >= 0


def test_what_a_policy_denies_is_in_no_order(corpus: Corpus) -> None:
    policy = Policy((Rule(allow=False, name="get_weather"),))
    side = Side(corpus, choose("pegboard"), policy)
    (shift,) = foresee([KnownQuery("weather")], side, side, {})
    assert shift.before.kept == ("weather/weather_forecast",)


def test_an_answer_that_is_known_is_not_asked_for_again(corpus: Corpus) -> None:
    side, known = Side(corpus, choose("like")), {"weather": Order(("kept/here",))}
    (shift,) = foresee([KnownQuery("weather")], side, side, known)
    assert shift.before.kept == ("kept/here",)
    assert not shift.changed


def test_queries_that_tell_of_the_tool_are_asked_first_then_those_with_rare_words_that_change() -> None:
    asked = [KnownQuery(text) for text in ("a letter", "team", "the team", "conditions", "cold")]
    known = {"cold": Order((), ("weather/get_weather",))}
    ordered = [query.text for query in touched_first(asked, [TOOLS[0]], [REWORDED], known)]
    assert ordered == ["cold", "conditions", "team", "the team", "a letter"]


def test_a_query_that_is_judged_and_was_recorded_is_one() -> None:
    judged = KnownQuery("weather", (frozenset({"a/b"}),))
    recorded = [KnownQuery("bug", times=1), KnownQuery("weather", called=frozenset({"c/d"}), times=2)]
    first, second = together([judged], recorded)
    assert (first.groups, first.called, first.times) == (judged.groups, frozenset({"c/d"}), 2)
    assert first.answers == {"a/b"}
    assert (second.text, second.is_judged) == ("bug", False)


def test_many_edits_of_a_larger_catalog_are_foreseen_as_asking_everything_anew_has_it(tmp_path: Path) -> None:
    """With misspelt queries, and edits that bring the words that were meant, or take them away."""
    made = synthetic(250, 60)
    asked = [KnownQuery(text) for text in dict.fromkeys((*made.queries, "mesage chanel", "zebraba", "depoly clustre"))]
    known = dict[str, Order]()
    with corpus_of(tuple(made.tools)) as corpus:
        side, random = Side(corpus, choose("pegboard")), Random(7)
        for number in range(6):
            place, specs = random.randrange(len(made.tools)), list(corpus.tools)
            words = random.choice(asked).text if number % 2 else random.choice(NEW_WORDS)
            specs[place] = replace(specs[place], description=words, aliases=(words[:40],))
            after = with_tools(specs, side, tmp_path / str(number))
            engine = after.engine.over(after.corpus)
            for shift in foresee(asked, side, after, known):
                assert shift.after == order_in(engine.search(shift.query.text, LIMIT))
