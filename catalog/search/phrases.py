"""Words that stand side by side, in a query and in a tool."""

from functools import lru_cache
from itertools import pairwise

from catalog.search.engine import Changed, Corpus
from catalog.search.reading import MAX_LENGTH
from catalog.search.words import index_words, is_common

Pairs = frozenset[tuple[str, str]]

MAX_TEXT = 2_048
"""Characters of a description in which side by side counts; what a tool does is said first."""


def pairs_of(text: str) -> Pairs:
    """Neighbouring terms; common words between them do not part them."""
    terms = [word.term for word in index_words(text) if not is_common(text[word.start : word.end])]
    return frozenset((left, right) for left, right in pairwise(terms) if left != right)


@lru_cache(maxsize=1 << 12)
def asked_pairs(query: str) -> Pairs:
    """Those of a query, as far as it is read."""
    return pairs_of(query[:MAX_LENGTH])


class Phrases:
    """The pairs of each tool's name and description, found when first asked for."""

    def __init__(self, corpus: Corpus) -> None:
        self._tools = corpus.tools
        self._found: dict[int, Pairs] = {}

    def updated(self, corpus: Corpus, changed: Changed) -> "Phrases":
        follower = Phrases(corpus)
        follower._found = {place: pairs for place, pairs in self._found.copy().items() if place not in changed}
        return follower

    def shared(self, place: int, pairs: Pairs) -> list[tuple[str, str]]:
        """Those of the pairs that the tool has, in a fixed order."""
        found = self._found.get(place)
        if found is None:
            tool = self._tools[place]
            found = self._found[place] = pairs_of(tool.name) | pairs_of(tool.description[:MAX_TEXT])
        return [] if pairs.isdisjoint(found) else sorted(pairs & found)
