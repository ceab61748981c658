"""Tool text with the words of a query marked and with what cannot be seen made visible."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from django import template

from catalog.invisible import spans
from catalog.search.documents import field_texts
from catalog.search.ranking import Hit
from catalog.search.words import index_words, marks
from catalog.tools import ToolSpec

register = template.Library()

LISTS = frozenset({"search_text", "tags", "parameters"})
"""Fields whose text is one entry a line."""
AROUND = 48
"""Characters that an excerpt shows on either side of its first mark."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of text: plain, matched (`terms`, parted by spaces) or an invisible character (`codepoint`)."""

    text: str
    terms: str = ""
    codepoint: str = ""
    meaning: str = ""


@register.inclusion_tag("catalog/_marked.html")
def marked(hit: Hit, text: str, field: str) -> dict[str, object]:
    """The text of a field, or a part of it, with the words marked that count in its score."""
    return {"pieces": list(pieces(text, _counted(hit, field))), "field": field}


@register.inclusion_tag("catalog/_marked.html")
def excerpt(hit: Hit, field: str) -> dict[str, object]:
    """What a field says around its first matched word; nothing if the field has none."""
    text = field_texts(hit.tool).get(field, "").strip()
    text = text.replace("\n", " · ") if field in LISTS else text
    terms = _counted(hit, field)
    found = marks(text, terms)
    if not found:
        return {}
    first, last = max(found[0][0] - AROUND, 0), found[0][1] + AROUND
    cut = [Piece("… " if first else ""), *pieces(text[first:last], terms), Piece(" …" if last < len(text) else "")]
    return {"pieces": cut, "field": field}


@register.filter
def prefix(tool: ToolSpec) -> str:
    """What stands before the server's own name for the tool."""
    return tool.name.removesuffix(tool.upstream_name) if tool.upstream_name else ""


@register.filter
def without(name: str, start: str) -> str:
    return name.removeprefix(start)


def pieces(text: str, terms: Collection[str]) -> Iterator[Piece]:
    """The text cut at each mark and at each invisible character; the pieces joined are the text."""
    found = marks(text, terms)
    said = _terms(text, terms, found)
    start = 0
    for span in spans(text):
        end = start + len(span.text)
        if span.codepoint:
            yield Piece(span.text, codepoint=span.codepoint, meaning=span.meaning)
        else:
            yield from _cut(text, start, end, said)
        start = end


def _counted(hit: Hit, field: str) -> frozenset[str]:
    """The terms that add to the score in this field: a common word in a description does not."""
    return frozenset(part.term for part in hit.explanation.contributions() if part.field == field and part.term)


def _terms(text: str, terms: Collection[str], found: list[tuple[int, int]]) -> dict[tuple[int, int], str]:
    """Each marked span with the terms in it."""
    words = [word for word in index_words(text) if word.term in terms] if found else []
    return {
        (start, end): " ".join(dict.fromkeys(word.term for word in words if start <= word.start < end))
        for start, end in found
    }


def _cut(text: str, start: int, end: int, said: dict[tuple[int, int], str]) -> Iterator[Piece]:
    for (first, last), terms in said.items():
        if last <= start or first >= end:
            continue
        if start < first:
            yield Piece(text[start:first])
        yield Piece(text[max(first, start) : min(last, end)], terms)
        start = min(last, end)
    if start < end:
        yield Piece(text[start:end])
