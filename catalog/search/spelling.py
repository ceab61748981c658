"""Did you mean: the word of the tools that is nearest to one that no tool has."""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache

from catalog.search.postings import MAX_ABSENT, Postings
from catalog.search.ranking import QueryWord
from catalog.search.words import is_common

MAX_NOTES = 3
"""Unknown words that are spoken of."""
MAX_LENGTH = 32
"""Characters of a word for which a near one is sought."""


def with_near(words: Iterable[QueryWord], postings: Postings) -> tuple[QueryWord, ...]:
    """The words, those marked that no tool has; the first of these with the word that may have been meant."""
    told: list[QueryWord] = []
    for word in words:
        if word.terms and not is_common(word.text) and not any(map(postings.has, word.terms)):
            sought = sum(other.unknown for other in told) < MAX_NOTES
            told.append(replace(word, unknown=True, near=nearest_word(word.text, postings) if sought else ""))
        else:
            told.append(word)
    return tuple(told)


def spelling_notes(words: Iterable[QueryWord]) -> list[str]:
    """A sentence on each of the first words that no tool has."""
    unknown = [word for word in words if word.unknown]
    return [_note(word.text, word.near) for word in unknown[:MAX_NOTES]]


def nearest_word(word: str, postings: Postings) -> str:
    """The word with the fewest slips between, and of these the one that most tools have; empty if all are too far."""
    typed = word.lower()
    known = postings.nearest.get(typed)
    if known is None:
        known = _sought(typed, postings)
        if len(postings.nearest) < MAX_ABSENT:
            postings.nearest[typed] = known
    return known


def _sought(typed: str, postings: Postings) -> str:
    allowed = _allowed_slips(typed)
    candidates = {other for words in postings.spellings for other in _candidates(typed, words, allowed)}
    near = [(slips(typed, other, allowed), other) for other in candidates]
    ranked = sorted((count, -postings.spelled(other), other) for count, other in near if count <= allowed)
    return next((other for _, tools, other in ranked if tools), "")


@lru_cache(maxsize=1 << 14)
def slips(left: str, right: str, limit: int) -> int:
    """Letters missing, added, wrong or swapped with their neighbour (optimal string alignment); `limit` + 1 if more."""
    before: Sequence[int] = ()
    row = list(range(len(right) + 1))
    for i, char in enumerate(left, start=1):
        before, above, row = row, before, [i]
        for j, other in enumerate(right, start=1):
            steps = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (char != other))
            if i > 1 and j > 1 and char == right[j - 2] and left[i - 2] == other:
                steps = min(steps, above[j - 2] + 1)
            row.append(steps)
        if min(row) > limit:
            return limit + 1
    return row[-1]


def _allowed_slips(word: str) -> int:
    return 0 if len(word) < 3 or len(word) > MAX_LENGTH else 1 if len(word) < 6 else 2


def _candidates(word: str, spellings: Sequence[str], allowed: int) -> Iterator[str]:
    """Words that may be near: they begin with one of the word's first two letters and share most letters."""
    if not allowed:
        return
    letters = set(word)
    for initial in sorted(set(word[:2])):
        for other in spellings[bisect_left(spellings, initial) : bisect_left(spellings, chr(ord(initial) + 1))]:
            near = abs(len(other) - len(word)) <= allowed
            if near and len(letters.symmetric_difference(other)) <= 2 * allowed:
                yield other


def _note(word: str, near: str) -> str:
    return f"no tool has “{word}”" + (f"; did you mean “{near}”?" if near else "")
