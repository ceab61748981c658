"""The engines of the seed systems find what the real ones found: names, order, scores, candidates, error texts."""

from math import floor
from typing import Any

import pytest

from catalog.search.cutting import above
from catalog.search.eino_keyword import SELECT, name_parts
from catalog.search.engine import Corpus
from catalog.search.mastra import MastraBm25, index_order, tokenize
from catalog.search.mcpagent import McpagentPattern, McpagentSettings
from catalog.search.ranking import Ranking
from tests.conformance.recorded import (
    NO_INDEX,
    VECTORS,
    Case,
    asks_the_engine,
    engine_cases,
    every_case,
    recordings,
    with_vectors,
)

MCPAGENT = ("mcpagent_doc", "mcpagent_last")
EINO, EINO_BETA, MASTRA = ("eino_v2", "eino-keyword"), ("eino_beta", "eino-regex"), ("mastra", "mastra")
EINO_LIMIT = MASTRA_LIMIT = 5

pytestmark = with_vectors


def names(ranking: Ranking) -> list[str]:
    return [hit.tool.name for hit in ranking.hits]


def eino_limit(case: Case) -> int:
    """The mode reads `max_results`: absent, null, 0 and negative are 5 (E2-9)."""
    asked = case.options.get("max_results") or 0
    return asked if asked > 0 else EINO_LIMIT


def mastra_limit(case: Case) -> int:
    """The mode reads `topK`: of a fraction, slices take the whole part (M-11)."""
    return int(case.options.get("topK", MASTRA_LIMIT))


@engine_cases(*EINO)
def test_eino_keywords_find_what_the_original_found(case: Case) -> None:
    """A blank query is an error there (E2-7), which the mode answers; the engine finds nothing."""
    ranking, expected = case.recording.asked.search(case.query, eino_limit(case)), case.expected
    assert names(ranking) == expected["matches"]
    assert ranking.scored != case.query.strip().startswith(SELECT)
    assert [hit.score for hit in ranking.hits if ranking.scored] == expected.get("scores", [])
    assert not ranking.scored or ranking.matched == expected.get("total_matching", 0)


@engine_cases(*EINO)
def test_eino_keywords_count_what_the_original_counted(case: Case) -> None:
    ranking = case.recording.asked.search(case.query, eino_limit(case))
    for hit, told in zip(ranking.hits, case.expected.get("breakdown", []), strict=False):
        counted = [(keyword["score"], keyword["required"]) for keyword in told["keywords"] if keyword["score"]]
        assert [(part.value, "required" in part.reason) for part in hit.explanation.parts] == counted


@engine_cases(*EINO_BETA)
def test_eino_patterns_find_what_the_original_found(case: Case) -> None:
    """An empty pattern is an error there (EB-6), which the mode answers; the engine finds nothing."""
    ranking, expected = case.recording.asked.search(case.query, len(case.recording.tools)), case.expected
    assert names(ranking) == (expected["matches"] or [])
    assert ranking.problem == (expected.get("error", "") if case.query else "")
    assert not ranking.scored


@engine_cases(*MASTRA)
def test_mastra_finds_what_the_original_found(case: Case) -> None:
    """The mode applies `minScore`, as it may to any engine; `autoLoad` changes what the mode says and does."""
    whole, expected = case.recording.asked.search(case.query, mastra_limit(case)), case.expected
    ranking = above(case.options.get("minScore", 0), whole)
    assert names(ranking) == expected["matches"]
    assert [floor(hit.score * 100 + 0.5) / 100 for hit in ranking.hits] == expected["scores"]
    assert [hit.explanation.parts[0].value for hit in ranking.hits] == pytest.approx(expected["bm25"], abs=1e-9)
    assert [sum(part.value for part in hit.explanation.parts[1:]) for hit in ranking.hits] == expected["boost"]
    assert ranking.matched == expected["total_bm25"]


@engine_cases(*MASTRA)
def test_mastra_reads_queries_and_chooses_candidates_as_the_original_did(case: Case) -> None:
    engine = case.recording.asked
    assert isinstance(engine, MastraBm25)
    assert tokenize(case.query) == case.expected["query_tokens"]
    assert [tool.name for tool in engine.candidates(case.query, mastra_limit(case))] == case.expected["candidates"]


def text_of(case: Case) -> Any:
    """What is asked, if it is a text; else the call is an error there (P-1), which the mode answers."""
    return case.told["query"] if asks_the_engine(case) else case.told["args"].get("query")


def pattern_cases() -> Any:
    found = [case for system in MCPAGENT for case in every_case(system, "mcpagent")]
    return pytest.mark.parametrize(
        "case", [pytest.param(case, id=case.told["id"]) for case in found if isinstance(text_of(case), str)]
    )


@pattern_cases()
def test_mcpagent_patterns_match_what_the_original_matched(case: Case) -> None:
    """As implemented, without the fallback; also where a name is there on two servers."""
    engine = McpagentPattern(Corpus(case.recording.tools, NO_INDEX), McpagentSettings(fidelity="implemented"))
    ranking = engine.search(text_of(case), len(case.recording.tools))
    assert names(ranking) == (case.expected["matches"] or [])


def test_eino_cuts_names_where_the_original_cut_them() -> None:
    for recording in recordings(*EINO):
        recorded = recording.told.get("name_parts", {})
        assert {name: name_parts(name) for name in recorded} == recorded


def test_mastra_cuts_texts_where_the_original_cut_them() -> None:
    for recording in recordings(*MASTRA):
        tools = index_order(recording.tools)
        named = [tool.name for tool in tools]
        assert named == recording.told.get("index_order", named)
        tokens = {tool.name: tokenize(f"{tool.name} {tool.description}") for tool in tools}
        assert tokens == recording.told.get("tokens", tokens)


@pytest.mark.parametrize("system", [EINO, EINO_BETA, MASTRA])
def test_what_is_not_asked_of_an_engine_is_raw_arguments(system: tuple[str, str]) -> None:
    others = [case.told for case in every_case(*system) if not asks_the_engine(case)]
    assert all("arguments_json" in told or "args" in told for told in others)


def test_the_recorded_results_are_there() -> None:
    assert all(recordings(*system) for system in (EINO, EINO_BETA, MASTRA)), f"no results at {VECTORS}"
