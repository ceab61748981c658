"""What a version holds: definitions as text and back, and one hash for what offers an agent the same."""

import pytest

from catalog.publishing.content import Content, definition_of, hash_of, tool_of
from catalog.publishing.keeping import _packed
from catalog.publishing.kept import _unpacked
from catalog.tools import ToolSpec

FULL = ToolSpec(
    name="team__notify",
    description="Tell a person.\u200b",
    parameters={"type": "object", "properties": {"z": {"type": "string"}, "a": {"enum": ["\ud800", 1]}}},
    server="team",
    upstream_name="notify",
    title="Notify",
    server_text="Team",
    category="chat",
    tags=("a", "b"),
    aliases=("ping",),
    search_text="报销",
    other_languages="Sag es",
    permission="write",
    capability="agent",
    searchable=False,
    platforms=("darwin", "linux"),
)


@pytest.mark.parametrize("tool", [FULL, ToolSpec("plain")])
def test_a_definition_read_back_is_the_tool(tool: ToolSpec) -> None:
    assert tool_of(definition_of(tool), {"team": "Team"}) == tool


def test_the_order_of_parameters_is_kept_as_models_read_them_in_order() -> None:
    back = tool_of(definition_of(FULL), {})
    assert list(back.parameters["properties"]) == ["z", "a"]


def test_what_a_server_says_of_itself_is_held_once_and_not_with_each_tool() -> None:
    assert "Team" not in definition_of(FULL)


@pytest.mark.parametrize(
    "other",
    [
        Content({"mode": "x"}, ("a", "b"), ("n",)),
        Content({}, ("b", "a"), ("n",)),
        Content({}, ("a", "b"), ()),
        Content({}, ("a", "b", "n"), ()),
    ],
)
def test_contents_that_differ_have_different_hashes(other: Content) -> None:
    assert other.hash != Content({}, ("a", "b"), ("n",)).hash


def test_settings_in_another_order_are_the_same_settings() -> None:
    assert Content({"a": 1, "b": 2}, (), ()).hash == Content({"b": 2, "a": 1}, (), ()).hash


def test_hashes_are_of_the_exact_text() -> None:
    assert hash_of("a") != hash_of("a ")


@pytest.mark.parametrize("numbers", [[], [7], [3, 1, 2], list(range(5_000, 9_000))])
def test_lists_of_definitions_are_packed_small_and_unpacked(numbers: list[int]) -> None:
    packed = _packed(numbers)
    assert _unpacked(packed) == numbers
    assert len(packed) < 100
