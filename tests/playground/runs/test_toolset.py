"""The toolset of a run: what became of each tool in each turn."""

from dataclasses import replace

from hypothesis import given, settings

from playground.agent.events import (
    CallFinished,
    CallMade,
    Event,
    HitFound,
    OfferMade,
    RunStarted,
    SearchAnswered,
    ToolInView,
    ToolsLoaded,
)
from playground.runs.state import Recorded, state_of
from playground.runs.toolset import Cell, ToolRow, Toolset, toolset_of
from tests.playground.runs.recordings import EVERY_KIND, FILES, SEARCH, recorded, recordings

BEGAN = RunStarted("t", "c", "m", "e", "x", True, 9, 900)


def toolset(*events: Event) -> Toolset:
    return toolset_of(state_of(recorded(events)))


def row(found: Toolset, name: str) -> ToolRow:
    rows = (row for group in (*found.groups, *found.never) for row in group.rows)
    return next(row for row in rows if row.name == name)


def states(found: Toolset, name: str) -> list[str]:
    return [cell.state for cell in row(found, name).cells]


WHOLE = toolset(*EVERY_KIND)


def test_a_tool_is_found_then_loaded_then_called() -> None:
    assert states(WHOLE, "weather__get") == ["hit", "loaded", "failed", "visible"]
    assert row(WHOLE, "weather__get").cells[0] == Cell(1, "hit", seq=7, rank=1, query="weather")
    assert row(WHOLE, "weather__get").cells[2].calls == 2


def test_a_meta_tool_is_called_and_a_tool_is_taken_away() -> None:
    assert states(WHOLE, "search_tools") == ["ok", "visible", "visible", "visible"]
    assert states(WHOLE, "files__list") == ["visible", "visible", "failed", "dropped"]


def test_rows_stand_by_server_those_from_the_start_first() -> None:
    told = [(group.part, group.server, [row.name for row in group.rows]) for group in WHOLE.groups]
    assert told == [
        ("upfront", "", ["search_tools", "add_tool"]),
        ("upfront", "files", ["files__list"]),
        ("found", "weather", ["weather__get"]),
    ]


def test_a_hit_that_never_came_into_view_stands_apart_with_what_cut_it() -> None:
    (group,) = WHOLE.never
    assert [(row.name, row.cells[0].cut_by) for row in group.rows] == [("mail__send", "top-k 1")]


def test_a_hidden_tool_that_is_called_is_told_though_it_was_never_in_view() -> None:
    call = CallMade(1, "x", "mail__send", "{}", False)
    refused = CallFinished(1, "x", "mail__send", "refused", "not in view", 0.0)
    found = toolset(BEGAN, OfferMade(1, (SEARCH,), ("search_tools",), (), 120, True), call, refused)
    assert states(found, "mail__send") == ["failed"]
    assert found.groups[0].server == "" and found.never[0].rows[0].name == "mail__send"


def test_a_search_that_loads_shows_its_rank_beside_the_load() -> None:
    hits = (HitFound(2, "files__list", "files", 1.0),)
    events = (
        BEGAN,
        OfferMade(1, (SEARCH,), ("search_tools",), (), 120, True),
        CallMade(1, "a", "search_tools", "{}", True),
        SearchAnswered(1, "a", "files", "e", hits, 1, 9, True),
        ToolsLoaded(1, "a", ("files__list",)),
        OfferMade(2, (SEARCH, replace(FILES, cause="loaded", call_id="a")), ("files__list",), (), 180, True),
    )
    cell = row(toolset(*events), "files__list").cells[0]
    assert (cell.state, cell.rank) == ("loaded", 2)


def test_a_call_under_way_is_neither_good_nor_bad() -> None:
    assert states(toolset(*EVERY_KIND[:7]), "search_tools") == ["calling"]


def test_a_column_says_what_its_tools_take_and_what_broke() -> None:
    assert [column.tokens for column in WHOLE.columns] == [260, 260, 360, 300]
    assert [column.broke for column in WHOLE.columns if not column.prefix_kept] == ["tools: files__list was taken away"]


def test_of_many_tools_those_are_told_to_which_something_happened() -> None:
    many = tuple(ToolInView(f"big__{number}", "big", "pre-discovered", 10) for number in range(60))
    offer = OfferMade(1, (SEARCH, *many), ("search_tools", *(tool.name for tool in many)), (), 720, True)
    whole = toolset(BEGAN, offer, CallMade(1, "x", "big__7", "{}", False))
    short = whole.shortened(50)
    assert (short.size, short.untold) == (61, 60)
    assert [row.name for group in short.groups for row in group.rows] == ["big__7"]
    assert whole.shortened(61) is whole


@settings(deadline=None, max_examples=20)
@given(recordings())
def test_every_row_has_a_cell_for_every_model_call(events: list[Recorded]) -> None:
    found = toolset_of(state_of(events))
    offers = sum(isinstance(recorded.event, OfferMade) for recorded in events)
    rows = [row for group in (*found.groups, *found.never) for row in group.rows]
    assert len(found.columns) == offers
    assert all(len(row.cells) == offers for row in rows)
    assert len({row.name for row in rows}) == len(rows)
