"""The fusion and the cut of the sanqian post give what its arithmetic gives, case by case (S-7, S-8)."""

from typing import Any

import pytest

from catalog.search.autocut import kept_before_jump
from catalog.search.fusion import FusedVariant, explain, fused_variants
from tests.conformance.recorded import VECTORS, Json, scripted, with_vectors

CASES = scripted("sanqian", "formula")
AUTOCUT = 2.0

pytestmark = with_vectors
every_case = pytest.mark.parametrize("case", [pytest.param(case, id=case["id"]) for case in CASES])


def fused(case: Json) -> list[FusedVariant]:
    return [
        FusedVariant(f"variant {number}", told["weight"], told["lists"], {"a bonus": told.get("bonus", {})})
        for number, told in enumerate(case["variants"])
    ]


def pairs(scored: Any) -> list[list[Any]]:
    return [list(pair) for pair in scored]


@every_case
def test_the_sources_of_each_variant_are_fused_as_worked_out(case: Json) -> None:
    assert [pairs(variant.scored) for variant in fused(case)] == case["expected"]["per_variant"]


@every_case
def test_the_variants_are_fused_and_cut_as_worked_out(case: Json) -> None:
    scored = fused_variants([(variant.weight, variant.names) for variant in fused(case)])
    kept = kept_before_jump([score for _, score in scored], AUTOCUT)
    assert pairs(scored) == case["expected"]["fused"]
    assert kept == case["expected"]["autocut_keeps"]
    assert [name for name, _ in scored[:kept]] == case["expected"]["results"]


@every_case
def test_an_explanation_has_the_score_worked_out(case: Json) -> None:
    variants = fused(case)
    titles = {source: source for variant in variants for source in variant.lists}
    found = [[name, explain(name, variants, titles).value] for name, _ in case["expected"]["fused"]]
    assert found == case["expected"]["fused"]


def test_the_worked_out_cases_are_there() -> None:
    assert CASES, f"no cases at {VECTORS}"
