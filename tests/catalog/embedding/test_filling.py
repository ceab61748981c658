"""Each distinct text is embedded once, and what was made before a failure is kept."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import pytest

from catalog.embedding.embedder import EmbeddingFailedError, Rows
from catalog.embedding.filling import fill, take_kept
from catalog.embedding.query_vectors import QueryVectors
from catalog.embedding.texts import texts_of
from catalog.embedding.tool_vectors import ToolVectors
from catalog.search.vectors import NoVectorsError, meaning_text
from catalog.tools import ToolSpec
from tests.embedding import LettersEmbedder

TOOLS = tuple(ToolSpec(name, f"Does {name}", server="s") for name in ("alpha", "beta", "gamma", "delta", "epsilon"))


class Shelf:
    """Keeps vectors in memory."""

    def __init__(self) -> None:
        self.rows: dict[str, Rows] = {}

    def read(self, digests: Sequence[str]) -> dict[str, Rows]:
        return {digest: self.rows[digest] for digest in digests if digest in self.rows}

    def write(self, rows: Mapping[str, Rows]) -> None:
        self.rows |= rows


def filled(tools: Sequence[ToolSpec], embedder: LettersEmbedder, shelf: Shelf) -> ToolVectors:
    vectors = ToolVectors(QueryVectors(embedder))
    fill(vectors, texts_of(tools, embedder), embedder, shelf)
    return vectors


def test_rows_stand_in_the_order_of_the_tools() -> None:
    embedder = LettersEmbedder()
    matrix = filled(TOOLS, embedder, Shelf()).matrix
    assert matrix is not None
    assert np.allclose(matrix, LettersEmbedder().embed([meaning_text(tool) for tool in TOOLS]))


def test_a_text_that_several_tools_have_is_embedded_once() -> None:
    embedder = LettersEmbedder()
    vectors = filled(TOOLS + TOOLS, embedder, Shelf())
    assert len(embedder.asked) == len(TOOLS)
    assert vectors.made == 2 * len(TOOLS)


def test_only_what_changed_is_embedded_anew() -> None:
    embedder, shelf = LettersEmbedder(), Shelf()
    filled(TOOLS, embedder, shelf)
    embedder.asked.clear()
    filled((replace(TOOLS[0], description="Does more"), *TOOLS[1:]), embedder, shelf)
    assert embedder.asked == ["s: alpha. Does more"]


def test_what_was_made_before_a_failure_is_kept() -> None:
    tired, shelf = LettersEmbedder(most=3), Shelf()
    vectors = ToolVectors(QueryVectors(tired))
    with pytest.raises(EmbeddingFailedError):
        fill(vectors, texts_of(TOOLS, tired), tired, shelf)
    assert (vectors.made, vectors.matrix, len(shelf.rows)) == (2, None, 2)
    rested = LettersEmbedder()
    filled(TOOLS, rested, shelf)
    assert len(rested.asked) == 3


def test_kept_vectors_need_no_model() -> None:
    embedder, shelf = LettersEmbedder(), Shelf()
    filled(TOOLS, embedder, shelf)
    vectors = ToolVectors(QueryVectors(embedder))
    assert not take_kept(vectors, texts_of((*TOOLS, ToolSpec("new")), embedder), shelf)
    assert (vectors.made, vectors.matrix) == (5, None)
    embedder.asked.clear()
    assert take_kept(vectors, texts_of(TOOLS, embedder), shelf)
    assert embedder.asked == []
    assert vectors.matrix is not None


def test_vectors_of_another_model_are_not_taken() -> None:
    embedder, shelf = LettersEmbedder(), Shelf()
    filled(TOOLS, embedder, shelf)
    other = LettersEmbedder()
    other.identity = "other letters"
    assert not take_kept(ToolVectors(QueryVectors(other)), texts_of(TOOLS, other), shelf)


def test_a_model_that_changed_under_its_name_embeds_all_anew() -> None:
    embedder, shelf = LettersEmbedder(), Shelf()
    texts = texts_of(TOOLS, embedder)
    shelf.write({digest: np.ones(3, np.float32) for digest in texts.order[:2]})
    assert filled(TOOLS, embedder, shelf).matrix is not None
    assert {len(row) for row in shelf.rows.values()} == {27}
    shelf.rows[texts.order[0]] = np.ones(3, np.float32)
    assert not take_kept(ToolVectors(QueryVectors(embedder)), texts, shelf)


def test_the_vectors_after_an_edit_need_only_what_changed() -> None:
    embedder = LettersEmbedder()
    before = filled(TOOLS, embedder, Shelf())
    edited = (*TOOLS[1:], replace(TOOLS[0], search_text="omega"))
    embedder.asked.clear()
    after = before.over(edited)
    assert embedder.asked == ["s: alpha. Does alpha. omega"]
    anew = filled(edited, LettersEmbedder(), Shelf())
    assert after.matrix is not None
    assert anew.matrix is not None
    assert np.allclose(after.matrix, anew.matrix)
    embedder.most = 0
    assert before.over((*TOOLS, ToolSpec("new"))).problem == "The model letters gave no vectors: it is tired."
    assert ToolVectors(QueryVectors(embedder)).over(TOOLS).matrix is None


def test_a_query_is_embedded_once_and_a_failing_model_is_left_alone() -> None:
    embedder = LettersEmbedder(most=1)
    queries = QueryVectors(embedder)
    assert queries.of("a") is queries.of("a")
    for _ in range(2):
        with pytest.raises(NoVectorsError, match="The model letters gave no vectors: it is tired"):
            queries.of("b")
        embedder.most = 1_000
    assert embedder.asked == ["a"]
