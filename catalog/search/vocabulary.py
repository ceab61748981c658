"""The words that a list of texts is written in, and where each occurs."""

from collections.abc import Iterable, Iterator, Sequence

from catalog.search.words import index_words, term_of

VOWELS = frozenset("aeiou")


class Vocabulary:
    """Words as they are written, lower-cased, each with the places of the texts that have it, ascending."""

    def __init__(self, texts: Iterable[str]) -> None:
        self.places: dict[str, list[int]] = {}
        self._by_term: dict[str, list[str]] = {}
        self._by_initial: dict[str, list[str]] = {}
        for place, text in enumerate(texts):
            for word in {text[word.start : word.end].lower() for word in index_words(text)}:
                self._add(word, place)

    def _add(self, word: str, place: int) -> None:
        if word not in self.places:
            self.places[word] = []
            self._by_term.setdefault(term_of(word), []).append(word)
            self._by_initial.setdefault(word[0], []).append(word)
        self.places[word].append(place)

    def same(self, word: str) -> Sequence[str]:
        """The words of the same stem."""
        return self._by_term.get(term_of(word), ())

    def begun(self, word: str, least: int) -> Iterator[str]:
        """The words that begin with this one, or this one with them, where the shorter has at least `least` letters."""
        for other in self._by_initial.get(word[:1], ()):
            if min(len(word), len(other)) >= least and (other.startswith(word) or word.startswith(other)):
                yield other

    def abbreviated(self, word: str) -> Iterator[str]:
        """The words that this one may stand for without their vowels: `msg` for `message`."""
        if len(word) < 2 or not word.isalpha() or not VOWELS.isdisjoint(word):
            return
        for other in self._by_initial.get(word[0], ()):
            if len(other) > len(word) and _in_order(word, other):
                yield other


def _in_order(letters: str, word: str) -> bool:
    rest = iter(word)
    return all(letter in rest for letter in letters)
