"""Where each token of many texts stands and how often: lists that follow an edit without being made anew."""

from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

Lists = dict[str, tuple[NDArray[np.int64], NDArray[np.float64]]]
"""By token, the places that have it, ascending, and how often each does."""


def listed(texts: Mapping[int, Sequence[str]]) -> Lists:
    """`texts` in the order of places."""
    found: dict[str, dict[int, int]] = {}
    for place, said in texts.items():
        for token, count in Counter(said).items():
            found.setdefault(token, {})[place] = count
    return {
        token: (np.array([*counted], np.int64), np.array([*counted.values()], np.float64))
        for token, counted in found.items()
    }


def moved(lists: Lists, before: Mapping[int, Sequence[str]], after: Mapping[int, Sequence[str]]) -> Lists:
    """The lists once the tokens of some places have changed; a token that none has any more keeps an empty one."""
    none = np.array([], np.int64), np.array([], np.float64)
    come, moved = listed(after), dict(lists)
    for token in {token for texts in (*before.values(), *after.values()) for token in texts}:
        places, counts = lists.get(token, none)
        stay = ~np.isin(places, [*before])
        places, counts = (
            np.concatenate(pair) for pair in zip((places[stay], counts[stay]), come.get(token, none), strict=True)
        )
        order = np.argsort(places)
        moved[token] = places[order], counts[order]
    return moved
