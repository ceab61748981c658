"""A corpus that followed an edit finds what one made anew finds, whatever the engine."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from catalog.search import ENGINES
from catalog.search.engine import Corpus, Part
from catalog.search.index import update_index
from catalog.search.places import Places
from catalog.tools import ToolSpec
from tests.catalog.search.conftest import TOOLS, corpus_of
from tests.catalog.search.random_catalogs import catalogs, queries, tools

every_engine = pytest.mark.parametrize("slug", ENGINES)
few = settings(max_examples=25, deadline=None)
edits = st.lists(st.tuples(st.integers(0, 100), tools), min_size=1, max_size=5)


def with_texts_of(tool: ToolSpec, other: ToolSpec) -> ToolSpec:
    return replace(other, name=tool.name, server=tool.server, upstream_name=tool.upstream_name)


def edited(corpus: Corpus, place: int, other: ToolSpec) -> Corpus:
    """The corpus, and its index, with other texts in this place."""
    specs = [*corpus.tools]
    specs[place] = with_texts_of(specs[place], other)
    update_index(corpus.index, [specs[place]])
    return Corpus(tuple(specs), corpus.index).following(corpus)


@every_engine
@given(catalogs.filter(bool), edits, st.lists(queries, min_size=1, max_size=3))
@few
def test_any_edits_are_followed(
    slug: str, tools: tuple[ToolSpec, ...], edits: list[tuple[int, ToolSpec]], asked: list[str]
) -> None:
    with corpus_of(tools) as corpus:
        for number, other in edits:
            for query in asked:
                ENGINES[slug](corpus).search(query, 4)
            corpus = edited(corpus, number % len(tools), other)
        anew = Corpus(corpus.tools, corpus.index)
        for query in (*asked, edits[-1][1].description):
            assert ENGINES[slug](corpus).search(query, 4) == ENGINES[slug](anew).search(query, 4)


@every_engine
def test_a_search_under_way_keeps_the_tools_that_it_began_with(slug: str, build: Callable[..., Corpus]) -> None:
    corpus = build(*TOOLS)
    engine = ENGINES[slug](corpus)
    before = {query: engine.search(query, 5) for query in ("weather", "send team", "zzqqxx")}
    changed = edited(corpus, 0, ToolSpec("", "Zebras and the weather of the team"))
    ENGINES[slug](changed).search("zebras", 5)
    assert {query: engine.search(query, 5) for query in before} == before


@every_engine
def test_what_an_engine_made_of_a_corpus_follows_an_edit(slug: str, build: Callable[..., Corpus]) -> None:
    corpus = build(*TOOLS)
    for query in ("weather", "zzqqxx"):
        ENGINES[slug](corpus).search(query, 5)
    costly = [part for part in corpus._parts.values() if not isinstance(part, Part)]
    assert [type(part).__name__ for part in costly] in ([], ["TermSums"], ["Weighing"])


def test_what_was_read_of_an_index_is_not_read_again(build: Callable[..., Corpus]) -> None:
    corpus = build(*TOOLS)
    (before,) = corpus.shared(Places).postings.segments
    after = edited(corpus, 0, ToolSpec("", "Zebras")).shared(Places).postings.segments
    assert after[0].segment is before.segment
    assert [placed.segment.size for placed in after] == [len(TOOLS), 1]


def test_an_edit_of_a_name_makes_all_anew(build: Callable[..., Corpus]) -> None:
    corpus = build(*TOOLS)
    corpus.shared(Places)
    renamed = replace(TOOLS[0], name="get_climate")
    update_index(corpus.index, [renamed], [TOOLS[0].name])
    after = Corpus((renamed, *TOOLS[1:]), corpus.index).following(corpus)
    assert after._older == {}
    assert [hit.tool for hit in ENGINES["bm25f"](after).search("climate", 5).hits] == [renamed]


def test_edits_pile_up_for_what_nobody_asked_meanwhile(build: Callable[..., Corpus]) -> None:
    corpus = build(*TOOLS)
    ENGINES["like"](corpus).search("weather", 5)
    for place, word in enumerate(("zebra", "gnu", "okapi")):
        corpus = edited(corpus, place, ToolSpec("", f"A {word}"))
    found = [ENGINES["like"](corpus).search(word, 5).hits[0].tool.name for word in ("zebra", "gnu", "okapi")]
    assert found == [tool.name for tool in TOOLS[:3]]
