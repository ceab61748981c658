"""jq over an output: what a query gives, and that none harms the process, reads a file, or sees the environment."""

import os
from pathlib import Path

import pytest

from playground.agent.large_outputs.querying import Query, QueryFailedError, run_query

DATA = '{"rows": [{"id": 1, "tag": "a"}, {"id": 2.5, "tag": "天气"}], "import": true}'


def asked(program: str, *, compact: bool = False, raw: bool = False, most: int = 10_000, seconds: float = 10.0) -> str:
    return run_query(DATA, Query(program, compact, raw), most, seconds)


@pytest.mark.parametrize(
    ("program", "compact", "raw", "lines"),
    [
        (".rows[].tag", False, False, '"a"\n"天气"\n'),
        (".rows[].tag", False, True, "a\n天气\n"),
        (".rows[0]", False, False, '{\n  "id": 1,\n  "tag": "a"\n}\n'),
        (".rows[]", True, True, '{"id":1,"tag":"a"}\n{"id":2.5,"tag":"天气"}\n'),
        (".import, .none", False, False, "true\nnull\n"),
        ("empty", False, False, ""),
    ],
)
def test_results_are_written_as_jq_writes_them(program: str, compact: bool, raw: bool, lines: str) -> None:
    assert asked(program, compact=compact, raw=raw) == lines


@pytest.mark.parametrize(
    ("program", "words"),
    [
        (".rows[", "syntax error"),
        (".rows.tag", "Cannot index array"),
        ('error("my own words")', "my own words"),
        ("[range(1e9)]", "too much memory or time"),
        ("def deeper: [deeper]; deeper", "too much memory or time"),
    ],
)
def test_a_query_that_fails_is_told(program: str, words: str) -> None:
    with pytest.raises(QueryFailedError, match=words):
        asked(program, seconds=60)


def test_a_query_that_loops_for_ever_is_ended() -> None:
    with pytest.raises(QueryFailedError, match="longer than 2 seconds"):
        asked("def again: again; again", seconds=2.0)


def test_a_query_without_end_is_cut_off() -> None:
    assert asked("repeat(1)", most=5) == "1\n1\n1\n[Cut off here: at most 5 characters are answered. Ask for less.]\n"


def test_the_environment_is_empty(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CANARY", "secret")
    assert os.environ["CANARY"]
    assert asked("$ENV, env", compact=True) == "{}\n{}\n"


@pytest.mark.parametrize(
    "program",
    [
        'import "leak" as $leak {search: "FOLDER"}; $leak',
        'include "leak" {search: "FOLDER"}; secret',
        '# a comment\n import "leak" as leak {search: "FOLDER"}; leak::secret',
        'module {}; import "leak" as leak {search: "FOLDER"}; leak::secret',
        '"FOLDER/leak" | modulemeta',
    ],
)
def test_no_module_is_read(tmp_path: Path, program: str) -> None:
    (tmp_path / "leak.json").write_text('"SECRET"')
    (tmp_path / "leak.jq").write_text('def secret: "SECRET";')
    with pytest.raises(QueryFailedError, match="modules are not available"):
        asked(program.replace("FOLDER", str(tmp_path)))


def test_no_file_could_be_opened_even_by_a_program_that_tries(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second wall: the process itself may open nothing."""
    (tmp_path / "leak.json").write_text('"SECRET"')
    program = f'import "leak" as $leak {{search: "{tmp_path}"}}; $leak'
    monkeypatch.setattr(Query, "reads_modules", False)
    with pytest.raises(QueryFailedError, match="Could not open"):
        asked(program)


def test_what_is_no_json_is_told() -> None:
    with pytest.raises(QueryFailedError, match="Invalid numeric literal at line 1, column 5"):
        run_query("{bad json", Query("."), 100)
