"""Every threat of the document has a test that shows its defence, and every such test a threat."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[3]
DOCUMENT = (ROOT / "docs" / "threats.md").read_text()
ROW = re.compile(r"^\| (T\d\d) \|.*\| ([^|]+) \|$", re.MULTILINE)
MARK = re.compile(r'\.mark\.threat\("(T\d\d)"\)')
MARKED = {
    path: set(MARK.findall(path.read_text()))
    for path in (ROOT / "tests").rglob("test_*.py")
    if "node_modules" not in path.parts
}


def test_every_threat_has_a_test_and_every_test_a_threat() -> None:
    rows = [threat for threat, _ in ROW.findall(DOCUMENT)]
    assert len(rows) > 30 and len(set(rows)) == len(rows)
    assert {threat for marked in MARKED.values() for threat in marked} == set(rows)


def test_the_files_that_a_row_names_have_its_mark() -> None:
    for threat, shown_by in ROW.findall(DOCUMENT):
        for name in re.findall(r"`([^`]+)`", shown_by):
            files = [path for path in MARKED if path.as_posix().endswith(f"/{name}.py")]
            assert len(files) == 1 and threat in MARKED[files[0]], (threat, name)
