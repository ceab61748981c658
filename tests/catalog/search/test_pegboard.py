"""Pegboard's engine: what it adds to words in fields."""

from collections.abc import Callable

import pytest
from hypothesis import given, settings

from catalog.search.engine import Corpus
from catalog.search.index import update_index
from catalog.search.pegboard import Pegboard
from catalog.search.ranking import Hit
from catalog.search.sentences import describe
from catalog.search.synonyms import SYNONYMS
from catalog.tools import ToolSpec
from tests.catalog.search.conftest import TOOLS, corpus_of
from tests.catalog.search.random_catalogs import catalogs

Build = Callable[..., Corpus]

PREFIXED = ToolSpec("github__createIssue", "Opens a ticket", server="github", upstream_name="createIssue")
CHATTY = ToolSpec("guide", "create issue: how to create an issue, and when to create no issue", server="docs")


def best(corpus: Corpus, query: str) -> Hit:
    return Pegboard(corpus).search(query, 5).hits[0]


def bonuses(hit: Hit) -> list[str]:
    return [part.reason for part in hit.explanation.contributions() if part.field == "bonus"]


@pytest.mark.parametrize(
    ("query", "name"),
    [
        ("weather today", "get_weather"),
        ("wether", "get_weather"),
        ("emial", "send_email"),
        ("deliver a note", "send_email"),
        ("document", "read_file"),
        ("repository issue", "createIssue"),
        ("读文件", "read_file"),
        ("天气", "weather_forecast"),
        ("发送邮件", "send_email"),
        ("team", "send_message"),
    ],
)
def test_a_tool_is_found_by_any_of_its_texts_by_synonyms_and_in_spite_of_slips(
    corpus: Corpus, query: str, name: str
) -> None:
    assert best(corpus, query).tool.name == name


@pytest.mark.parametrize(
    "query",
    [
        "github__createIssue",
        "createIssue",
        "create_issue",
        "create issue",
        "Create Issue",
        "github create issue",
        "github/create-issue",
    ],
)
def test_a_tool_that_is_named_comes_first(build: Build, query: str) -> None:
    hit = best(build(CHATTY, PREFIXED), query)
    assert hit.tool == PREFIXED
    assert "the query is its name, which puts it before all others" in bonuses(hit)


@given(catalogs)
@settings(max_examples=40, deadline=None)
def test_every_name_as_typed_comes_first(tools: tuple[ToolSpec, ...]) -> None:
    with corpus_of(tools) as corpus:
        engine = Pegboard(corpus)
        for tool in tools:
            if tool.name == tool.name.strip():
                assert engine.search(tool.name, 1).hits[0].tool == tool


def test_a_name_typed_letter_by_letter_goes_before_the_same_words(build: Build) -> None:
    corpus = build(ToolSpec("send_mail", "send mail"), ToolSpec("sendMail", "post"))
    assert best(corpus, "sendMail").tool.name == "sendMail"


def test_a_word_is_explained_down_to_its_factors(corpus: Corpus) -> None:
    word, *_ = best(corpus, "outlook").explanation.contributions()
    rarity, weight, saturation = word.parts
    assert (word.field, word.term, word.reason) == ("description", "outlook", "its description has “outlook”")
    assert rarity.reason == "in 1 of 6 tools: ln(6 / 2) + 1"
    assert weight.value == pytest.approx(1 / (0.25 + 0.75 * 4 / 5.5))
    assert weight.reason == "once in 4 words, 5.5 on average; description × 1"
    assert saturation.value == pytest.approx(4 / (3 + weight.value))


def test_words_side_by_side_count_more(build: Build) -> None:
    corpus = build(ToolSpec("a", "parse stock news and price tags"), ToolSpec("b", "parse news tags and stock price"))
    hit = best(corpus, "the stock price")
    assert hit.tool.name == "b"
    assert bonuses(hit) == ["side by side as in the query stand “stock price”"]


def test_a_synonym_counts_less_than_the_word_and_says_for_what_it_stands(build: Build) -> None:
    corpus = build(ToolSpec("a", "one folder"), ToolSpec("b", "one directory"))
    first, second = Pegboard(corpus).search("folder", 5).hits
    assert (first.tool.name, second.tool.name) == ("a", "b")
    assert describe(second) == "Its description has “directory” (a synonym of “folder”)."


def test_a_slip_says_what_was_taken_for_it(corpus: Corpus) -> None:
    ranking = Pegboard(corpus).search("wether", 5)
    assert ranking.notes == ("no tool has “wether”; did you mean “weather”?",)
    assert ranking.reading.final == "weather"
    assert "“weather” (the word nearest to “wether”)" in describe(ranking.hits[0])


def test_parameters_count_more_in_a_long_query(build: Build) -> None:
    schema = {"type": "object", "properties": {"latitude": {"type": "number"}}}
    engine = Pegboard(build(ToolSpec("a", "Some thing", schema), *TOOLS))
    long = " ".join(tool.description for tool in TOOLS)
    gained = [
        next(part.value for part in hit.explanation.contributions() if part.field == "parameters")
        for query in ("latitude", f"latitude {long}")
        for hit in engine.search(query, 9).hits
        if hit.tool.name == "a"
    ]
    assert gained[1] > 2 * gained[0]


def test_the_tools_of_a_server_that_fits_gain_by_it_the_more_the_longer_the_query(build: Build) -> None:
    corpus = build(
        ToolSpec("sky", "weather radar", server="w"),
        ToolSpec("a", "city", server="x"),
        ToolSpec("b", "city", server="w"),
    )
    assert [hit.tool.name for hit in Pegboard(corpus).search("weather radar city", 5).hits] == ["sky", "b", "a"]


def test_the_only_server_gives_no_bonus(build: Build) -> None:
    hit = best(build(ToolSpec("sky", "weather radar", server="w")), "radar")
    assert bonuses(hit) == []


def test_servers_do_not_change_a_score(corpus: Corpus) -> None:
    engine = Pegboard(corpus)
    everywhere = {hit.tool.name: hit.score for hit in engine.search("send weather", 6).hits}
    (hit,) = engine.search("send weather", 6, frozenset({"mail"})).hits
    assert hit.score == pytest.approx(everywhere["send_email"])


def test_a_removed_tool_leaves_the_others_found(build: Build) -> None:
    folder = build(*TOOLS).index
    update_index(folder, removed=["get_weather"])
    assert [hit.tool.name for hit in Pegboard(Corpus(TOOLS[1:], folder)).search("weather", 5).hits] == [
        "weather_forecast"
    ]


def test_synonyms_go_both_ways() -> None:
    assert all(term in SYNONYMS[other] for term, others in SYNONYMS.items() for other in others)


def test_the_first_search_text_of_a_catalog_counts_as_one_among_many() -> None:
    """Where few tools have one, a search text is not held to be long."""
    others = [ToolSpec(f"tool_{number}", f"Does the chore number {number}", server="s") for number in range(60)]
    rival = ToolSpec("recommendations", "Recommendations of shares", server="s")
    deals = ToolSpec("rank", "What is worth it", server="s", search_text="product recommendations cheap goods deals")
    with corpus_of([*others, rival, deals]) as corpus:
        hits = Pegboard(corpus).search("product recommendations for cheap goods", 3).hits
    assert hits[0].tool == deals
