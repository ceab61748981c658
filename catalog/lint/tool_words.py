"""The words of tools, as the rules compare them: terms of the search, with how they were written."""

from collections.abc import Iterable

from catalog.search.parameters import parameter_words
from catalog.search.words import index_words, is_common
from catalog.tools import ToolSpec

MAX_TEXT = 20_000
"""Characters of a text that are compared: what follows says nothing new."""


def written(text: str, *, common: bool = False) -> dict[str, str]:
    """The terms of a text, each with how it is first written, in order; without common words unless asked."""
    found: dict[str, str] = {}
    text = text[:MAX_TEXT]
    for word in index_words(text):
        spelled = text[word.start : word.end]
        if common or not is_common(spelled):
            found.setdefault(word.term, spelled.lower())
    return found


def length(text: str, upto: int) -> int:
    """Words of a text without common ones; of a Chinese, Japanese or Korean run each character is one. None is counted
    beyond `upto`."""
    starts: set[int] = set()
    for word in index_words(text[:MAX_TEXT]):
        if len(starts) >= upto:
            break
        if not is_common(text[word.start : word.end]):
            starts.add(word.start)
    return len(starts)


def name_of(tool: ToolSpec) -> str:
    """What its server calls it: a prefix of the server tells nothing of the tool."""
    return tool.upstream_name or tool.name


def texts_of(tool: ToolSpec) -> tuple[str, str, str]:
    """Name, description, and the names and descriptions of its parameters."""
    return name_of(tool), tool.description, "\n".join(parameter_words(tool.parameters))


def terms_of(tool: ToolSpec) -> list[str]:
    """Every term of its texts, as often as it stands there."""
    return [
        word.term
        for text in texts_of(tool)
        for word in index_words(text[:MAX_TEXT])
        if not is_common(text[word.start : word.end])
    ]


def all_written(tool: ToolSpec) -> dict[str, str]:
    """The terms of its texts, each with how it is first written."""
    return written("\n".join(texts_of(tool)))


def listed(words: Iterable[str], most: int = 8) -> str:
    """Words in one sentence: “a”, “b” and 3 more."""
    words = list(words)
    shown = ", ".join(f"“{word}”" for word in words[:most])
    return f"{shown} and {len(words) - most} more" if len(words) > most else shown
