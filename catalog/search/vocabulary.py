"""The words that names and descriptions are written in, and where each occurs."""

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from typing import Self

import numpy as np
from numpy.typing import NDArray

from catalog.search.engine import Changed, Corpus
from catalog.search.token_lists import TokenLists
from catalog.search.words import index_words, term_of

VOWELS = frozenset("aeiou")


class Vocabulary:
    """Words as they are written, lower-cased, each with the places of the texts that have it, ascending."""

    def __init__(self, texts: Mapping[int, str]) -> None:
        """`texts` by place, ascending."""
        cutter = Cutter()
        self._lists = TokenLists((place, cutter.words(text)) for place, text in texts.items())
        self._sorted = sorted(self._lists)
        self._by_term: dict[str, list[str]] = {}
        for word in self._sorted:
            self._by_term.setdefault(term_of(word), []).append(word)

    def replaced(self, before: Mapping[int, str], after: Mapping[int, str]) -> Self:
        """The vocabulary once the texts in some places are others."""
        cutter = Cutter()
        left, come = ({place: cutter.words(text) for place, text in texts.items()} for texts in (before, after))
        follower = copy(self)
        follower._lists = self._lists.moved(left, come)
        follower._sorted, follower._by_term = [*self._sorted], dict(self._by_term)
        for word in set().union(*left.values(), *come.values()):
            follower._note(word, word in self._lists)
        return follower

    def __iter__(self) -> Iterator[str]:
        return iter(self._sorted)

    def places(self, word: str) -> NDArray[np.int32]:
        return self._lists.of(word).places

    def same(self, word: str) -> Sequence[str]:
        """The words of the same stem, in alphabetical order, as all below."""
        return self._by_term.get(term_of(word), ())

    def begun(self, word: str, least: int) -> Iterator[str]:
        """The words that begin with this one, or this one with them, where the shorter has at least `least` letters."""
        yield from (word[:end] for end in range(least, len(word)) if word[:end] in self._lists)
        if len(word) >= least:
            yield from self._beginning_with(word)

    def abbreviated(self, word: str) -> Iterator[str]:
        """The words that this one may stand for without their vowels: `msg` for `message`."""
        if len(word) < 2 or not word.isalpha() or not VOWELS.isdisjoint(word):
            return
        for other in self._beginning_with(word[0]):
            if len(other) > len(word) and _in_order(word, other):
                yield other

    def _note(self, word: str, known: bool) -> None:
        """Have the word where it is looked up if a text has it, and only then; `known` says whether it is there now."""
        if known == (word in self._lists):
            return
        at = bisect_left(self._sorted, word)
        term = term_of(word)
        if known:
            del self._sorted[at]
            self._by_term[term] = [other for other in self._by_term[term] if other != word]
        else:
            self._sorted.insert(at, word)
            self._by_term[term] = sorted([*self._by_term.get(term, ()), word])

    def _beginning_with(self, beginning: str) -> Iterator[str]:
        for at in range(bisect_left(self._sorted, beginning), len(self._sorted)):
            if not self._sorted[at].startswith(beginning):
                return
            yield self._sorted[at]


class NameWords(Vocabulary):
    def __init__(self, corpus: Corpus) -> None:
        super().__init__({place: tool.name for place, tool in enumerate(corpus.tools)})

    def updated(self, corpus: Corpus, changed: Changed) -> "NameWords":
        """An edit changes no name."""
        return self


class DescriptionWords(Vocabulary):
    def __init__(self, corpus: Corpus) -> None:
        self._tools = corpus.tools
        super().__init__({place: tool.description for place, tool in enumerate(corpus.tools)})

    def updated(self, corpus: Corpus, changed: Changed) -> "DescriptionWords":
        before, after = (
            {place: tools[place].description for place in changed} for tools in (self._tools, corpus.tools)
        )
        follower = self.replaced(before, after)
        follower._tools = corpus.tools
        return follower


class Cutter:
    """Cuts texts into words, each run between white space once: descriptions say the same over and over."""

    def __init__(self) -> None:
        self._known: dict[str, frozenset[str]] = {}

    def words(self, text: str) -> set[str]:
        found: set[str] = set()
        for run in text.split():
            words = self._known.get(run)
            if words is None:
                words = self._known[run] = frozenset(run[word.start : word.end].lower() for word in index_words(run))
            found |= words
        return found


def _in_order(letters: str, word: str) -> bool:
    rest = iter(word)
    return all(letter in rest for letter in letters)
