"""Edits that bring a tool in: whatever is promised is what the search then answers, for every engine."""

from collections.abc import Sequence
from dataclasses import replace
from functools import reduce
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from catalog.absence.finding import Edit, Found, find_edits
from catalog.absence.offering import Offering
from catalog.absence.steps import Step, take
from catalog.absence.trying import Asked, Trials
from catalog.exposure import Candidate, Selection
from catalog.search import ENGINES
from catalog.search.choosing import choose
from catalog.search.engine import Corpus
from catalog.search.index import update_index
from catalog.tools import ToolSpec
from tests.catalog.search.conftest import TOOLS, corpus_of
from tests.catalog.search.random_catalogs import catalogs, phrases
from tests.embedding import vectors_of

MOST = 50
every_engine = pytest.mark.parametrize("slug", ENGINES)
SIX = (
    *TOOLS,
    ToolSpec("weather_alerts", "Warnings about weather", server="weather"),
    ToolSpec("weather_history", "Weather of past years", server="weather"),
)


def offered(tools: Sequence[ToolSpec]) -> Offering:
    return Offering(tuple(Candidate(tool) for tool in tools), Selection())


def found_for(corpus: Corpus, offering: Offering, asked: Asked, key: str, needed: Sequence[Step] = ()) -> Found:
    with TemporaryDirectory() as folder:
        return find_edits(Trials(asked, corpus, offering, key, Path(folder)), needed, MOST)


def carried_out(edit: Edit, corpus: Corpus, offering: Offering, key: str) -> Corpus:
    """The corpus after the edit, its own index changed as an edit changes it."""
    tools = reduce(lambda before, step: take(step, before, key), edit.steps, offering).exposure().pool.searchable
    update_index(corpus.index, [tool for tool in tools if tool not in corpus.tools])
    return Corpus(tools, corpus.index, vectors_of(tools))


def searched_so(edit: Edit, asked: Asked) -> Asked:
    """The search with what the edit changes of it."""
    given = {name.partition(".")[2]: value for name, value in edit.search.items() if name != "k"}
    engine = choose(asked.engine.slug, given) if given else asked.engine
    return replace(asked, engine=engine, limit=int(edit.search.get("k", asked.limit)))


def assert_true(edit: Edit, corpus: Corpus, offering: Offering, asked: Asked, key: str) -> None:
    before = {hit.tool.name for hit in asked.of(corpus).hits}
    after = searched_so(edit, asked).of(carried_out(edit, corpus, offering, key)).hits
    assert [hit.rank for hit in after if hit.tool.key == key] == [edit.rank]
    assert set(edit.pushed_out) == before - {hit.tool.name for hit in after}


@every_engine
@given(catalogs.filter(lambda tools: len(tools) > 5), phrases, st.integers(1, 3), st.integers(0, 20))
@settings(max_examples=3, deadline=None)
def test_an_edit_that_is_promised_brings_the_tool_in_at_the_rank_told(
    slug: str, tools: tuple[ToolSpec, ...], query: str, limit: int, place: int
) -> None:
    tools = tuple(replace(tool, upstream_name="") for tool in tools)
    asked, sought = Asked(choose(slug), query, limit), tools[place % len(tools)]
    with corpus_of(tools, vectors_of(tools)) as corpus:
        found = found_for(corpus, offered(tools), asked, sought.key).edits
    for edit in found:
        with corpus_of(tools, vectors_of(tools)) as corpus:
            assert_true(edit, corpus, offered(tools), asked, sought.key)


@pytest.mark.parametrize("slug", sorted(set(ENGINES) - {"eino-regex"}))
def test_a_tool_without_the_word_comes_in_by_adding_it(slug: str) -> None:
    asked = Asked(choose(slug), "invoice", 3)
    with corpus_of(SIX, vectors_of(SIX)) as corpus:
        first = found_for(corpus, offered(SIX), asked, "files/read_file").edits[0]
        reads_search_text = slug in ("pegboard", "vector", "bm25f", "hybrid", "like")
        assert first.steps == (Step("search text" if reads_search_text else "description", "invoice"),)
        assert first.rank == 1
        assert_true(first, corpus, offered(SIX), asked, "files/read_file")


def test_the_fewest_words_come_first() -> None:
    asked = Asked(choose("bm25f"), "weather warnings", 2)
    with corpus_of(SIX, vectors_of(SIX)) as corpus:
        edits = found_for(corpus, offered(SIX), asked, "files/read_file").edits
    counts = [edit.words_added for edit in edits]
    assert counts == sorted(counts)
    assert len(edits) > 1


