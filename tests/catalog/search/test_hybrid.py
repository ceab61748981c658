"""The hybrid engine: what its variants and sources find, how they are fused, what is added, and where it cuts."""

from collections.abc import Callable, Iterator

import pytest

from catalog.embedding.query_vectors import QueryVectors
from catalog.embedding.tool_vectors import ToolVectors
from catalog.search.bm25f import WhooshBm25f
from catalog.search.engine import Corpus
from catalog.search.hybrid import Hybrid, HybridSettings
from catalog.search.listing import bm25_scores
from catalog.search.ranking import Ranking
from catalog.search.sentences import describe
from catalog.search.settings import UnfitSettingsError, changed, read_settings
from catalog.tools import ToolSpec
from tests.catalog.search.conftest import corpus_of
from tests.embedding import LettersEmbedder

TOOLS = (
    ToolSpec("read_file", "读文件 Read a text from disk"),
    ToolSpec("write_file", "Write a text to disk"),
    ToolSpec("create_document", "Start a document, which is written as a file"),
    ToolSpec("send_message", "Post to a channel of the team"),
    ToolSpec("list_messages", "What was said in a channel"),
    ToolSpec("readable", "Tells how hard a text is to understand"),
)


@pytest.fixture(scope="module")
def tools() -> Iterator[Corpus]:
    with corpus_of(TOOLS) as made:
        yield made


def search(corpus: Corpus, query: str, limit: int = 5, **settings: float) -> Ranking:
    return Hybrid(corpus, read_settings(HybridSettings, settings)).search(query, limit)


def names(ranking: Ranking) -> list[str]:
    return [hit.tool.name for hit in ranking.hits]


def said(ranking: Ranking, name: str) -> list[str]:
    """What the sources said of a tool, variant by variant."""
    told = next(hit for hit in ranking.every_hit() if hit.tool.name == name).explanation
    return [part.background.reason for part in told.contributions() if part.background]


def test_a_chinese_question_is_answered_by_what_it_asks_for(tools: Corpus) -> None:
    """The example of S-6."""
    ranking = search(tools, "能不能帮我读文件")
    assert names(ranking) == ["read_file"]
    assert [way.text for way in ranking.reading.variants] == ["能不能帮我读文件", "读文件", "文件"]


def test_a_score_adds_up_over_the_variants(tools: Corpus) -> None:
    """S-7."""
    hit = search(tools, "could you send a message").hits[0]
    assert hit.score == pytest.approx(1 / 61 + 1 / 61 + 0.5 / 61)
    assert [part.field for part in hit.explanation.contributions()] == ["as_sent", "stripped", "by_subject"]
    assert [part.reason for part in hit.explanation.parts] == [
        "as sent: 1 / (60 + 1)",
        "stripped: 1 / (60 + 1)",
        "by subject: 0.5 / (60 + 1)",
    ]


def test_what_the_sources_said_is_told_and_not_counted(tools: Corpus) -> None:
    hit = search(tools, "write_file").hits[0]
    part = next(hit.explanation.contributions())
    assert part.background is not None
    assert part.background.reason == "from rank 1 in LIKE (1/61), rank 1 in BM25 (1/61) and its exact name (+0.1)"
    assert part.background.value == pytest.approx(2 / 61 + 0.1)
    assert part.value == pytest.approx(1 / 61)


def test_a_hit_is_told_in_a_sentence(tools: Corpus) -> None:
    assert describe(search(tools, "the team").hits[0]) == (
        "Rank 1 as sent, from rank 1 in LIKE (1/61) and rank 1 in BM25 (1/61), and rank 1 stripped."
    )


def test_like_finds_a_part_of_a_word_and_bm25_a_stem(tools: Corpus) -> None:
    assert names(search(tools, "docu")) == names(search(tools, "docu", bm25=False)) == ["create_document"]
    assert names(search(tools, "channels", like=False)) == names(search(tools, "channels")) != []
    assert names(search(tools, "channels", bm25=False)) == []


def test_like_needs_a_share_of_the_words(tools: Corpus) -> None:
    asked = "team channel zebra giraffe"
    assert names(search(tools, asked, bm25=False, like_share=0.5)) == ["send_message"]
    assert names(search(tools, asked, bm25=False, like_share=0.75)) == []


def test_without_sources_nothing_is_found(tools: Corpus) -> None:
    ranking = search(tools, "file", like=False, bm25=False)
    assert ranking.matched == 0
    assert ranking.notes == ("every source is switched off",)


def test_an_exact_name_comes_first(tools: Corpus) -> None:
    alone = search(tools, "Read File", exact_name=0.0)
    assert "its exact name" not in said(alone, "read_file")[0]
    assert names(search(tools, "READ file"))[0] == "read_file"
    assert "its exact name (+0.1)" in said(search(tools, "READ file"), "read_file")[0]


