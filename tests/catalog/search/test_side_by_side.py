"""Rankings in lanes: what moved, what is new, what is gone, and which lines join them."""

from catalog.search.choosing import choose
from catalog.search.cutting import cut_at
from catalog.search.explanation import fact
from catalog.search.ranking import Hit, QueryReading, Ranking
from catalog.search.side_by_side import Comparison, Join, compare
from catalog.tools import ToolSpec


def ranking(names: str, limit: int = 3) -> Ranking:
    """Of tools named by one letter each, the first `limit` returned."""
    found = [Hit(rank, ToolSpec(name), fact(1 / rank, "found")) for rank, name in enumerate(names, start=1)]
    hits, cuts = cut_at(limit, found)
    return Ranking("like", QueryReading("x"), hits, cuts, len(found), 10)


def lanes(*names: str) -> Comparison:
    return compare([(choose("like"), ranking(each)) for each in names])


def test_a_hit_tells_how_it_moved_against_the_first_lane() -> None:
    second = lanes("abc", "bca").lanes[1]
    assert [(stand.hit.tool.name, stand.rise) for stand in second.stands] == [("b", 1), ("c", 1), ("a", -2)]


def test_a_hit_that_the_first_lane_does_not_return_is_new() -> None:
    second = lanes("abc", "xab").lanes[1]
    assert [stand.before for stand in second.stands] == [None, 1, 2]


def test_what_is_gone_tells_whether_a_cut_took_it() -> None:
    gone = lanes("abc", "xyzb").lanes[1].gone
    assert [(each.tool.name, each.before, each.cut and each.cut.rank, each.by) for each in gone] == [
        ("a", 1, None, ""),
        ("b", 2, 4, "top-k 3"),
        ("c", 3, None, ""),
    ]


def test_lines_join_neighbours_only() -> None:
    first, second = lanes("abc", "bxy", "cbz").joins
    key = {"b": "tool-1"}
    assert first == [Join(key["b"], 1, 0)]
    assert second == [Join(key["b"], 0, 1)]


def test_the_same_tool_has_the_same_key_in_every_lane() -> None:
    keys = [{stand.hit.tool.name: stand.key for stand in lane.stands} for lane in lanes("abc", "cab").lanes]
    assert keys[0] == keys[1]
    assert len(set(keys[0].values())) == 3


def test_what_all_lanes_have_and_how_often_the_first_is_first() -> None:
    comparison = lanes("abc", "acd", "cax")
    assert comparison.in_all == {"a", "c"}
    assert comparison.returned == set("abcdx")
    assert comparison.firsts == 2


def test_the_first_lane_is_compared_with_none() -> None:
    first, second = lanes("abc", "abc").lanes
    assert first.overlap is None
    assert first.gone == ()
    assert second.overlap is not None
    assert second.overlap.value == 1


def test_a_tool_that_a_query_names_twice_counts_where_it_stands_first() -> None:
    comparison = lanes("aab", "ba")
    assert [stand.before for stand in comparison.lanes[1].stands] == [3, 1]
    assert comparison.joins == [[Join("tool-0", 0, 1), Join("tool-1", 2, 0)]]


def test_lanes_without_hits_agree_on_nothing() -> None:
    comparison = lanes("", "")
    assert comparison.firsts == comparison.height == 0
    assert comparison.lanes[1].overlap is None