def test_an_edit_says_what_it_pushes_out() -> None:
    asked = Asked(choose("bm25f"), "weather", 2)
    with corpus_of(SIX, vectors_of(SIX)) as corpus:
        out = {hit.tool.name for hit in asked.of(corpus).hits}
        edit = next(edit for edit in found_for(corpus, offered(SIX), asked, "files/read_file").edits if edit.steps)
    assert len(edit.pushed_out) == 1
    assert set(edit.pushed_out) < out


@every_engine
def test_a_tool_that_just_missed_comes_in_by_returning_more(slug: str) -> None:
    tools = tuple(ToolSpec(f"weather_{number}", "Weather in a city", server="weather") for number in range(9))
    asked = Asked(choose(slug), "weather", 3)
    with corpus_of(tools, vectors_of(tools)) as corpus:
        seventh = replace(asked, limit=9).of(corpus).hits[6].tool
        edits = found_for(corpus, offered(tools), asked, seventh.key).edits
    assert [(edit.steps, edit.search, edit.rank) for edit in edits if edit.search] == [((), {"k": "7"}, 7)]


def test_a_least_score_is_lowered_just_enough() -> None:
    asked = Asked(choose("mastra", {"min_score": "0.9"}), "weather city", 8)
    with corpus_of(SIX, vectors_of(SIX)) as corpus:
        last = [hit for cut in asked.of(corpus).cuts for hit in cut.hits][-1]
        edits = found_for(corpus, offered(SIX), asked, last.tool.key).edits
        lowered = next(edit for edit in edits if "mastra.min_score" in edit.search)
        assert 0 < float(lowered.search["mastra.min_score"]) < 0.9
        assert_true(lowered, corpus, offered(SIX), asked, last.tool.key)


def test_a_required_keyword_is_added_without_its_plus_sign() -> None:
    asked = Asked(choose("eino-keyword"), "+slack channel", 3)
    with corpus_of(SIX, vectors_of(SIX)) as corpus:
        edits = found_for(corpus, offered(SIX), asked, "chat/send_message").edits
    assert [(edit.steps, edit.rank) for edit in edits] == [((Step("description", "slack"),), 1)]


def test_a_pattern_is_met_by_the_words_that_it_spells_out() -> None:
    asked = Asked(choose("mcpagent"), "post.*note|invoice", 3)
    with corpus_of(SIX, vectors_of(SIX)) as corpus:
        edits = found_for(corpus, offered(SIX), asked, "files/read_file").edits
        assert {edit.steps for edit in edits} == {
            (Step("description", "post note"),),
            (Step("description", "invoice"),),
        }
        for edit in edits:
            with corpus_of(SIX) as anew:
                assert_true(edit, anew, offered(SIX), asked, "files/read_file")


def test_names_cannot_be_edited_so_a_pattern_over_names_has_no_edit() -> None:
    with corpus_of(SIX, vectors_of(SIX)) as corpus:
        found = found_for(corpus, offered(SIX), Asked(choose("eino-regex"), "invoice", 3), "files/read_file")
    assert found.edits == ()
    assert found.tried > 0


def test_gates_are_opened_before_any_word_is_added() -> None:
    shut = replace(TOOLS[0], searchable=False)
    candidates = (Candidate(shut, server_enabled=False, enabled=False, excluded=True), *map(Candidate, TOOLS[1:]))
    offering = Offering(candidates, Selection(tools=tuple(f"{tool.server}:{tool.name}" for tool in TOOLS[1:])))
    needed = [Step("server on"), Step("tool on"), Step("include"), Step("let in"), Step("searchable")]
    with corpus_of(TOOLS[1:]) as corpus:
        asked = Asked(choose("pegboard"), "get weather", 3)
        edits = found_for(corpus, offering, asked, "weather/get_weather", needed).edits
        assert [(edit.steps, edit.rank) for edit in edits] == [(tuple(needed), 1)]
        nothing_less = found_for(corpus, offering, asked, "weather/get_weather", needed[:-1])
        assert nothing_less.edits == ()


def test_a_copy_is_tried_and_the_catalog_itself_is_left_alone() -> None:
    asked = Asked(choose("bm25f"), "invoice", 3)
    with corpus_of(SIX, vectors_of(SIX)) as corpus:
        files = {path: path.stat().st_mtime_ns for path in corpus.index.rglob("*") if path.name != "writing"}
        assert found_for(corpus, offered(SIX), asked, "files/read_file").edits
        assert files == {path: path.stat().st_mtime_ns for path in corpus.index.rglob("*") if path.name != "writing"}
        assert asked.of(corpus).matched == 0
