"""What an act does to one tool: what it changes, what is so already, and what is refused."""

from typing import Any

import pytest

from catalog.bulk_acts import ACTS, MOST_VALUES, UNTOUCHED, RefusedError, changes_of

SOURCE = {"category": "office", "tags": ["mail"], "permission": "read"}
OVERLAY: dict[str, Any] = {**UNTOUCHED, "enabled": True, "searchable": True, "platforms": []}


@pytest.mark.parametrize(
    ("act", "value", "overlay", "expected"),
    [
        ("off", "", {}, {"enabled": False}),
        ("on", "", {}, {}),
        ("unsearchable", "", {}, {"searchable": False}),
        ("category", "letters", {}, {"own_category": "letters"}),
        ("category", "office", {}, {}),
        ("category", "office", {"own_category": "letters"}, {"own_category": ""}),
        ("special-category", "human", {}, {"special_category": "human"}),
        ("add-tag", "post", {}, {"own_tags": ["mail", "post"]}),
        ("add-tag", "mail", {}, {}),
        ("add-tag", "mail", {"own_tags": []}, {"own_tags": None}),
        ("remove-tag", "mail", {}, {"own_tags": []}),
        ("remove-tag", "post", {}, {}),
        ("remove-tag", "post", {"own_tags": ["mail", "post"]}, {"own_tags": None}),
        ("search-text", "send Letter", {"search_text": "letter"}, {"search_text": "letter send"}),
        ("search-text", "Letter", {"search_text": "letter"}, {}),
        ("alias", "post", {"aliases": ["mail"]}, {"aliases": ["mail", "post"]}),
        ("alias", "mail", {"aliases": ["mail"]}, {}),
        ("add-platform", "linux", {}, {"platforms": ["linux"]}),
        ("add-platform", "macOS", {"platforms": ["darwin"]}, {}),
        ("any-platform", "", {"platforms": ["linux"]}, {"platforms": []}),
        ("write", "", {}, {"own_permission": "write"}),
        ("read", "", {"own_permission": "write"}, {"own_permission": ""}),
        ("clear-search", "", {"search_text": "x", "aliases": ["y"]}, {"search_text": "", "aliases": []}),
        ("clear", "", {"own_description": "x", "enabled": False}, {"own_description": None}),
    ],
)
def test_an_act_says_only_what_would_differ(
    act: str, value: str, overlay: dict[str, Any], expected: dict[str, Any]
) -> None:
    assert changes_of(ACTS[act], value, OVERLAY | overlay, SOURCE) == expected


@pytest.mark.parametrize(
    ("act", "value", "overlay", "source"),
    [
        ("read", "", {}, {"permission": "dangerous"}),
        ("write", "", {"own_permission": "dangerous"}, {}),
        ("clear-permission", "", {"own_permission": "dangerous"}, {}),
        ("category", "x" * 101, {}, {}),
        ("search-text", "new", {"search_text": "x" * 1_999}, {}),
        ("alias", "new", {"aliases": [str(number) for number in range(MOST_VALUES)]}, {}),
    ],
)
def test_what_would_harm_is_refused(act: str, value: str, overlay: dict[str, Any], source: dict[str, Any]) -> None:
    with pytest.raises(RefusedError):
        changes_of(ACTS[act], value, OVERLAY | overlay, SOURCE | source)


def test_what_the_source_calls_dangerous_may_be_said_again() -> None:
    assert changes_of(ACTS["dangerous"], "", OVERLAY, SOURCE | {"permission": "dangerous"}) == {}
