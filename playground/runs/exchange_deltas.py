"""Requests as a run keeps them: each as what differs from the one before, whose lists it mostly begins with."""

import json
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Delta:
    """`same` counts, by key, the parts of a list that the request before began with too; `sent` is the request without them."""

    same: dict[str, int]
    sent: Any


def delta(before: Any, now: Any) -> Delta:
    if not isinstance(before, dict) or not isinstance(now, dict):
        return Delta({}, now)
    same = {key: _alike(before.get(key), part) for key, part in now.items()}
    same = {key: count for key, count in same.items() if count}
    return Delta(same, {key: part[same[key] :] if key in same else part for key, part in now.items()})


def whole(before: Any, kept: Delta) -> Any:
    """The request that `kept` was made of, from the one before it."""
    if not kept.same:
        return kept.sent
    return {
        key: [*before[key][: kept.same.get(key, 0)], *part] if key in kept.same else part
        for key, part in kept.sent.items()
    }


def _alike(before: Any, now: Any) -> int:
    """How many parts at the beginning of both lists are written alike; 0 where either is none."""
    if not isinstance(before, list) or not isinstance(now, list):
        return 0
    pairs = enumerate(zip(map(json.dumps, before), map(json.dumps, now), strict=False))
    return next((place for place, (old, new) in pairs if old != new), min(len(before), len(now)))