def test_the_intent_lifts_tools_that_do_it(build: Callable[..., Corpus]) -> None:
    corpus = build(ToolSpec("add_note", "x y z"), ToolSpec("delete_note", "x y z"))
    assert names(search(corpus, "erase the note", intent=0.0)) == ["add_note", "delete_note"]
    assert names(search(corpus, "erase the note", intent=0.01)) == ["delete_note", "add_note"]


def test_a_bonus_moves_ranks_and_its_size_is_lost(tools: Corpus) -> None:
    """S-13."""
    small, large = (search(tools, "write_file", exact_name=bonus) for bonus in (0.1, 10.0))
    assert [hit.score for hit in small.hits] == [hit.score for hit in large.hits]


def test_with_one_variant_autocut_never_cuts(build: Callable[..., Corpus]) -> None:
    """S-13: neighbours differ by 62/61 at most."""
    corpus = build(*(ToolSpec(f"tool_{number}", "weather") for number in range(30)))
    ranking = search(corpus, "weather", 30)
    assert len(ranking.hits) == 30
    assert ranking.cuts == ()


def test_a_tool_of_fewer_variants_is_cut(tools: Corpus) -> None:
    """S-8, S-13: two variants find the one, one alone, which counts less, the other."""
    ranking = search(tools, "start team", subject=5.0)
    assert names(ranking) == ["send_message"]
    assert [(cut.by, [hit.tool.name for hit in cut.hits]) for cut in ranking.cuts] == [
        ("AutoCut 2.0", ["create_document"])
    ]
    assert names(search(tools, "start team", subject=5.0, autocut=0.0)) == ["send_message", "create_document"]


def test_only_the_best_of_a_source_are_fused(build: Callable[..., Corpus]) -> None:
    corpus = build(*(ToolSpec(f"tool_{number}", "weather") for number in range(9)))
    assert search(corpus, "weather", length=4).matched == 4


def test_equal_scores_stand_by_name(build: Callable[..., Corpus]) -> None:
    """LIKE has b first, by its name, and BM25 a, by its many mentions."""
    corpus = build(ToolSpec("b_kiwi", "x y z"), ToolSpec("a", "kiwi kiwi", search_text="kiwi", tags=("kiwi",)))
    ranking = search(corpus, "kiwi")
    assert [said(ranking, name) for name in ("a", "b_kiwi")] == [
        ["from rank 2 in LIKE (1/62) and rank 1 in BM25 (1/61)"],
        ["from rank 1 in LIKE (1/61) and rank 2 in BM25 (1/62)"],
    ]
    assert names(ranking) == ["a", "b_kiwi"]


def test_ks_and_weights_are_settings(tools: Corpus) -> None:
    hit = search(tools, "weather? file", k_variants=9, k_sources=4, as_sent=2.0).hits[0]
    assert hit.explanation.parts[0].reason == "as sent: 2 / (9 + 1)"
    assert "(1/5)" in said(search(tools, "file", k_sources=4), hit.tool.name)[0]


def test_settings_out_of_range_are_refused() -> None:
    with pytest.raises(UnfitSettingsError) as refused:
        read_settings(HybridSettings, {"length": 0, "like_share": 2, "k_sources": -1})
    assert refused.value.problems.keys() == {"length", "like_share", "k_sources"}
    assert changed(read_settings(HybridSettings, {"autocut": "0"})) == {"autocut": 0.0}


def test_bm25_is_that_of_its_own_engine(tools: Corpus) -> None:
    query = "write a text to the disk"
    whole = WhooshBm25f(tools).search(query, len(TOOLS))
    scores = bm25_scores(tools, query)
    assert {hit.tool.name: pytest.approx(hit.score) for hit in whole.hits} == {
        tool.name: score for tool, score in zip(TOOLS, scores, strict=True) if score
    }


def test_vectors_are_a_third_source_where_they_are_set_up(corpus: Corpus, corpus_with_vectors: Corpus) -> None:
    query = "will it rain tomorrow?"
    assert Hybrid(corpus).search(query, 3).hits == ()
    assert Hybrid(corpus_with_vectors, HybridSettings(vector=False)).search(query, 3).hits == ()
    assert Hybrid(corpus_with_vectors).search(query, 3).hits[0].tool.name == "weather_forecast"


def test_unfinished_vectors_leave_two_sources_and_are_told(corpus: Corpus) -> None:
    unfinished = ToolVectors(QueryVectors(LettersEmbedder()))
    ranking = Hybrid(Corpus(corpus.tools, corpus.index, unfinished)).search("weather", 3)
    assert ranking.hits == Hybrid(corpus).search("weather", 3).hits != ()
    assert "vectors were not asked: 0 of 6 tools have vectors so far." in ranking.notes
