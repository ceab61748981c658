"""Calls that were made against calls that were expected: as expected, arguments differ, out of order, missing, extra."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from playground.runs.outline import Call

Verdict = Literal["as expected", "arguments differ", "out of order", "missing", "extra"]
MOST_CALLS = 500
"""Calls of either side that are compared: the work grows with their product."""


@dataclass(frozen=True, slots=True)
class Aligned:
    """A call that was expected beside the one that was made; one of them is None where it is missing or extra."""

    verdict: Verdict
    expected: Call | None
    made: Call | None


def align(expected: Sequence[Call], made: Sequence[Call]) -> list[Aligned]:
    """The longest common line of tools is in order. What is left on both sides by the same name is out of order."""
    expected, made = expected[:MOST_CALLS], made[:MOST_CALLS]
    pairs = _common_line([call.tool for call in expected], [call.tool for call in made])
    left = [place for place in range(len(made)) if place not in pairs.values()]
    moved: dict[int, int] = {}
    for place, call in enumerate(expected):
        twin = next((other for other in left if made[other].tool == call.tool), None)
        if place not in pairs and twin is not None:
            moved[place] = twin
            left.remove(twin)
    return list(_in_order(expected, made, pairs, moved, left))


def same_arguments(expected: str | None, made: str | None) -> bool:
    """Whether two texts are the same JSON, in whatever order of keys; anything is, where none is expected."""
    return expected is None or _value(expected) == _value(made or "")


def _in_order(
    expected: Sequence[Call], made: Sequence[Call], pairs: dict[int, int], moved: dict[int, int], left: Sequence[int]
) -> Iterator[Aligned]:
    """As expected, with what is extra right after the call that it came behind."""
    extra = iter(left)
    following = next(extra, None)
    for place, call in enumerate(expected):
        if place in pairs:
            while following is not None and following < pairs[place]:
                yield Aligned("extra", None, made[following])
                following = next(extra, None)
            other = made[pairs[place]]
            alike = same_arguments(call.arguments, other.arguments)
            yield Aligned("as expected" if alike else "arguments differ", call, other)
        elif place in moved:
            yield Aligned("out of order", call, made[moved[place]])
        else:
            yield Aligned("missing", call, None)
    while following is not None:
        yield Aligned("extra", None, made[following])
        following = next(extra, None)


def _common_line(a: Sequence[str], b: Sequence[str]) -> dict[int, int]:
    """Places in `a` to places in `b` of a longest common subsequence."""
    longest = [[0] * (len(b) + 1) for _ in range(len(a) + 1)]
    for i in range(len(a) - 1, -1, -1):
        for j in range(len(b) - 1, -1, -1):
            same = a[i] == b[j]
            longest[i][j] = longest[i + 1][j + 1] + 1 if same else max(longest[i + 1][j], longest[i][j + 1])
    pairs: dict[int, int] = {}
    i = j = 0
    while i < len(a) and j < len(b):
        if a[i] == b[j]:
            pairs[i] = j
            i, j = i + 1, j + 1
        elif longest[i + 1][j] >= longest[i][j + 1]:
            i += 1
        else:
            j += 1
    return pairs


def _value(text: str) -> Any:
    try:
        return json.loads(text or "{}")
    except ValueError:
        return text
