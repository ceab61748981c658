"""BM25F: the scores are Whoosh's own, and every one of them is a sum that can be checked."""

import random
from collections.abc import Callable
from math import log
from pathlib import Path

import pytest
from hypothesis import given, settings
from whoosh.query.compound import Or
from whoosh.query.terms import Term
from whoosh.scoring import BM25F

from catalog.search.arithmetic import BOOSTS
from catalog.search.bm25f import FieldWeights, WhooshBm25f
from catalog.search.documents import FIELDS, index_key
from catalog.search.engine import Corpus
from catalog.search.index import build_index, open_index, update_index
from catalog.search.ranking import Hit
from catalog.search.reading import read_query
from catalog.search.sentences import describe
from catalog.tools import ToolSpec
from tests.catalog.search.conftest import TOOLS, corpus_of
from tests.catalog.search.random_catalogs import WORDS, catalogs, phrases


def whoosh_scores(folder: Path, query: str) -> dict[str, float]:
    """What Whoosh's own matchers give the tools, by key."""
    terms = [term for word in read_query(query) for term in word.terms]
    asked = Or([Term(field, term, boost=BOOSTS[field]) for field in FIELDS for term in terms])
    with open_index(folder).searcher(weighting=BM25F()) as searcher:
        return {hit["key"]: hit.score for hit in searcher.search(asked, limit=None)}


def our_scores(corpus: Corpus, query: str) -> dict[str, float]:
    hits = WhooshBm25f(corpus).search(query, len(corpus.tools)).hits
    return {index_key(hit.tool.name): hit.score for hit in hits}


def random_tool(name: str, seed: int) -> ToolSpec:
    dice = random.Random(seed)
    text = " ".join(dice.choices(WORDS, k=dice.randrange(60)))
    return ToolSpec(name, text, server_text=text[: dice.randrange(30)], search_text=dice.choice(WORDS))


@given(catalogs, phrases)
@settings(max_examples=60, deadline=None)
def test_scores_are_whooshs_own(tools: tuple[ToolSpec, ...], query: str) -> None:
    with corpus_of(tools) as corpus:
        assert our_scores(corpus, query) == pytest.approx(whoosh_scores(corpus.index, query), abs=1e-9)


def test_scores_are_whooshs_own_over_several_segments_with_deletions(tmp_path: Path) -> None:
    tools = {f"tool_{seed}": random_tool(f"tool_{seed}", seed) for seed in range(40)}
    build_index(tmp_path, tools.values())
    for seed in range(6):
        changed = [random_tool(f"tool_{number}", 1_000 * seed + number) for number in range(seed, 50, 9)]
        gone = f"tool_{seed + 20}"
        update_index(tmp_path, changed, [gone])
        tools |= {tool.name: tool for tool in changed}
        tools.pop(gone, None)
        for query in ("get weather", "send message GitHub 读文件", "the", "k8s URLs été"):
            expected = whoosh_scores(tmp_path, query)
            assert our_scores(Corpus(tuple(tools.values()), tmp_path), query) == pytest.approx(expected, abs=1e-9)
            assert expected.keys() <= tools.keys()


def best(corpus: Corpus, query: str) -> Hit:
    return WhooshBm25f(corpus).search(query, 5).hits[0]


@pytest.mark.parametrize(
    ("query", "name"),
    [
        ("weather today", "get_weather"),
        ("what is the outlook", "weather_forecast"),
        ("mails", "send_email"),
        ("write letters", "send_email"),
        ("bug", "createIssue"),
        ("github", "createIssue"),
        ("create_issue", "createIssue"),
        ("读文件", "read_file"),
        ("文件", "read_file"),
        ("team", "send_message"),
    ],
)
def test_a_tool_is_found_by_any_of_its_texts(corpus: Corpus, query: str, name: str) -> None:
    assert best(corpus, query).tool.name == name


