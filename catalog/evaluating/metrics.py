"""The figures of one ranking against what answers its query, each from 0 to 1. Checked against trec_eval."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from math import log2

DEPTH = 10
"""Hits that are looked at."""
COMPLETE_AT = 5
MEANINGS = {
    "nDCG@10": "how high the right tools stand among the first ten; an also fine one gains half",
    "recall@1": "of the tools that answer, the share that stands first",
    "recall@3": "of the tools that answer, the share among the first three",
    "recall@5": "of the tools that answer, the share among the first five",
    "recall@10": "of the tools that answer, the share among the first ten",
    "MRR": "one over the rank of the first tool that answers, 0 beyond the tenth",
    "completeness@5": "the share of queries with a tool for every need among the first five",
}
METRICS = tuple(MEANINGS)
RIGHT, FINE = 2, 1
"""What a tool gains in nDCG, as qrels grade it."""


def measure(
    ranked: Sequence[str], groups: Sequence[Collection[str]], fine: Collection[str] = frozenset()
) -> dict[str, float]:
    """Every metric of the ids as ranked; a relevant tool is one of any group. Raises ValueError if none is relevant."""
    relevant = {tool for group in groups for tool in group}
    if not relevant:
        raise ValueError("a query without a relevant tool cannot be measured")
    recalls = {f"recall@{depth}": recall(ranked[:depth], relevant) for depth in (1, 3, 5, 10)}
    return {
        "nDCG@10": ndcg(ranked[:DEPTH], {tool: FINE if tool in fine else RIGHT for tool in relevant}),
        **recalls,
        "MRR": reciprocal_rank(ranked[:DEPTH], relevant),
        "completeness@5": completeness(ranked[:COMPLETE_AT], groups),
    }


def ndcg(ranked: Sequence[str], gains: Mapping[str, int]) -> float:
    """Järvelin and Kekäläinen 2002: each tool's gain, discounted by log2(rank + 1), to the best possible."""
    best = sorted(gains.values(), reverse=True)[:DEPTH]
    return _discounted(gains.get(tool, 0) for tool in ranked) / _discounted(best)


def _discounted(gains: Iterable[int]) -> float:
    return sum(gain / log2(rank + 1) for rank, gain in enumerate(gains, start=1))


def recall(ranked: Sequence[str], relevant: Collection[str]) -> float:
    return len(set(relevant).intersection(ranked)) / len(relevant)


def reciprocal_rank(ranked: Sequence[str], relevant: Collection[str]) -> float:
    return next((1 / rank for rank, tool in enumerate(ranked, start=1) if tool in relevant), 0.0)


def completeness(ranked: Collection[str], groups: Sequence[Collection[str]]) -> float:
    """1 if every group has a tool here, else 0: half of what a task needs does not do the task."""
    return float(all(any(tool in group for tool in ranked) for group in groups))


def mean(measured: Sequence[Mapping[str, float]]) -> dict[str, float]:
    return {name: sum(figures[name] for figures in measured) / len(measured) for name in METRICS}
