"""Where each token of many texts stands and how often: lists that follow an edit without being made anew."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray


class TokenList(NamedTuple):
    """Parallel: places that have the token, ascending, and how often each does."""

    places: NDArray[np.int32]
    counts: NDArray[np.int32]


Lists = dict[str, TokenList]
NOWHERE = TokenList(np.array([], np.int32), np.array([], np.int32))


def listed(texts: Iterable[tuple[int, Iterable[str]]]) -> Lists:
    """The lists of texts given as places, ascending, and tokens."""
    found: dict[str, tuple[list[int], list[int]]] = {}
    for place, tokens in texts:
        for token, count in Counter(tokens).items():
            places, counts = found.setdefault(token, ([], []))
            places.append(place)
            counts.append(count)
    return {
        token: TokenList(np.array(places, np.int32), np.array(counts, np.int32))
        for token, (places, counts) in found.items()
    }


def moved(lists: Lists, before: Mapping[int, Iterable[str]], after: Mapping[int, Iterable[str]]) -> Lists:
    """The lists once the texts in some places have other tokens; a token that none has any more has no list."""
    gone, come, result = listed(sorted(before.items())), listed(sorted(after.items())), dict(lists)
    for token in gone.keys() | come.keys():
        found = _with(_without(lists.get(token, NOWHERE), gone.get(token, NOWHERE)), come.get(token, NOWHERE))
        if len(found.places):
            result[token] = found
        else:
            result.pop(token, None)
    return result


def _without(had: TokenList, gone: TokenList) -> TokenList:
    at = had.places.searchsorted(gone.places)
    return TokenList(np.delete(had.places, at), np.delete(had.counts, at))


def _with(had: TokenList, come: TokenList) -> TokenList:
    at = had.places.searchsorted(come.places)
    return TokenList(np.insert(had.places, at, come.places), np.insert(had.counts, at, come.counts))
