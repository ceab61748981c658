"""Where a tool stands in a ranking, for every engine, and which words of the query it has."""

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from catalog.search import ENGINES
from catalog.search.choosing import choose
from catalog.search.engine import Corpus
from catalog.search.standing import standing_of
from catalog.tools import ToolSpec
from tests.catalog.search.conftest import TOOLS, corpus_of
from tests.catalog.search.random_catalogs import catalogs, queries

every_engine = pytest.mark.parametrize("slug", ENGINES)


def numbered(count: int, text: str) -> list[ToolSpec]:
    return [ToolSpec(f"tool_{number:03}", text, server="many") for number in range(count)]


@every_engine
@given(catalogs, queries, st.integers(0, 4))
@settings(max_examples=25, deadline=None)
def test_a_standing_agrees_with_the_ranking(slug: str, tools: tuple[ToolSpec, ...], query: str, limit: int) -> None:
    with corpus_of(tools) as corpus:
        engine = ENGINES[slug](corpus)
        ranking = engine.search(query, limit)
        returned = {hit.tool.name: hit.rank for hit in ranking.hits}
        told = {hit.tool.name for hit in ranking.every_hit()}
        for tool in tools:
            standing = standing_of(engine, ranking, tool)
            assert (standing.outcome == "problem") == bool(ranking.problem)
            assert (standing.outcome == "returned") == (tool.name in returned)
            assert (standing.outcome == "cut") == (tool.name in told - returned.keys())
            if standing.outcome in ("returned", "cut"):
                assert standing.hit in list(ranking.every_hit())
            if standing.outcome == "unmatched":
                assert tool.name not in {hit.tool.name for hit in engine.search(query, len(tools)).every_hit()}


@pytest.mark.parametrize("slug", sorted(set(ENGINES) - {"eino-regex"}))
def test_a_tool_further_down_than_is_told_has_its_rank(slug: str) -> None:
    tools = numbered(40, "Current weather in a city")
    with corpus_of(tools) as corpus:
        engine = ENGINES[slug](corpus)
        standing = standing_of(engine, engine.search("weather", 3), tools[30])
    assert standing.outcome == "further down"
    assert standing.hit is not None
    assert standing.hit.rank == 31


def test_beyond_what_an_engine_ever_tells_nothing_is_claimed() -> None:
    tools = numbered(40, "Current weather in a city")
    with corpus_of(tools) as corpus:
        engine = ENGINES["mcpagent"](corpus)
        ranking = engine.search("wether", 5)
        assert ranking.matched == 40
        assert standing_of(engine, ranking, tools[39]).outcome == "untold"


def test_the_score_to_reach_is_that_of_the_cut(corpus: Corpus) -> None:
    engine = choose("bm25f").over(corpus)
    ranking = engine.search("weather", 1)
    standing = standing_of(engine, ranking, TOOLS[1] if ranking.hits[0].tool == TOOLS[0] else TOOLS[0])
    assert (standing.outcome, standing.by, standing.least) == ("cut", "top-k 1", ranking.hits[-1].score)


@pytest.mark.parametrize(
    ("slug", "query", "tool", "had", "lacking"),
    [
        ("bm25f", "weather on paper", "send_message", {}, ("weather", "paper")),
        ("bm25f", "weather channels", "send_message", {"channels": ("description",)}, ("weather",)),
        ("pegboard", "letters bug", "send_email", {"letters": ("search_text",)}, ("bug",)),
        ("eino-keyword", "+slack channel", "send_message", {"channel": ("description",)}, ("+slack",)),
        ("eino-keyword", "+slack letter", "send_email", {}, ("+slack", "letter")),
        ("mastra", "file letter", "read_file", {"file": ("name",)}, ("letter",)),
        ("like", "letter disk", "send_email", {"letter": ("search_text",)}, ("disk",)),
    ],
)
def test_the_words_that_a_tool_has_are_those_that_its_engine_finds_in_it(
    corpus: Corpus, slug: str, query: str, tool: str, had: dict[str, tuple[str, ...]], lacking: tuple[str, ...]
) -> None:
    engine = ENGINES[slug](corpus)
    standing = standing_of(engine, engine.search(query, 0), next(spec for spec in TOOLS if spec.name == tool))
    assert {word.text: word.fields for word in standing.words if word.is_had} == had
    assert standing.lacking == lacking


def test_common_words_are_neither_had_nor_lacking(corpus: Corpus) -> None:
    engine = ENGINES["pegboard"](corpus)
    standing = standing_of(engine, engine.search("the weather", 3), TOOLS[2])
    assert [(word.text, word.dropped) for word in standing.words] == [("the", "a common word"), ("weather", "")]
    assert standing.lacking == ("weather",)


def test_of_a_selection_the_words_are_the_names_of_others(build: Callable[..., Corpus]) -> None:
    engine = ENGINES["eino-keyword"](build(*TOOLS))
    standing = standing_of(engine, engine.search("select:read_file", 5), TOOLS[0])
    assert (standing.outcome, standing.lacking) == ("unmatched", ("read_file",))
