"""Texts searched in buffers give what each gives by itself, and a pattern that takes too long is stopped."""

from collections.abc import Sequence
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from catalog.patterns import PatternError, compile_regex
from catalog.search import ENGINES, pattern_texts
from catalog.search.engine import Corpus
from catalog.search.pattern_texts import PatternTexts

PIECES = (
    *("a", "b", "ab", ".", "\n", r"\n", r"\s", r"\W", r"\b", r"\B", "^", "$", r"\A", r"\z", "|", "*", "+?", "?", "é"),
    *("(a|b)", "[^a]", "[^a]*", "(?s:.)", "(?s).*", "(?m)", "(?-m)", "(?-m:^)", "(?i)", "(?U)", r"\x0a", r"\pC", "{2}"),
    *(r"\D+", "(?:^b)", "[[:space:]]", "x*", "(?P<n>b)", r"\Q.\E"),
)
patterns = st.lists(st.sampled_from(PIECES), min_size=1, max_size=6).map("".join)
texts = st.text(st.sampled_from("abxé. \n"), max_size=7).map(str.encode)
tools = st.lists(st.tuples(texts, texts), max_size=9)


def one_by_one(pattern: str, tools: Sequence[Sequence[bytes]]) -> list[int]:
    program = compile_regex(pattern, ignore_case=True)
    return [place for place, said in enumerate(tools) if any(program.search(text) for text in said)]


@given(tools, patterns, st.integers(1, 40))
@settings(max_examples=400, deadline=None)
def test_buffers_give_what_each_text_gives_by_itself(tools: list[tuple[bytes, bytes]], pattern: str, size: int) -> None:
    with patch.object(pattern_texts, "BUFFER", size):
        together = PatternTexts(tools)
    try:
        expected = one_by_one(pattern, tools)
    except PatternError:
        with pytest.raises(PatternError):
            together.matching(pattern, ignore_case=True)
    else:
        assert together.matching(pattern, ignore_case=True) == expected


@given(tools.filter(bool), st.data())
@settings(max_examples=200, deadline=None)
def test_edited_texts_take_the_place_of_the_old(tools: list[tuple[bytes, bytes]], data: st.DataObject) -> None:
    changed = data.draw(st.dictionaries(st.integers(0, len(tools) - 1), st.tuples(texts, texts)))
    with patch.object(pattern_texts, "BUFFER", 9):
        before = PatternTexts(tools)
        after = before.updated(changed)
    now = [changed.get(place, said) for place, said in enumerate(tools)]
    assert [tuple(before.of(place)) for place in range(len(tools))] == tools
    assert [tuple(after.of(place)) for place in range(len(tools))] == now
    assert after.matching("a.*b") == one_by_one("a.*b", now)


@given(tools, st.text(st.sampled_from("abé"), min_size=1, max_size=3).map(str.encode))
def test_a_string_is_held_by_the_tools_that_have_it_in_a_text(tools: list[tuple[bytes, bytes]], part: bytes) -> None:
    with patch.object(pattern_texts, "BUFFER", 9):
        found = PatternTexts(tools).holding(part)
    assert found == [place for place, said in enumerate(tools) if any(part in text for text in said)]


@pytest.mark.parametrize("slug", ["eino-regex", "mcpagent"])
@pytest.mark.parametrize("pattern", ["weather", r"\Aweather"])
def test_a_pattern_that_takes_too_long_is_stopped_with_a_plain_answer(
    slug: str, pattern: str, corpus: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pattern_texts, "DEADLINE", -1.0)
    ranking = ENGINES[slug](corpus).search(pattern, 5)
    assert ranking.problem.startswith("the pattern takes too long over 6 tools")
    assert (ranking.hits, ranking.matched) == ((), 0)


def test_the_largest_pattern_that_is_taken_is_sought_in_buffers_too() -> None:
    largest = "^(?:a{0,744}b)?weather"
    with pytest.raises(PatternError):
        compile_regex(largest.replace("744", "745"))
    assert PatternTexts([(b"weather",), (b"rain",)]).matching(largest) == [0]
