"""The documents hold what the code has."""

import re
from pathlib import Path

import pytest

from catalog.search import ENGINES
from playground.agent.events import EVENTS
from playground.modes import MODES

ROOT = Path(__file__).parents[2]
DOCUMENTS = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md", *(ROOT / "docs").rglob("*.md")]
EVERYTHING = "\n".join(path.read_text() for path in DOCUMENTS)
LINK = re.compile(r"\]\((?!https?://)([^)#]+)")


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_every_link_leads_somewhere(document: Path) -> None:
    missing = [link for link in LINK.findall(document.read_text()) if not (document.parent / link).exists()]
    assert missing == []


@pytest.mark.parametrize("title", [kind.title for kind in ENGINES.values()] + [mode.title for mode in MODES.values()])
def test_every_engine_and_mode_is_named(title: str) -> None:
    assert title.lower() in EVERYTHING.lower()


def test_every_decision_is_listed() -> None:
    folder = ROOT / "docs" / "decisions"
    listed = (folder / "README.md").read_text()
    assert [path.name for path in folder.glob("*.md") if path.name != "README.md" and path.name not in listed] == []


def test_every_event_is_in_the_registry_under_its_kind() -> None:
    assert all(event.kind == kind for kind, event in EVENTS.items())
