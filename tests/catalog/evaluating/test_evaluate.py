"""`manage.py evaluate`, from files to figures."""

import json
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from catalog.search import ENGINES

TOOLS = [
    {"id": "w/now", "server": "w", "name": "get_weather", "description": "Current weather of a city"},
    {"id": "c/send", "server": "c", "name": "send_message", "description": "Post a text to a channel"},
]
QUERIES = [
    {"id": "1", "text": "weather", "groups": [["w/now"]]},
    {"id": "2", "text": "message", "groups": [["w/now"], ["c/send"]]},
]


@pytest.fixture
def files(tmp_path: Path) -> dict[str, Path]:
    for name, values in (("tools", TOOLS), ("queries", QUERIES)):
        (tmp_path / f"{name}.jsonl").write_text("\n".join(map(json.dumps, values)))
    return {name: tmp_path / f"{name}.jsonl" for name in ("tools", "queries")}


def evaluated(files: dict[str, Path], **options: object) -> str:
    out = StringIO()
    call_command("evaluate", stdout=out, stderr=StringIO(), **files, **options)
    return out.getvalue()


@pytest.mark.parametrize("engine", ENGINES)
def test_every_engine_can_be_measured(files: dict[str, Path], engine: str) -> None:
    found = json.loads(evaluated(files, engine=engine, json=True))
    assert (found["engine"], found["tools"], found["queries"]) == (engine, 2, 2)
    assert found["metrics"]["MRR"] == 1.0
    assert found["metrics"]["completeness@5"] == 0.5


def test_a_person_gets_a_table(files: dict[str, Path]) -> None:
    head, *rows = evaluated(files, engine="bm25f", limit=1).splitlines()
    assert head.startswith("bm25f: 1 queries, 2 tools, ")
    assert "nDCG@10         1.000" in rows


def test_an_unfit_file_is_the_operators_error(files: dict[str, Path]) -> None:
    files["queries"].write_text('{"id": 1}')
    with pytest.raises(CommandError, match="line 1: not a judged query"):
        evaluated(files, engine="bm25f")


def test_no_query_is_the_operators_error(files: dict[str, Path]) -> None:
    files["queries"].write_text("")
    with pytest.raises(CommandError, match="no query"):
        evaluated(files, engine="bm25f")
