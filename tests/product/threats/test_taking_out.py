"""The table of defences is whole and that of the tree, and what took one out unnoticed is told from a proof."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.product.threats.taking_out.copies import without
from tests.product.threats.taking_out.defence import Cut, Defence, misplaced
from tests.product.threats.taking_out.defences import DEFENCES
from tests.product.threats.taking_out.trying import Outcome, Told, run_tests, why_no_proof, why_not_whole
from tests.product.threats.test_the_table import DOCUMENT, MARKED, ROOT, ROW

SHOWN = {(defence.threat, test) for defence in DEFENCES for test in defence.shown_by}
CONTROLS = set(
    """
    test_the_watch_above_would_see_a_command test_the_test_above_would_see_a_new_starter
    test_the_search_above_would_see_one test_the_minder_and_its_reader_mean_the_same_status
    test_the_same_places_take_an_honest_address test_ones_own_origin_and_one_that_was_named_get_a_socket
    test_else_a_rewording_is_in_force_and_stays_in_the_history test_every_field_of_a_source_is_among_those_above
    test_the_same_said_another_way_is_no_alarm test_json_that_all_read_alike_is_read
    test_of_sixteen_thousand_real_tools_few_are_marked test_writing_survives_whole
    test_a_deep_document_is_told_on_its_page_and_the_next_request_is_served
    test_a_lie_about_the_size_does_not_help_a_bomb
""".split()
)
"""Tests of threats that no defence of ours makes fail: that honest things pass, that a watch sees, what Python itself does."""


def marked_tests() -> Iterator[tuple[str, str]]:
    """Threat and test, as the table has them."""
    for path in (path for path, threats in MARKED.items() if threats):
        for node in ast.parse(path.read_text()).body:
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                marks = re.findall(r"threat\('(T\d\d)'\)", "".join(map(ast.unparse, node.decorator_list)))
                yield from ((threat, f"{path.relative_to(ROOT)}::{node.name}") for threat in marks)


def test_every_threat_has_a_defence_that_can_be_taken_out() -> None:
    rows = {threat for threat, _ in ROW.findall(DOCUMENT)}
    assert {defence.threat for defence in DEFENCES} == rows
    assert f"{len(DEFENCES)} defences against these {len(rows)} threats" in DOCUMENT


def test_what_can_be_taken_out_stands_where_the_table_says() -> None:
    assert list(misplaced(DEFENCES, ROOT)) == []


def test_every_test_of_a_threat_is_one_that_a_missing_defence_makes_fail() -> None:
    marked = set(marked_tests())
    assert marked >= SHOWN
    assert {test.rpartition("::")[2] for _, test in marked - SHOWN} == CONTROLS


SHUT = Defence("T01", "it is shut", (Cut("door.py", "shut = True\n", "shut = False\n"),), ("test_door.py::test_shut",))
DOORS = {
    "pytest.ini": "[pytest]\n",
    "door.py": "shut = True\n",
    "test_door.py": """
import pytest
from door import shut

@pytest.mark.threat("T01")
def test_shut():
    assert shut

def test_of_no_threat():
    assert shut

@pytest.mark.threat("T01")
def test_that_breaks():
    [][shut - 1]
""",
}


@pytest.fixture
def doors(tmp_path: Path) -> Path:
    tree = tmp_path / "tree"
    tree.mkdir()
    for name, text in DOORS.items():
        (tree / name).write_text(text)
    return tree


def test_a_defence_that_is_elsewhere_is_told_with_its_file_and_its_text(doors: Path) -> None:
    assert list(misplaced([SHUT], doors)) == []
    for text, times in (("shut = False\n", 0), ("shut = True\n" * 2, 2)):
        (doors / "door.py").write_text(text)
        assert list(misplaced([SHUT], doors)) == [
            f"T01: door.py has this {times} times instead of once:\n    shut = True"
        ]


def test_one_that_is_taken_out_makes_its_tests_fail_and_stands_there_again(
    doors: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    monkeypatch.delenv("DJANGO_SETTINGS_MODULE")
    with without(SHUT, doors):
        told = run_tests(doors, ["test_door.py"], 60).tests
    assert (doors / "door.py").read_text() == "shut = True\n"
    assert told == [
        Told("test_door.py::test_shut", "failed", "AssertionError", asserts=True, threats=["T01"]),
        Told("test_door.py::test_of_no_threat", "failed", "AssertionError", asserts=True, threats=[]),
        Told("test_door.py::test_that_breaks", "failed", "IndexError", asserts=False, threats=["T01"]),
    ]


FAILED = Told("test_door.py::test_shut", "failed", "AssertionError", asserts=True, threats=["T01"])
PASSED = Told("test_door.py::test_shut", "passed", "", asserts=False, threats=["T01"])


@pytest.mark.parametrize(
    ("outcome", "told"),
    [
        (Outcome(1, [FAILED, PASSED], ""), ""),
        (Outcome(0, [PASSED], ""), "taken out unnoticed by test_door.py::test_shut"),
        (Outcome(None, [FAILED], ""), "did not end"),
        (Outcome(2, [], "SyntaxError"), "pytest ended with 2:\nSyntaxError"),
        (Outcome(1, [FAILED._replace(asserts=False, error="KeyError")], ""), "failed by KeyError, and no assertion"),
        (Outcome(1, [FAILED._replace(threats=["T02"])], ""), "is no test of T01"),
        (Outcome(1, [FAILED._replace(outcome="not begun", error="OSError")], ""), "not begun (OSError)"),
        (Outcome(0, [PASSED._replace(outcome="skipped")], ""), "skipped"),
    ],
)
def test_what_is_no_proof_is_told(outcome: Outcome, told: str) -> None:
    reason = why_no_proof(SHUT, outcome)
    assert told in reason and bool(told) == bool(reason)


def test_tests_that_do_not_pass_with_every_defence_in_place_prove_nothing() -> None:
    assert why_not_whole(Outcome(0, [PASSED], "")) == ""
    for status, outcome in ((0, "skipped"), (1, "failed"), (2, "passed")):
        assert why_not_whole(Outcome(status, [PASSED._replace(outcome=outcome)], "no room")) != ""
