"""Tool text with what a query found in it marked and with what cannot be seen made visible."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from django import template

from catalog.invisible import spans
from catalog.patterns import PatternError, compile_regex, matched_spans
from catalog.search.documents import FIELDS, field_texts
from catalog.search.explanation import Explanation
from catalog.search.ranking import Hit, QueryReading, Ranking
from catalog.search.words import index_words, marks
from catalog.tools import ToolSpec

register = template.Library()

LISTS = frozenset({"search_text", "tags", "parameters"})
"""Fields whose text is one entry a line."""
AROUND = 48
"""Characters that an excerpt shows on either side of its first mark."""

MAX_MATCHES = 20
"""Matches of a pattern that are marked in a text."""

Span = tuple[int, int]
Matches = Mapping[Span, str]
"""Spans of a text, in order, with the index terms in each, parted by spaces; a pattern's match may have none."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of text: plain, matched (with its `terms`, parted by spaces, if it has any) or an invisible character."""

    text: str
    is_match: bool = False
    terms: str = ""
    codepoint: str = ""
    meaning: str = ""


@register.inclusion_tag("catalog/_marked.html")
def marked(hit: Hit, ranking: Ranking, field: str, start: int = 0, end: int | None = None) -> dict[str, object]:
    """The text of a field, or a part of it, with what matched in it marked."""
    text = _text(hit.tool, field)
    return {"pieces": list(pieces(text, _found(hit, ranking, field, text), start, end)), "field": field}


@register.inclusion_tag("catalog/_marked.html")
def excerpt(hit: Hit, ranking: Ranking, field: str) -> dict[str, object]:
    """What a field says around its first match; nothing if the field has none."""
    text = _text(hit.tool, field).rstrip()
    found = _found(hit, ranking, field, text)
    if not found:
        return {}
    start, end = next(iter(found))
    first, last = max(start - AROUND, 0), end + AROUND
    shown = pieces(text, found, first, last)
    if field in LISTS:
        shown = (replace(piece, text=piece.text.replace("\n", " · ")) for piece in shown)
    cut = [Piece("… " if first else ""), *shown, Piece(" …" if last < len(text) else "")]
    return {"pieces": cut, "field": field}


@register.filter
def prefix(tool: ToolSpec) -> str:
    """What stands before the server's own name for the tool."""
    return tool.name.removesuffix(tool.upstream_name) if tool.upstream_name else ""


def matches(text: str, terms: Collection[str], others: Iterable[Span] = ()) -> Matches:
    """The words that are among the terms, and other spans, merged where they overlap."""
    words = [word for word in index_words(text) if word.term in terms] if terms else []
    return {
        (start, end): " ".join(dict.fromkeys(word.term for word in words if start <= word.start < end))
        for start, end in _merged([*marks(text, terms), *others])
    }


def pieces(text: str, found: Matches, start: int = 0, end: int | None = None) -> Iterator[Piece]:
    """The text from `start` to `end`, cut at each match and at each invisible character; joined, they are the text."""
    for span in spans(text[start:end]):
        stop = start + len(span.text)
        if span.codepoint:
            yield Piece(span.text, codepoint=span.codepoint, meaning=span.meaning)
        else:
            yield from _cut(text, start, stop, found)
        start = stop


def _text(tool: ToolSpec, field: str) -> str:
    match field:
        case "name":
            return tool.name
        case "description":
            return tool.description
    return field_texts(tool).get(field, "")


def _found(hit: Hit, ranking: Ranking, field: str, text: str) -> Matches:
    """What the explanation says was found in the field, or in the tool as a whole, whether or not it gave the value."""
    told = [part for part in hit.explanation.evidence() if part.field == field or part.field not in FIELDS]
    terms = frozenset(term for part in told for term in _terms(part))
    return matches(text, terms, _pattern_spans(ranking.reading, text) if told else ())


def _terms(part: Explanation) -> Iterator[str]:
    yield from part.term.split()
    for below in part.parts:
        yield from _terms(below)


def _pattern_spans(reading: QueryReading, text: str) -> Iterable[Span]:
    if not reading.is_pattern:
        return ()
    try:
        return matched_spans(compile_regex(reading.final), text, MAX_MATCHES)
    except PatternError:
        return ()


def _merged(found: Iterable[Span]) -> list[Span]:
    merged: list[Span] = []
    for start, end in sorted(found):
        if merged and start < merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged


def _cut(text: str, start: int, end: int, found: Matches) -> Iterator[Piece]:
    for (first, last), terms in found.items():
        if last <= start or first >= end:
            continue
        if start < first:
            yield Piece(text[start:first])
        yield Piece(text[max(first, start) : min(last, end)], is_match=True, terms=terms)
        start = min(last, end)
    if start < end:
        yield Piece(text[start:end])
