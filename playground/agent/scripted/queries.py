"""What the scripted model asks a search for a need: its own words, then other words for them, then the rest of what was said."""

from collections.abc import Iterable, Iterator

from playground.agent.scripted.lexicon import VAGUE
from playground.agent.scripted.matching import synonyms
from playground.agent.scripted.needs import Need

MOST_WORDS = 3
"""Words of a query; more of them find too much."""
MOST_QUERIES = 3


def queries(need: Need, *, as_pattern: bool) -> tuple[str, ...]:
    """In the order of trying; `as_pattern` joins the words as alternatives of a regular expression."""
    joint = "|" if as_pattern else " "
    asked = (joint.join(words) for words in _word_lists(need) if words)
    return tuple(dict.fromkeys(asked))[:MOST_QUERIES]


def speaks_of_patterns(query_help: str) -> bool:
    """Whether a meta-tool's query is a regular expression, going by what it says of it."""
    return any(word in query_help.lower() for word in ("regex", "regular expression", "pattern"))


def _word_lists(need: Need) -> Iterator[list[str]]:
    yield _few(need.telling_words)
    yield _few(synonyms(need.telling_words))
    yield _few([*need.telling_words[MOST_WORDS:], *(word for word in need.details if word not in VAGUE)])


def _few(words: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(_singular(word) for word in words))[:MOST_WORDS]


def _singular(word: str) -> str:
    """`flights` finds less than `flight`."""
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")) else word
