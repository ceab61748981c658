"""The table of speeds: every engine is in it, and what is measured is real."""

import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.speed.synthetic import synthetic
from catalog.search import ENGINES
from catalog.search.documents import index_key

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def rows() -> dict[str, list[str]]:
    """The cells of each row of a small run, by the name of the row."""
    command = [sys.executable, "benchmarks/search.py", "--tools", "100", "--queries", "6"]
    printed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in printed.splitlines() if "|" in line]
    return {name: figures for _, name, *figures in cells}


def test_every_engine_is_measured(rows: dict[str, list[str]]) -> None:
    left_out = {"vector"}
    for slug in ENGINES.keys() - left_out:
        build, update, cold, _, warm, *_ = rows[slug]
        assert all(float(figure) >= 0 for figure in (build, cold))
        assert min(float(warm), float(update)) > 0


def test_an_edit_is_measured_through_the_database_too(rows: dict[str, list[str]]) -> None:
    assert float(rows["(an edit through the database)"][1]) > 0


def test_sqlite_is_always_there_as_a_peer(rows: dict[str, list[str]]) -> None:
    assert float(rows["SQLite FTS5"][4]) > 0


def test_the_tools_are_as_many_as_asked_for_and_always_the_same() -> None:
    catalog = synthetic(700, 30)
    assert catalog == synthetic(700, 30)
    assert len({index_key(tool.name) for tool in catalog.tools}) == 700
    assert len(catalog.queries) == len(catalog.patterns) == 30
