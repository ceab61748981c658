"""AutoCut: the first jump of the scores, and how it goes together with the top k."""

import pytest

from catalog.search.autocut import autocut, kept_before_jump
from catalog.search.explanation import fact
from catalog.search.ranking import Hit
from catalog.tools import ToolSpec


def hits(*scores: float) -> list[Hit]:
    told = enumerate(scores, start=1)
    return [Hit(rank, ToolSpec(f"tool_{rank}"), fact(score, "it counts")) for rank, score in told]


@pytest.mark.parametrize(
    ("scores", "kept"),
    [
        ([], 0),
        ([5], 1),
        ([4, 2, 1], 3),
        ([4.1, 2, 1], 1),
        ([4, 3, 1, 0.1], 2),
        ([4, 1, 0.1], 1),
    ],
)
def test_the_first_ratio_above_the_limit_cuts(scores: list[float], kept: int) -> None:
    """S-8: strictly above, and only the first."""
    assert kept_before_jump(scores, 2.0) == kept


def test_what_stands_below_the_jump_is_told_as_cut() -> None:
    found, cuts = autocut(5, 2, 2.0, hits(4, 3, 1, 0.5))
    assert [hit.rank for hit in found] == [1, 2]
    assert [(cut.by, cut.score, [hit.rank for hit in cut.hits]) for cut in cuts] == [("AutoCut 2.0", 1.5, [3, 4])]


def test_a_jump_below_the_top_k_is_told_after_it() -> None:
    found, cuts = autocut(1, 2, 2.0, hits(4, 3, 1))
    assert [hit.rank for hit in found] == [1]
    assert [(cut.by, [hit.rank for hit in cut.hits]) for cut in cuts] == [("top-k 1", [2]), ("AutoCut 2.0", [3])]


def test_without_a_jump_only_the_top_k_cuts() -> None:
    found, cuts = autocut(2, 3, 2.0, hits(4, 3, 2))
    assert [hit.rank for hit in found] == [1, 2]
    assert [cut.by for cut in cuts] == ["top-k 2"]
