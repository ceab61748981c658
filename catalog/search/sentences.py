"""Why a tool was found, in one sentence, from its explanation: for a reader who wants no arithmetic."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

from catalog.search.explanation import Explanation
from catalog.search.ranking import Hit

MAX_REASONS = 3
SMALL = 0.1
"""The share of the score below which a contribution is not spoken of."""


def describe(hit: Hit) -> str:
    """The strongest contributions first, the very first with what its background tells. Their reasons are clauses."""
    told = _each_once(sorted(hit.explanation.contributions(), key=lambda part: -part.value))[:MAX_REASONS]
    if not any(part.reason for part in told):
        return ""
    first, *rest = told
    clauses = [_with_background(first), *(part.reason for part in rest if part.value >= SMALL * hit.score)]
    return _sentence(clauses)


def describe_matches(hit: Hit) -> str:
    """All that matched, for a ranking without scores."""
    return _sentence([part.reason for part in hit.explanation.evidence()]) or describe(hit)


def _sentence(clauses: Iterable[str]) -> str:
    said = _merged(clause for clause in clauses if clause)
    sentence = _joined(said, ", and ") if said else ""
    return f"{sentence[0].upper()}{sentence[1:]}." if sentence else ""


def _each_once(parts: Sequence[Explanation]) -> list[Explanation]:
    """The first of those with the same reason, saying how often it counts: a query may repeat its words."""
    times = Counter(part.reason for part in parts)
    first = {part.reason: part for part in reversed(parts)}
    return [
        replace(first[said], reason=f"{said}, {count} times" if count > 1 else said) for said, count in times.items()
    ]


def _with_background(part: Explanation) -> str:
    return f"{part.reason}, {part.background.reason}" if part.background else part.reason


def _merged(clauses: Iterable[str]) -> list[str]:
    """One clause for those that begin alike up to what they quote: `its name has “a”` and `“b”`."""
    said: dict[str, list[str]] = {}
    for clause in clauses:
        beginning, quote, rest = clause.partition("“")
        said.setdefault(beginning, []).append(quote + rest)
    return [beginning + _joined(rests, " and ") for beginning, rests in said.items()]


def _joined(clauses: Sequence[str], last_link: str) -> str:
    *rest, last = clauses
    return f"{', '.join(rest)}{last_link}{last}" if rest else last
