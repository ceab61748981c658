"""mcpagent's filter: which tools it let in, as recorded of two of its programs, beside both rules of ours.

Each rule is compared with every verdict; where they differ, one of the reasons below holds, and `docs/fidelity.md` tells it.
"""

from collections.abc import Iterator
from typing import Any

import pytest

from catalog.exposure import SPECIAL_CATEGORIES, Candidate, Selection, expose
from catalog.program_selection import AT_REGISTRATION, SYSTEM_CATEGORIES, ProgramSelection
from catalog.tools import ToolSpec
from tests.conformance.recorded import Json, read, with_vectors

pytestmark = with_vectors
OF_THE_DOCUMENT, LAST = "mcpagent_doc", "mcpagent_last"
LATER = frozenset({"human", "image", "delegation", "workflow"})
"""Categories that the later program treats otherwise, each also with `_tools`."""


def cases(*systems: str) -> Any:
    told = [case for system in systems for file in read(f"{system}__filter*.json") for case in file["cases"]]
    return pytest.mark.parametrize("case", [pytest.param(case, id=case["id"]) for case in told])


def verdicts(kind: type[Selection], case: Json) -> Iterator[tuple[Json, bool]]:
    """Each recorded verdict, and whether we let the tool in. A tool of no server is a meta-tool: no filter is asked."""
    selection = kind(tuple(case["selected_servers"]), tuple(case["selected_tools"]))
    for told in case["expected"]:
        if told["virtual"]:
            assert told["include"]
            continue
        category = told["package"] if told["custom"] else ""
        tool = ToolSpec(told["tool"], server=told["package"], category=category)
        yield told, bool(expose([Candidate(tool)], selection).pool.tools)


def differences(kind: type[Selection], case: Json) -> list[Json]:
    return [told for told, is_in in verdicts(kind, case) if is_in != told["include"]]


def is_registered(told: Json) -> bool:
    """Its registration lets it in and never asks the filter, whose own word was recorded."""
    return bool(told["package"] == AT_REGISTRATION and not told["include"])


@cases(OF_THE_DOCUMENT)
def test_the_programs_rule_lets_in_what_the_program_let_in(case: Json) -> None:
    assert [told for told in differences(ProgramSelection, case) if not is_registered(told)] == []


@cases(LAST)
def test_the_later_program_differs_by_its_list_of_categories_only(case: Json) -> None:
    packages = {told["package"] for told in differences(ProgramSelection, case) if not is_registered(told)}
    assert {package.removesuffix("_tools").partition("_")[0] for package in packages} <= LATER


@cases(OF_THE_DOCUMENT)
def test_the_documents_rule_differs_where_the_document_does(case: Json) -> None:
    named = {entry.partition(":")[0] for entry in case["selected_tools"]}
    for told in differences(Selection, case):
        narrowed = told["package"] in named & set(case["selected_servers"])
        assert told["package"] in SPECIAL_CATEGORIES | SYSTEM_CATEGORIES or narrowed, told


def test_both_rules_are_compared_with_many_verdicts_and_differ() -> None:
    told = [case for file in read(f"{OF_THE_DOCUMENT}__filter*.json") for case in file["cases"]]
    compared = [verdict for case in told for verdict in verdicts(Selection, case)]
    assert len(compared) > 100
    assert any(is_in != verdict["include"] for verdict, is_in in compared)
