"""Tool text with what a query found in it marked and with what cannot be seen made visible."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import islice

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
"""Characters that an excerpt shows on either side of a mark."""
MAX_WINDOWS = 3
"""Places of a text that an excerpt shows."""

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
    """What a field says around its first matches; nothing if the field has none."""
    text = _text(hit.tool, field).rstrip()
    found = _found(hit, ranking, field, text)
    return {"pieces": list(_excerpted(text, found, field)), "field": field} if found else {}


def _excerpted(text: str, found: Matches, field: str) -> Iterator[Piece]:
    end = 0
    for first, last in islice(_windows(found), MAX_WINDOWS):
        yield Piece(" … " if end else "… " if first > 0 else "")
        shown = pieces(text, found, max(first, 0), last)
        yield from (
            replace(piece, text=piece.text.replace("\n", " · ")) if field in LISTS else piece for piece in shown
        )
        end = last
    yield Piece(" …" if end < len(text) else "")


def _windows(found: Matches) -> Iterator[Span]:
    """What is shown around the matches, windows that touch made one."""
    spans = [(start - AROUND, end + AROUND) for start, end in found]
    first, last = spans[0]
    for start, end in spans[1:]:
        if start > last:
            yield first, last
            first = start
        last = end
    yield first, last


@register.filter
def prefix(tool: ToolSpec) -> str:
    """What stands before the server's own name for the tool."""
    return tool.name.removesuffix(tool.upstream_name) if tool.upstream_name else ""


def matches(text: str, terms: Collection[str], others: Iterable[tuple[Span, str]] = ()) -> Matches:
    """The words that are among the terms, and other spans with what to call them, merged where they overlap."""
    words = [word for word in index_words(text) if word.term in terms] if terms else []
    named = [((word.start, word.end), word.term) for word in words] + list(others)
    spans = _merged([*marks(text, terms), *(span for span, _ in named)])
    return {
        (start, end): " ".join(dict.fromkeys(name for (at, _), name in named if name and start <= at < end))
        for start, end in spans
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
    if not told:
        return {}
    return matches(text, terms, [*_letter_spans(told, text), *_pattern_spans(ranking.reading, text)])


def _terms(part: Explanation) -> Iterator[str]:
    yield from part.term.split()
    for below in part.parts:
        yield from _terms(below)


def _letter_spans(told: Iterable[Explanation], text: str) -> Iterator[tuple[Span, str]]:
    """Where what was sought as it is typed stands, inside a word too."""
    for letters in dict.fromkeys(part.letters for part in told if part.letters):
        found = re.finditer(re.escape(letters), text, re.IGNORECASE)
        yield from ((match.span(), letters) for match in islice(found, MAX_MATCHES))


def _pattern_spans(reading: QueryReading, text: str) -> Iterator[tuple[Span, str]]:
    if not reading.is_pattern:
        return
    try:
        yield from ((span, "") for span in matched_spans(compile_regex(reading.final), text, MAX_MATCHES))
    except PatternError:
        return


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
