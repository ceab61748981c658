"""How a query is read."""

import pytest

from catalog.search.ranking import QueryWord
from catalog.search.reading import MAX_LENGTH, MAX_TERMS, limit_notes, read_query, spoken_terms


def terms_of(query: str) -> list[str]:
    return [term for word in read_query(query) for term in word.terms]


@pytest.mark.parametrize(
    ("query", "terms"),
    [
        ("send the messages", ["send", "messag"]),
        ("getPullRequest", ["get", "pull", "request", "getpullrequest"]),
        ("帮我读文件", ["帮我", "我读", "读文", "文件"]),
        ("读", ["读"]),
        ("what is it", ["what", "is", "it"]),
        ("weather weather", ["weather"]),
        ("  ", []),
    ],
)
def test_a_query_asks_for_terms(query: str, terms: list[str]) -> None:
    assert terms_of(query) == terms


def test_a_word_that_is_not_asked_for_says_why() -> None:
    assert read_query("the channel channel") == (
        QueryWord("the", dropped="a common word"),
        QueryWord("channel", ("channel",)),
        QueryWord("channel", dropped="asked already"),
    )


def test_a_long_query_is_cut_and_says_so() -> None:
    query = " ".join(f"word{number}x" for number in range(300))
    words = read_query(query)
    assert len(terms_of(query)) == MAX_TERMS
    assert list(limit_notes(query, words)) == [
        f"only the first {MAX_LENGTH:,} of {len(query):,} characters were read",
        f"only the first {MAX_TERMS} words were asked for",
    ]


def test_a_short_query_needs_no_note() -> None:
    assert list(limit_notes("weather", read_query("weather"))) == []


def test_a_term_is_called_as_the_query_called_it() -> None:
    assert spoken_terms("Messages 读文件")["messag"] == "Messages"
