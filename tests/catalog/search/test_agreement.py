"""The average overlap of two rankings, against worked examples."""

from hypothesis import given
from hypothesis import strategies as st

from catalog.search.agreement import Overlap, overlap_of

names = st.lists(st.sampled_from("abcdefgh"), max_size=8, unique=True)


def overlap(one: str, other: str) -> Overlap:
    found = overlap_of(one, other)
    assert found is not None
    return found


def test_it_is_the_mean_of_the_shares_at_every_depth() -> None:
    found = overlap("abc", "bad")
    assert found.steps == "0/1 + 2/2 + 2/3"
    assert found.value == (0 + 1 + 2 / 3) / 3


def test_agreement_at_the_top_counts_more_than_further_down() -> None:
    assert overlap("abcd", "abxy").value > overlap("abcd", "xycd").value


def test_a_longer_list_is_followed_to_its_end() -> None:
    assert overlap("a", "abc").steps == "1/1 + 1/2 + 1/3"


def test_two_empty_lists_have_nothing_to_compare() -> None:
    assert overlap_of("", "") is None


@given(names, names)
def test_it_lies_between_nothing_and_all_and_is_the_same_both_ways(one: list[str], other: list[str]) -> None:
    found = overlap_of(one, other)
    assert found == overlap_of(other, one)
    if found is not None:
        assert 0 <= found.value <= 1
        assert (found.value == 1) == (one == other)
        assert (found.value == 0) == (not set(one) & set(other))
