"""Which tools are mistaken for which, by what recorded searches and judgements show."""

from collections.abc import Sequence

import pytest

from playground.reviewing.confusion import LEVELS, MOST_IN_MATRIX, Pair, matrix_of, pairs_of
from playground.reviewing.matrix_drawing import HEAD, SIZE, drawn
from playground.reviewing.mistaken import ABOVE, CALLED, JUDGED, LOADED, TRIED, Evidence, Verdicts, all_evidence
from playground.reviewing.trails import Trail
from playground.reviewing.wording import query_digest
from tests.playground.reviewing.told import Told, trail

PRICES = dict.fromkeys("abcdef", 10)


def found(told: Told, words: Verdicts | None = None) -> list[tuple[str, str, str]]:
    """Kind, the right tool and the mistaken one."""
    judged = {query_digest("words"): words} if words else {}
    pieces = all_evidence([("run", trail(told.end()))], judged)
    return [(one.kind.slug, one.right.removeprefix("team/"), one.mistaken.removeprefix("team/")) for one in pieces]


def verdicts(right: str = "", fine: str = "", wrong: str = "") -> Verdicts:
    said = [frozenset(f"team/{name}" for name in names) for names in (right, fine, wrong)]
    return Verdicts("words", said[0], said[1], said[2])


def searched(*returned: str, loads: bool = True) -> Told:
    told = Told(PRICES)
    told.search("words", *returned, loads=loads)
    return told


def test_tools_above_the_one_that_was_called_are_mistaken_for_it_and_those_below_are_not() -> None:
    told = searched("a", "b", "c")
    told.call("b")
    assert found(told) == [("above", "b", "a")]


def test_tools_that_were_called_together_are_both_right() -> None:
    told = searched("a", "b", "c")
    told.call("c")
    told.call("a")
    assert found(told) == [("above", "c", "b")]


def test_one_that_failed_before_the_right_one_was_called_counts_as_tried_and_not_as_above_as_well() -> None:
    told = searched("a", "b")
    told.call("a", outcome="failed")
    told.call("b")
    assert found(told) == [("tried", "b", "a")]


def test_one_that_failed_after_the_right_one_only_stood_where_it_stood() -> None:
    told = searched("b", "a")
    told.call("b")
    told.call("a", outcome="failed")
    assert found(told) == []


def test_one_that_was_loaded_by_itself_and_never_called_was_loaded_in_vain() -> None:
    told = searched("b", "a", "c", loads=False)
    told.load("a", "b")
    told.call("b")
    assert found(told) == [("loaded", "b", "a")]


def test_what_a_search_loads_by_itself_nobody_chose() -> None:
    told = searched("b", "a")
    told.call("b")
    assert found(told) == []


def test_a_call_belongs_to_the_last_search_that_returned_the_tool() -> None:
    told = searched("a", "b")
    told.search("others", "c", "b")
    told.call("b")
    assert found(told) == [("above", "b", "c")]


def test_one_that_was_called_where_people_judged_another_right_was_called_instead() -> None:
    told = searched("b", "a")
    told.call("a")
    assert ("called", "b", "a") in found(told, words=verdicts(right="b"))


@pytest.mark.parametrize("said", [verdicts(right="a"), verdicts(right="b", fine="a"), verdicts(wrong="b")])
def test_one_that_answers_too_was_not_called_instead(said: Verdicts) -> None:
    told = searched("b", "a")
    told.call("a")
    assert all(kind != CALLED.slug for kind, *_ in found(told, words=said))


@pytest.mark.parametrize("said", [verdicts(right="c"), verdicts(wrong="b")])
def test_what_people_judged_counts_before_what_was_called(said: Verdicts) -> None:
    told = searched("a", "b", "c")
    told.call("b")
    assert found(told) == [("above", "b", "a")]
    assert ("above", "b", "a") not in found(told, words=said)


def test_one_that_people_judged_fine_is_mistaken_for_nothing() -> None:
    told = searched("a", "b")
    told.call("b")
    assert found(told, words=verdicts(right="b", fine="a")) == []


def test_people_say_which_is_mistaken_for_which_without_any_run() -> None:
    pieces = [*all_evidence(list[tuple[str, Trail]](), {query_digest("words"): verdicts(right="a", wrong="bc")})]
    assert [(one.kind, one.right, one.mistaken, one.run) for one in pieces] == [
        (JUDGED, "team/a", "team/b", None),
        (JUDGED, "team/a", "team/c", None),
    ]


def test_a_piece_of_evidence_leads_to_its_search_and_says_where_both_stood() -> None:
    told = searched("a", "b")
    told.call("b")
    (one,) = all_evidence([("run", trail(told.end()))], {})
    assert (one.run, one.query, one.rank_right, one.rank_mistaken) == ("run", "words", 2, 1)
    assert trail(told.events).searches[0].seq == one.seq


def test_pairs_stand_in_order_of_their_weight_which_is_the_sum_of_their_evidence() -> None:
    kinds = {("a", "b"): (ABOVE, ABOVE), ("c", "d"): (TRIED,), ("e", "f"): (LOADED, ABOVE, JUDGED)}
    pieces = [
        Evidence(kind, right, mistaken, "words", run=place)
        for (right, mistaken), of in kinds.items()
        for place, kind in enumerate(of)
    ]
    pairs = pairs_of(pieces, [])
    assert [(pair.right, pair.weight) for pair in pairs] == [("e", 6), ("c", 3), ("a", 2)]
    assert pairs[0].counts == ((JUDGED, 1), (LOADED, 1), (ABOVE, 1))
    assert pairs[2].runs == 2


def test_a_pair_says_how_many_searches_returned_both() -> None:
    told = searched("a", "b")
    told.call("b")
    told.search("other", "b", "c", "a")
    told.search("third", "a")
    read = trail(told.end())
    (pair,) = [one for one in pairs_of(all_evidence([("run", read)], {}), [read]) if one.mistaken == "team/a"]
    assert pair.together == 2


def pair(right: str, mistaken: str, weight: int) -> Pair[str]:
    return Pair(right, mistaken, (Evidence(ABOVE, right, mistaken, "words"),) * weight)


def test_the_matrix_has_the_heaviest_pairs_and_says_how_many_it_leaves_out() -> None:
    pairs = [pair(f"s/right{number}", f"s/wrong{number}", 50 - number) for number in range(MOST_IN_MATRIX + 5)]
    matrix = matrix_of(pairs)
    assert len(matrix.rows) == len(matrix.columns) == MOST_IN_MATRIX
    assert [cell.pair for cell in matrix.cells] == pairs[:MOST_IN_MATRIX]
    assert matrix.others == 5


def shades(weights: Sequence[int]) -> list[int]:
    pairs = [pair("s/right", f"s/wrong{number}", weight) for number, weight in enumerate(weights)]
    return [cell.level for cell in matrix_of(pairs).cells]


def test_the_heaviest_cell_is_darkest_and_the_lightest_can_be_seen() -> None:
    assert shades([40, 20, 1]) == [LEVELS, 2, 1]


def test_every_cell_lies_where_its_row_and_column_meet() -> None:
    picture = drawn(matrix_of([pair("s/a", "s/b", 3), pair("s/c", "s/" + "long" * 20, 1)]))
    for cell, x, y in picture.cells:
        row, column = picture.rows[cell.row], picture.columns[cell.column]
        assert (row.tool, column.tool) == (cell.pair.right, cell.pair.mistaken)
        assert (x + SIZE // 2, y + SIZE // 2) == (column.at, row.at)
    assert picture.columns[1].name.endswith("…")
    assert picture.right - picture.left == picture.bottom - HEAD == 2 * SIZE
