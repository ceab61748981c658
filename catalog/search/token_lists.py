"""Where each token of many texts stands and how often: lists that follow an edit without being made anew."""

from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from copy import copy
from sys import intern
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray


class TokenList(NamedTuple):
    """Parallel: places that have the token, ascending, and how often each does."""

    places: NDArray[np.int32]
    counts: NDArray[np.int32]


NOWHERE = TokenList(np.array([], np.int32), np.array([], np.int32))


class TokenLists:
    """All lists lie in two arrays, one after the other: arrays of their own would take ten times the room of most."""

    def __init__(self, texts: Iterable[tuple[int, Iterable[str]]]) -> None:
        """`texts` by place, ascending, as their tokens; read once, each let go before the next."""
        self._numbers: dict[str, int] = {}
        self._edited: dict[str, TokenList] = {}
        """What tokens have since edits, in the place of what the arrays say."""
        numbers, places, counts = array("i"), array("i"), array("i")
        for place, tokens in texts:
            for token, count in Counter(tokens).items():
                numbers.append(self._number(token))
                places.append(place)
                counts.append(count)
        by_token = np.argsort(numbers, kind="stable")
        self._places, self._counts = np.array(places, np.int32)[by_token], np.array(counts, np.int32)[by_token]
        self._ends = np.cumsum(np.bincount(np.array(numbers, np.int32), minlength=len(self._numbers)))

    def __iter__(self) -> Iterator[str]:
        yield from (token for token in self._numbers if token in self)
        yield from (token for token in self._edited if token not in self._numbers and token in self)

    def __contains__(self, token: str) -> bool:
        found = self._edited.get(token)
        return token in self._numbers if found is None else len(found.places) > 0

    def of(self, token: str) -> TokenList:
        """NOWHERE for a token that no text has."""
        if (found := self._edited.get(token)) is not None:
            return found
        if (number := self._numbers.get(token)) is None:
            return NOWHERE
        here = slice(self._ends[number - 1] if number else 0, self._ends[number])
        return TokenList(self._places[here], self._counts[here])

    def moved(self, before: Mapping[int, Iterable[str]], after: Mapping[int, Iterable[str]]) -> Self:
        """The lists once the texts in some places have other tokens."""
        gone, come = TokenLists(sorted(before.items())), TokenLists(sorted(after.items()))
        follower = copy(self)
        follower._edited = dict(self._edited)
        for token in {*gone, *come}:
            follower._edited[token] = _with(_without(self.of(token), gone.of(token)), come.of(token))
        return follower

    def _number(self, token: str) -> int:
        """Tokens of several lists are often the same ones, so that they share their letters."""
        number = self._numbers.get(token)
        if number is None:
            number = self._numbers[intern(token)] = len(self._numbers)
        return number


def _without(had: TokenList, gone: TokenList) -> TokenList:
    at = had.places.searchsorted(gone.places)
    return TokenList(np.delete(had.places, at), np.delete(had.counts, at))


def _with(had: TokenList, come: TokenList) -> TokenList:
    at = had.places.searchsorted(come.places)
    return TokenList(np.insert(had.places, at, come.places), np.insert(had.counts, at, come.counts))
