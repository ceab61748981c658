"""Names that mimic others are told; the same word spelled another way is not."""

import pytest

from catalog.exposure import RESERVED_NAMES
from catalog.suspicion.names import KnownNames
from playground.modes import MODES
from playground.modes.large_output_tools import LARGE_OUTPUT_TOOLS

KNOWN = KnownNames([("github", "create_issue"), ("mail", "send_mail"), ("files", "list_all")])


@pytest.mark.parametrize(
    ("name", "like"),
    [
        ("create_lssue", "github/create_issue"),
        ("crеate_issue", "github/create_issue"),
        ("ｃreate_issue", "github/create_issue"),
        ("send_rnail", "mail/send_mail"),
        ("Send-MaiI1", None),
        ("list_a11", "files/list_all"),
        ("l1st_all", "files/list_all"),
    ],
)
def test_a_name_that_looks_like_another_is_told(name: str, like: str | None) -> None:
    found = list(KNOWN.mimicked(name))
    assert bool(found) == bool(like)
    assert all(suspicion.is_grave and str(like) in suspicion.reason for suspicion in found)


@pytest.mark.parametrize(
    "name", ["create_issue", "createIssue", "create-issue", "Create.Issue", "create_issues", "send"]
)
def test_the_same_word_spelled_another_way_borrows_nothing(name: str) -> None:
    assert not list(KNOWN.mimicked(name))


@pytest.mark.parametrize("name", ["search_tools", "Search_Tools", "tool_sea\u200brch", "ＬＯＡＤ_tool"])
def test_the_name_of_a_meta_tool_is_told(name: str) -> None:
    (found,) = KnownNames([]).mimicked(name)
    assert "discovery mode" in found.reason


def test_every_tool_that_a_mode_brings_is_among_the_kept_names() -> None:
    brought = {tool.name for mode in MODES.values() for tool in mode.meta_tools}
    assert brought | {tool.name for tool in LARGE_OUTPUT_TOOLS} <= RESERVED_NAMES
