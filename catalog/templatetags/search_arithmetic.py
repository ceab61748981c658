"""An explanation as rows of figures that add up to the last digit shown, and as the segments of a bar."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import floor, log10

from django import template

from catalog.search.bar_scale import bar_scale
from catalog.search.documents import FIELDS
from catalog.search.explanation import Explanation
from catalog.search.ranking import Hit, Ranking
from catalog.search.sentences import describe, describe_matches

register = template.Library()

CLASSES = {"search_text": "field-alias"}
"""Style classes of fields that are not named after the field."""
DIGITS, MAX_DIGITS = 2, 9
"""Decimals that figures are shown with, and the most where scores are small."""
SIGNIFICANT = 3
"""Digits of the best score that are shown at least."""
WIDTH, GAP = 100.0, 0.4
"""The bar's own units: how wide the best score of the page is, and what parts two segments."""


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the arithmetic. `exact` is the value unrounded; `lost` is a part that a better one beat."""

    said: Explanation
    shown: str
    rows: tuple["Row", ...] = ()
    lost: bool = False

    @property
    def exact(self) -> str:
        return f"{self.said.value!r}"

    @property
    def field(self) -> str:
        """The field that the row, or all below it that counts, speaks of."""
        fields = {row.field for row in self.rows if not row.lost}
        return self.said.field or (fields.pop() if len(fields) == 1 else "")

    @property
    def product(self) -> str:
        """The factors, as one writes them down."""
        return " × ".join(row.shown for row in self.rows) if self.said.combination == "product" else ""


@dataclass(frozen=True, slots=True)
class Segment:
    """A part of a bar; places and widths are written for SVG."""

    said: Explanation
    shown: str
    x: str
    width: str


@register.filter
def score(value: float, ranking: Ranking | None = None) -> str:
    """As a figure of the ranking, or with two decimals."""
    digits = digits_of(ranking)
    return _written(_rounded(value, digits), digits)


def digits_of(ranking: Ranking | None) -> int:
    """The decimals of all figures of a ranking: enough for three digits of its best score."""
    best = ranking.best_score if ranking else 0.0
    return min(max(DIGITS, SIGNIFICANT - 1 - floor(log10(best))), MAX_DIGITS) if best > 0 else DIGITS


@register.filter
def exact(value: float) -> str:
    return repr(value)


@register.filter
def why(hit: Hit, ranking: Ranking) -> str:
    return describe(hit) if ranking.scored else describe_matches(hit)


@register.filter
def matched_fields(hit: Hit) -> list[str]:
    """The fields that something of the query was found in."""
    return list(dict.fromkeys(part.field for part in hit.explanation.evidence()))


@register.filter
def bar_fields(ranking: Ranking) -> list[str]:
    """The fields whose colours the bars of a page have, in the order of FIELDS, then of the bars."""
    found = {part.field for hit in ranking.every_hit() for part in hit.explanation.contributions() if part.value > 0}
    return sorted(found, key=lambda field: (FIELDS.index(field) if field in FIELDS else len(FIELDS), field))


@register.filter
def field_class(field: str) -> str:
    return CLASSES.get(field, f"field-{field}") if field else ""


@register.filter
def rows(explanation: Explanation, ranking: Ranking | None = None) -> tuple[Row, ...]:
    """The parts of a sum; anything else, whatever its shape, is a row by itself."""
    whole = _row(explanation, digits_of(ranking))
    return whole.rows if explanation.combination == "sum" else (whole,)


@register.filter
def by_field(explanation: Explanation, ranking: Ranking | None = None) -> str:
    """`name 6.15, description 4.02`: the bar for those who cannot see it."""
    return ", ".join(f"{row.said.reason} {row.shown}" for row in rows(explanation, ranking))


@register.inclusion_tag("catalog/_score_bar.html")
def score_bar(hit: Hit, ranking: Ranking) -> dict[str, object]:
    best = bar_scale(ranking)
    segments = list(_segments(hit, best, digits_of(ranking)))
    shown = {"hit": hit, "ranking": ranking, "segments": segments, "tick": _tick(ranking, best)}
    return {**shown, "is_broken": hit.score > best}


@register.filter
def has_broken_bar(ranking: Ranking) -> bool:
    """Whether a bar goes on beyond the width of the page."""
    return ranking.best_score > bar_scale(ranking)


def adding_up(total: int, values: Sequence[float], digits: int = DIGITS) -> list[int]:
    """The values in units of the last digit, each rounded up or down so that they add up to `total` (by the largest remainder)."""
    units = [value * 10**digits for value in values]
    found = [floor(value) for value in units]
    by_remainder = sorted(range(len(values)), key=lambda place: found[place] - units[place])
    for place in by_remainder[: max(total - sum(found), 0)]:
        found[place] += 1
    return found


def _row(said: Explanation, digits: int, units: int | None = None) -> Row:
    """`units` of the last digit are what the row has to show, where it must add up with others."""
    total = _rounded(said.value, digits) if units is None else units
    return Row(said, _written(total, digits), tuple(_parts(said, digits, total)))


def _parts(said: Explanation, digits: int, units: int) -> Iterator[Row]:
    match said.combination:
        case "sum":
            shown = adding_up(units, [part.value for part in said.parts], digits)
            yield from (_row(part, digits, each) for part, each in zip(said.parts, shown, strict=True))
        case "best":
            for part in said.parts:
                row = _row(part, digits)
                yield row if part is said.winner else replace(row, lost=True)
        case "product":
            factors = (_row(part, digits) for part in said.parts)
            yield from (replace(row, shown=f"{round(row.said.value, 3):g}") for row in factors)


def _segments(hit: Hit, best: float, digits: int) -> Iterator[Segment]:
    shown = dict(_shown(_row(hit.explanation, digits)))
    place = 0.0
    for part in hit.explanation.contributions():
        width = min(part.value / best * WIDTH, WIDTH - place)
        if width <= 0:
            continue
        yield Segment(part, shown[id(part)], f"{place:.2f}", f"{max(width - GAP, GAP):.2f}")
        place += width


def _shown(row: Row) -> Iterator[tuple[int, str]]:
    """What each part is shown as, however deep it lies."""
    yield id(row.said), row.shown
    for part in row.rows:
        yield from _shown(part)


def _tick(ranking: Ranking, best: float) -> str:
    """Where the score lies that a cut asked for; empty if nothing was cut."""
    return f"{min(ranking.score_cut.score / best, 1.0) * WIDTH:.2f}" if ranking.score_cut else ""


def _rounded(value: float, digits: int) -> int:
    """In units of the last digit."""
    return round(value * 10.0**digits)


def _written(units: int, digits: int) -> str:
    return f"{units / 10**digits:.{digits}f}"
