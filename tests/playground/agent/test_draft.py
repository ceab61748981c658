"""How pieces of a stream become calls."""

import pytest

from playground.agent.chat_model import CallPiece, ModelFailed, TextPiece
from playground.agent.draft import Draft
from playground.transcript import ProviderSearch


def calls(*pieces: CallPiece, taken: tuple[str, ...] = ()) -> list[tuple[str, str, str]]:
    draft = Draft(1_000)
    for piece in pieces:
        draft.add(piece)
    return [(call.id, call.name, call.arguments) for call in draft.to_message(2, taken).calls]


def test_arguments_are_joined_by_index() -> None:
    pieces = (
        CallPiece(0, "a", "f", "{"),
        CallPiece(1, "b", "g", "{"),
        CallPiece(1, arguments="}"),
        CallPiece(0, arguments="}"),
    )
    assert calls(*pieces) == [("a", "f", "{}"), ("b", "g", "{}")]


def test_two_ids_at_one_index_are_two_calls() -> None:
    assert calls(CallPiece(0, "a", "f", "{}"), CallPiece(0, "b", "g", "{}")) == [("a", "f", "{}"), ("b", "g", "{}")]


def test_a_search_of_the_provider_is_kept_with_an_id_of_its_own() -> None:
    draft = Draft(1_000)
    for query in ("weather", "mail"):
        draft.add(ProviderSearch("s-1", query, (query,)))
    assert draft.has_begun
    assert draft.to_message(2, ("x",)).searches == (
        ProviderSearch("s-1", "weather", ("weather",)),
        ProviderSearch("search_2_2", "mail", ("mail",)),
    )


def test_two_names_at_one_index_are_two_calls() -> None:
    assert calls(CallPiece(0, "", "f", "{}"), CallPiece(0, "", "g", "{}")) == [
        ("call_2_1", "f", "{}"),
        ("call_2_2", "g", "{}"),
    ]


def test_an_id_and_a_name_that_are_repeated_begin_no_call() -> None:
    assert calls(CallPiece(0, "a", "f", "{"), CallPiece(0, "a", "f", "}")) == [("a", "f", "{}")]


def test_an_id_that_comes_late_is_taken() -> None:
    assert calls(CallPiece(0, "", "f"), CallPiece(0, "a", "", "{}")) == [("a", "f", "{}")]


@pytest.mark.parametrize("taken", [("a",), ("a", "call_2_1")])
def test_an_id_that_is_taken_is_replaced(taken: tuple[str, ...]) -> None:
    (call,) = calls(CallPiece(0, "a", "f", "{}"), taken=taken)
    assert call[0] not in taken and call[0].startswith("call_2_1")


def test_a_call_without_name_has_one_that_is_no_tool() -> None:
    assert calls(CallPiece(0, "a", "", "{}")) == [("a", "unnamed", "{}")]


def test_empty_pieces_count_too() -> None:
    draft = Draft(3)
    with pytest.raises(ModelFailed, match="longer than 3"):
        for index in range(4):
            draft.add(CallPiece(index))


def test_what_has_begun() -> None:
    draft = Draft(10)
    assert not draft.has_begun
    draft.add(TextPiece("H"))
    assert draft.has_begun