def test_a_score_is_explained_down_to_its_factors(corpus: Corpus) -> None:
    explanation = best(corpus, "outlook").explanation
    (word,) = explanation.contributions()
    boost, rarity, occurrence = word.parts
    assert word.field == "description"
    assert word.term == "outlook"
    assert word.reason == "its description has “outlook”"
    assert (boost.value, boost.reason) == (1.0, "weight of the description")
    assert rarity.value == pytest.approx(log(6 / 2) + 1)
    assert rarity.reason == "in 1 of 6 tools: ln(6 / 2) + 1"
    assert occurrence.reason == "once in 4 words, 5.5 on average"
    assert occurrence.background is not None
    assert occurrence.background.reason.startswith("1 × 2.2 / (1 + 1.2 × (0.25 + 0.75 × 4 / 5.5")


def test_fields_come_in_a_fixed_order(corpus: Corpus) -> None:
    told = best(corpus, "send team messages").explanation
    assert [part.reason for part in told.parts] == ["name", "tags", "description"]


def test_a_rare_word_is_called_rare_in_the_sentence(build: Callable[..., Corpus]) -> None:
    others = [ToolSpec(f"do_{number}", "Something") for number in range(39)]
    hit = best(build(ToolSpec("notify_channel", "Tell the team"), *others), "team channel")
    assert describe(hit) == (
        "Its name has “channel”, a rare word here (1 of 40 tools), and its description has “team”."
    )


def test_the_cut_tells_what_follows(corpus: Corpus) -> None:
    ranking = WhooshBm25f(corpus).search("weather send read", 2)
    (cut,) = ranking.cuts
    assert cut.by == "top-k 2"
    assert cut.score == ranking.hits[-1].score
    assert [hit.rank for hit in cut.hits] == [3, 4, 5]
    assert ranking.matched == 5


def test_servers_do_not_change_a_score(corpus: Corpus) -> None:
    engine = WhooshBm25f(corpus)
    everywhere = {hit.tool.name: hit.score for hit in engine.search("send weather", 6).hits}
    (hit,) = engine.search("send weather", 6, frozenset({"mail"})).hits
    assert hit.score == everywhere["send_email"]


@pytest.mark.parametrize(
    ("query", "notes"),
    [
        ("wether", ("no tool has “wether”; did you mean “weather”?",)),
        ("emial forecast", ("no tool has “emial”; did you mean “email”?",)),
        ("zzqqxx", ("no tool has “zzqqxx”",)),
        ("", ("the query has no word to search for",)),
        ("🎉", ("the query has no word to search for",)),
        ("the", ("words as common as these are sought in names, tags and search texts only",)),
        ("weather", ()),
    ],
)
def test_a_reader_is_told_what_became_of_the_query(corpus: Corpus, query: str, notes: tuple[str, ...]) -> None:
    assert WhooshBm25f(corpus).search(query, 5).notes == notes


def test_an_unknown_word_is_marked_in_the_reading(corpus: Corpus) -> None:
    words = WhooshBm25f(corpus).search("wether forecast", 5).reading.words
    assert [(word.text, word.unknown, word.near) for word in words] == [
        ("wether", True, "weather"),
        ("forecast", False, ""),
    ]


def test_a_word_of_a_removed_tool_is_not_suggested(build: Callable[..., Corpus]) -> None:
    tools = tuple(tool for tool in TOOLS if tool.name != "weather_forecast")
    folder = build(*TOOLS).index
    update_index(folder, removed=["weather_forecast"])
    assert WhooshBm25f(Corpus(tools, folder)).search("outlok", 5).notes == ("no tool has “outlok”",)


def test_equal_tools_keep_the_order_of_the_catalog(build: Callable[..., Corpus]) -> None:
    corpus = build(*(ToolSpec(f"copy {number}", "weather") for number in range(30)))
    hits = WhooshBm25f(corpus).search("weather", 5)
    assert [hit.tool for hit in hits.every_hit()] == list(corpus.tools[:15])


def test_a_field_without_weight_is_not_searched(corpus: Corpus) -> None:
    assert WhooshBm25f(corpus).search("letter", 5).hits
    assert not WhooshBm25f(corpus, FieldWeights(search_text=0.0)).search("letter", 5).hits
