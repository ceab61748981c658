"""The figures of one ranking against what answers its query, each from 0 to 1. Checked against trec_eval."""

from collections.abc import Collection, Mapping, Sequence
from math import log2

DEPTH = 10
"""Hits that are looked at."""
COMPLETE_AT = 5
METRICS = ("nDCG@10", "recall@1", "recall@3", "recall@5", "recall@10", "MRR", "completeness@5")


def measure(ranked: Sequence[str], groups: Sequence[Collection[str]]) -> dict[str, float]:
    """Every metric of the ids as ranked; a relevant tool is one of any group. Raises ValueError if none is relevant."""
    relevant = {tool for group in groups for tool in group}
    if not relevant:
        raise ValueError("a query without a relevant tool cannot be measured")
    recalls = {f"recall@{depth}": recall(ranked[:depth], relevant) for depth in (1, 3, 5, 10)}
    return {
        "nDCG@10": ndcg(ranked[:DEPTH], relevant),
        **recalls,
        "MRR": reciprocal_rank(ranked[:DEPTH], relevant),
        "completeness@5": completeness(ranked[:COMPLETE_AT], groups),
    }


def ndcg(ranked: Sequence[str], relevant: Collection[str]) -> float:
    """Järvelin and Kekäläinen 2002 with gains of 0 and 1, discounted by log2(rank + 1), to the best possible."""
    gain = sum(1 / log2(rank + 1) for rank, tool in enumerate(ranked, start=1) if tool in relevant)
    return gain / sum(1 / log2(rank + 1) for rank in range(1, min(len(relevant), DEPTH) + 1))


def recall(ranked: Sequence[str], relevant: Collection[str]) -> float:
    return len(set(relevant).intersection(ranked)) / len(relevant)


def reciprocal_rank(ranked: Sequence[str], relevant: Collection[str]) -> float:
    return next((1 / rank for rank, tool in enumerate(ranked, start=1) if tool in relevant), 0.0)


def completeness(ranked: Collection[str], groups: Sequence[Collection[str]]) -> float:
    """1 if every group has a tool here, else 0: half of what a task needs does not do the task."""
    return float(all(any(tool in group for tool in ranked) for group in groups))


def mean(measured: Sequence[Mapping[str, float]]) -> dict[str, float]:
    return {name: sum(figures[name] for figures in measured) / len(measured) for name in METRICS}
