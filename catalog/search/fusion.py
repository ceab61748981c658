"""Reciprocal rank fusion in two passes: of the sources of one variant, then of the variants (S-7).

Both passes see ranks only: how far apart two tools were in a source, or in a variant, is lost (S-13).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from catalog.search.explanation import Explanation, fact, sum_of

K = 60
"""What is added to every rank, so that the first few do not outweigh all that follow."""

Scored = list[tuple[str, float]]
"""Names with their scores, best first; equal ones by name."""
Lists = Mapping[str, Sequence[str]]
"""By source, the names that it found, best first."""
Bonuses = Mapping[str, Mapping[str, float]]
"""By cause, what is added to names that some source found."""


def fused_sources(lists: Lists, bonuses: Bonuses, k: int = K) -> Scored:
    """Σ 1 / (k + rank) over sources, ranks from 1, and the bonuses of the names that any of them found."""
    terms: dict[str, list[float]] = {}
    for names in lists.values():
        for rank, name in enumerate(names, start=1):
            terms.setdefault(name, []).append(1 / (k + rank))
    for bonus in bonuses.values():
        for name in bonus.keys() & terms.keys():
            terms[name].append(bonus[name])
    return _best_first(terms)


def fused_variants(variants: Sequence[tuple[float, Sequence[str]]], k: int = K) -> Scored:
    """Σ weight / (k + rank) over variants, each given as its weight and its names, best first."""
    terms: dict[str, list[float]] = {}
    for weight, names in variants:
        for rank, name in enumerate(names, start=1):
            terms.setdefault(name, []).append(weight / (k + rank))
    return _best_first(terms)


@dataclass(frozen=True)
class FusedVariant:
    """A variant with what each source found for it, to be told of; `why` says which variant it is, `terms` what it asks for."""

    why: str
    weight: float
    lists: Lists
    bonuses: Bonuses = field(default_factory=dict)
    k: int = K
    terms: tuple[str, ...] = ()

    @cached_property
    def scored(self) -> Scored:
        return fused_sources(self.lists, self.bonuses, self.k)

    @cached_property
    def names(self) -> list[str]:
        return [name for name, _ in self.scored]

    @cached_property
    def ranks(self) -> dict[str, int]:
        return _ranks(self.names)

    @cached_property
    def source_ranks(self) -> dict[str, dict[str, int]]:
        return {source: _ranks(names) for source, names in self.lists.items()}


def explain(name: str, variants: Sequence[FusedVariant], titles: Mapping[str, str], k: int = K) -> Explanation:
    """The score of `fused_variants`, variant by variant, each with what its sources said as background.

    `titles` names the sources. The size of what they said does not count, only the rank that came of it.
    """
    found = (variant for variant in variants if name in variant.ranks)
    return sum_of("what each variant of the query adds", [_variant(name, variant, titles, k) for variant in found])


def _variant(name: str, variant: FusedVariant, titles: Mapping[str, str], k: int) -> Explanation:
    rank = variant.ranks[name]
    parts = list(_said(name, variant, titles))
    *others, last = (part.reason for part in parts)
    said = sum_of(f"from {', '.join(others)} and {last}" if others else f"from {last}", parts)
    place = Explanation(
        variant.weight / (k + rank),
        f"rank {rank} {variant.why}",
        field=variant.why.replace(" ", "_"),
        background=said,
        term=" ".join(variant.terms),
    )
    return sum_of(f"{variant.why}: {variant.weight:g} / ({k} + {rank})", (place,))


def _said(name: str, variant: FusedVariant, titles: Mapping[str, str]) -> Iterator[Explanation]:
    for source, ranks in variant.source_ranks.items():
        if rank := ranks.get(name):
            yield fact(1 / (variant.k + rank), f"rank {rank} in {titles[source]} (1/{variant.k + rank})")
    for cause, bonus in variant.bonuses.items():
        if value := bonus.get(name):
            yield fact(value, f"{cause} (+{value:g})")


def _best_first(terms: Mapping[str, Sequence[float]]) -> Scored:
    scores = ((name, sum(values)) for name, values in terms.items())
    return sorted(scores, key=lambda scored: (-scored[1], scored[0]))


def _ranks(names: Sequence[str]) -> dict[str, int]:
    return {name: rank for rank, name in enumerate(names, start=1)}
