"""The metrics give what trec_eval gives; completeness, which it does not know, is checked by hand."""

import pytest

from catalog.evaluating.metrics import METRICS, mean, measure

TREC_EVAL = [
    (
        (8, 23, 11, 25, 22, 28, 20, 16, 0),
        (1, 11, 12, 17, 18, 20, 27, 3, 7),
        {
            "nDCG@10": 0.19587129117873778,
            "recall@1": 0,
            "recall@3": 1 / 9,
            "recall@5": 1 / 9,
            "recall@10": 2 / 9,
            "MRR": 1 / 3,
        },
    ),
    (
        (0, 23, 6),
        (0, 14, 19, 2, 24, 25, 27, 29, 4, 5),
        {
            "nDCG@10": 0.22009176629808017,
            "recall@1": 0.1,
            "recall@3": 0.1,
            "recall@5": 0.1,
            "recall@10": 0.1,
            "MRR": 1,
        },
    ),
    (
        (22, 10, 2, 9, 11, 26, 15, 29, 28, 5),
        (0, 1, 11, 12, 18, 22, 23, 26, 27, 5, 8),
        {
            "nDCG@10": 0.4472539411173282,
            "recall@1": 1 / 11,
            "recall@3": 1 / 11,
            "recall@5": 2 / 11,
            "recall@10": 4 / 11,
            "MRR": 1,
        },
    ),
]
"""Ids as ranked, relevant ids, and what pytrec-eval-terrier 0.5.11 says of them."""


@pytest.mark.parametrize(("ranked", "relevant", "expected"), TREC_EVAL)
def test_figures_are_those_of_trec_eval(
    ranked: tuple[int, ...], relevant: tuple[int, ...], expected: dict[str, float]
) -> None:
    found = measure(list(map(str, ranked)), [[str(tool)] for tool in relevant])
    assert {name: found[name] for name in expected} == pytest.approx(expected)


@pytest.mark.parametrize(
    ("ranked", "complete"), [("ac", 1.0), ("bc", 1.0), ("ab", 0.0), ("xxxca", 1.0), ("xxxxca", 0.0), ("", 0.0)]
)
def test_a_query_is_complete_when_each_group_has_a_tool_in_the_first_five(ranked: str, complete: float) -> None:
    assert measure(ranked, ["ab", "c"])["completeness@5"] == complete


def test_nothing_found_counts_nothing() -> None:
    assert measure([], ["a"]) == dict.fromkeys(METRICS, 0.0)


def test_a_query_that_nothing_answers_cannot_be_measured() -> None:
    with pytest.raises(ValueError, match="without a relevant tool"):
        measure(["a"], [])


def test_the_mean_is_over_queries() -> None:
    assert mean([measure("a", ["a"]), measure("b", ["a"])])["MRR"] == 0.5
