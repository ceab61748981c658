"""What holds for every engine, whatever the catalog and the query, where meanings can be compared."""

import importlib
import inspect
import pkgutil
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import catalog.search
from catalog.search import ENGINES
from catalog.search.engine import Corpus
from catalog.search.ranking import Ranking
from catalog.search.sentences import describe
from catalog.tools import ToolSpec
from tests.catalog.search.conftest import TOOLS, corpus_of
from tests.catalog.search.random_catalogs import anything, catalogs, queries
from tests.embedding import vectors_of

every_engine = pytest.mark.parametrize("slug", ENGINES)
limits = st.integers(-1, 6)

NASTY = [
    "\0",
    "a\0b",
    "\ud800",
    "x" * 10_000,
    "weather " * 2_000,
    "(" * 5_000,
    "(" * 900,
    "a*",
    "*",
    "*a*",
    "[a TO z]",
    "abc~9",
    '"' * 5_000,
    "(a+)+$",
    "\\",
    "😀" * 300,
    "的" * 400,
    "\u0301\u0301",
    "name:weather",
]


def contributions_add_up_to_the_score(ranking: Ranking) -> None:
    for hit in ranking.every_hit():
        told = list(hit.explanation.contributions())
        assert sum(part.value for part in told) == pytest.approx(hit.score, abs=1e-9)
        assert all(part.field for part in told)


def ranks_count_from_one_and_follow_the_scores(ranking: Ranking) -> None:
    hits = list(ranking.every_hit())
    assert [hit.rank for hit in hits] == list(range(1, len(hits) + 1))
    scores = [hit.score for hit in hits]
    assert scores == sorted(scores, reverse=True)


def a_cut_says_by_what_and_never_hides_a_better_hit(ranking: Ranking) -> None:
    for cut in ranking.cuts:
        assert cut.by
        assert cut.hits
        assert all(hit.score <= cut.score for hit in cut.hits)


def what_matched_is_counted(ranking: Ranking) -> None:
    names = [hit.tool.name for hit in ranking.every_hit()]
    assert len(set(names)) == len(names)
    assert len(names) <= ranking.matched <= ranking.searched
    assert not (ranking.problem and names)


def every_hit_can_be_told_in_a_sentence(ranking: Ranking) -> None:
    for hit in ranking.every_hit():
        assert describe(hit).endswith(".")


RULES: tuple[Callable[[Ranking], None], ...] = (
    contributions_add_up_to_the_score,
    ranks_count_from_one_and_follow_the_scores,
    a_cut_says_by_what_and_never_hides_a_better_hit,
    what_matched_is_counted,
    every_hit_can_be_told_in_a_sentence,
)


@every_engine
@given(catalogs, queries, limits, st.frozensets(st.sampled_from(["github", "slack", "elsewhere"]), min_size=1))
@settings(max_examples=40, deadline=None)
def test_every_ranking_keeps_the_rules(
    slug: str, tools: tuple[ToolSpec, ...], query: str, limit: int, servers: frozenset[str]
) -> None:
    with corpus_of(tools, vectors_of(tools)) as corpus:
        engine = ENGINES[slug](corpus)
        ranking, own = engine.search(query, limit), engine.search(query, limit, servers)
        assert ranking == engine.search(query, limit) == ENGINES[slug](corpus).search(query, limit)
    assert len(ranking.hits) <= max(limit, 0)
    assert (ranking.engine, ranking.reading.sent, ranking.searched) == (slug, query, len(tools))
    assert {hit.tool.server for hit in own.every_hit()} <= servers
    assert own.searched == sum(tool.server in servers for tool in tools)
    for rule in RULES:
        rule(ranking)
        rule(own)


@every_engine
@given(query=anything)
@settings(max_examples=25, deadline=None)
def test_no_query_raises(slug: str, corpus_with_vectors: Corpus, query: str) -> None:
    ENGINES[slug](corpus_with_vectors).search(query, 5)


@every_engine
@pytest.mark.parametrize("query", NASTY, ids=lambda query: repr(query[:12]))
def test_no_nasty_query_raises(slug: str, corpus_with_vectors: Corpus, query: str) -> None:
    ENGINES[slug](corpus_with_vectors).search(query, 5)


@every_engine
def test_an_empty_catalog_has_no_hits(slug: str) -> None:
    with corpus_of((), vectors_of(())) as corpus:
        ranking = ENGINES[slug](corpus).search("weather", 3)
    assert (ranking.hits, ranking.matched, ranking.searched) == ((), 0, 0)


@every_engine
def test_a_query_of_nothing_says_so(slug: str, corpus_with_vectors: Corpus) -> None:
    ranking = ENGINES[slug](corpus_with_vectors).search("", 5)
    assert ranking.hits == ()
    assert ranking.notes


@every_engine
def test_tools_are_found_by_their_names(slug: str, corpus_with_vectors: Corpus) -> None:
    engine = ENGINES[slug](corpus_with_vectors)
    for tool in TOOLS:
        assert tool in [hit.tool for hit in engine.search(tool.name, 3).hits]


@every_engine
def test_threads_do_not_disturb_each_other(slug: str, corpus_with_vectors: Corpus) -> None:
    asked = ["weather", "send msg", "read a file", "读文件", "github ticket", "wether", "team", "zzqqxx"] * 4
    alone = ENGINES[slug](corpus_with_vectors)
    expected = [alone.search(query, 5) for query in asked]
    shared = ENGINES[slug](corpus_with_vectors)
    with ThreadPoolExecutor(8) as threads:
        assert list(threads.map(lambda query: shared.search(query, 5), asked)) == expected


def engines_in_the_folder() -> Iterator[tuple[str, object]]:
    for module in pkgutil.iter_modules(catalog.search.__path__, "catalog.search."):
        for _, found in inspect.getmembers(importlib.import_module(module.name), inspect.isclass):
            if found.__module__ == module.name and isinstance(vars(found).get("slug"), str):
                yield vars(found)["slug"], found


def test_the_registry_holds_every_engine_of_the_folder_under_its_slug() -> None:
    assert dict(engines_in_the_folder()) == ENGINES


@every_engine
def test_an_engine_introduces_itself(slug: str) -> None:
    engine = ENGINES[slug]
    assert all((engine.title, engine.summary, engine.query_help))
