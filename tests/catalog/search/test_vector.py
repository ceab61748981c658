"""Ranking by meaning, and what meaning adds to words."""

from collections.abc import Iterator

import pytest
from hypothesis import given, settings

from catalog.embedding.query_vectors import QueryVectors
from catalog.embedding.tool_vectors import ToolVectors
from catalog.search.engine import Corpus
from catalog.search.pegboard import Pegboard, PegboardSettings
from catalog.search.ranking import Hit
from catalog.search.sentences import describe
from catalog.search.vector import Vector, VectorSettings
from catalog.search.vectors import meaning_text
from catalog.tools import ToolSpec
from tests.catalog.search.conftest import TOOLS, corpus_of
from tests.catalog.search.random_catalogs import catalogs, queries
from tests.embedding import LettersEmbedder, vectors_of

PAINT = ToolSpec("paint_wall", "Covers a wall with colour")
DISTANT = ToolSpec("tune_piano", "Adjusts the strings of a piano")


@pytest.fixture
def corpus(corpus_with_vectors: Corpus) -> Corpus:
    return corpus_with_vectors


def names(hits: tuple[Hit, ...]) -> list[str]:
    return [hit.tool.name for hit in hits]


@pytest.mark.parametrize(
    ("query", "name"),
    [
        ("will it rain tomorrow?", "weather_forecast"),
        ("how hot is it outside", "get_weather"),
        ("mail my boss", "send_email"),
        ("tell everybody on slack", "send_message"),
        ("report a defect in the repository", "createIssue"),
    ],
)
def test_a_tool_is_found_by_words_that_it_has_not(corpus: Corpus, query: str, name: str) -> None:
    assert names(Vector(corpus).search(query, 1).hits) == [name]


def test_a_score_is_the_cosine_and_names_the_model(corpus: Corpus) -> None:
    hit = Vector(corpus).search("mail my boss", 1).hits[0]
    (told,) = hit.explanation.contributions()
    assert (told.value, told.field) == (hit.score, "meaning")
    assert 0.2 < hit.score < 1
    assert describe(hit).startswith("Its meaning is near to the query’s, cosine 0.")
    assert describe(hit).endswith("as all-MiniLM-L6-v2 reads both.")


def test_a_least_similarity_keeps_distant_tools_out(corpus: Corpus) -> None:
    near = Vector(corpus, VectorSettings(least=0.4)).search("weather forecast", 10)
    assert names(near.hits) == ["weather_forecast", "get_weather"]
    assert len(Vector(corpus, VectorSettings(least=0.0)).search("weather forecast", 10).hits) > 2


@pytest.mark.parametrize("engine", [Vector, Pegboard])
def test_unfinished_vectors_are_said_to_be(corpus: Corpus, engine: type[Vector | Pegboard]) -> None:
    unfinished = ToolVectors(QueryVectors(LettersEmbedder()))
    unfinished.made, unfinished.problem = 2, "It rests."
    ranking = engine(Corpus(corpus.tools, corpus.index, unfinished)).search("weather", 5)
    assert "2 of 6 tools have vectors so far. It rests." in " ".join((ranking.problem, *ranking.notes))
    assert bool(ranking.hits) == (engine is Pegboard)


def test_vectors_of_another_length_are_the_models_fault(corpus: Corpus) -> None:
    assert corpus.vectors
    mixed = ToolVectors(QueryVectors(LettersEmbedder()))
    assert corpus.vectors.matrix is not None
    mixed.complete({"row": corpus.vectors.matrix[0]}, ["row"] * len(TOOLS))
    assert "another length" in Vector(Corpus(corpus.tools, corpus.index, mixed)).search("weather", 5).problem


def test_the_model_reads_server_name_description_aliases_and_parameters() -> None:
    schema = {"properties": {"repoName": {"description": "unread"}, "title": {}}}
    tool = ToolSpec(
        "gh__createIssue",
        "Opens a ticket",
        schema,
        server="github",
        upstream_name="createIssue",
        aliases=("file a bug",),
        search_text="defect",
    )
    assert meaning_text(tool) == "github: create Issue. Opens a ticket. file a bug. defect repo Name, title"
    assert meaning_text(ToolSpec("now")) == "now"


@given(catalogs, queries)
@settings(max_examples=15, deadline=None)
def test_meaning_switched_off_ranks_as_without_vectors(tools: tuple[ToolSpec, ...], query: str) -> None:
    with corpus_of(tools) as words, corpus_of(tools, vectors_of(tools)) as both:
        assert Pegboard(both, PegboardSettings(meaning=False)).search(query, 5) == Pegboard(words).search(query, 5)


def test_meaning_finds_what_no_word_does(corpus: Corpus) -> None:
    query = "will it rain tomorrow?"
    assert Pegboard(corpus, PegboardSettings(meaning=False)).search(query, 3).hits == ()
    hit = Pegboard(corpus).search(query, 3).hits[0]
    assert hit.tool.name == "weather_forecast"
    assert {part.field for part in hit.explanation.contributions()} == {"meaning", "bonus"}


def test_meaning_lifts_the_better_of_two_that_have_the_same_words(corpus: Corpus) -> None:
    hits = Pegboard(corpus).search("weather next week", 2).hits
    assert names(hits) == ["weather_forecast", "get_weather"]
    gains = [part.value for hit in hits for part in hit.explanation.contributions() if part.field == "meaning"]
    assert gains == sorted(gains, reverse=True)
    assert len(gains) == 2


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_a_named_tool_stands_first_whatever_is_near(corpus: Corpus, tool: ToolSpec) -> None:
    assert Pegboard(corpus).search(tool.name, 3).hits[0].tool == tool


@pytest.fixture
def unrelated() -> Iterator[Corpus]:
    tools = (PAINT, DISTANT)
    with corpus_of(tools, vectors_of(tools)) as made:
        yield made


def test_what_is_not_near_is_no_hit_without_a_word(unrelated: Corpus) -> None:
    assert Pegboard(unrelated).search("quarterly tax return", 5).hits == ()
    assert names(Pegboard(unrelated).search("decorate the living room", 5).hits) == ["paint_wall"]
