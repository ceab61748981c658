"""Findings as rows: when rules are asked, what stays set aside, what goes."""

import json
from collections.abc import Callable

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command

from catalog import background, lint
from catalog.editing import save_overlay
from catalog.importing import import_listing
from catalog.keeping_findings import reopen, set_aside
from catalog.leftovers import PROCESS_ENDED
from catalog.linting import carry_out, looked_at, sources
from catalog.models import Catalog, Finding, Look, Server, Tool
from catalog.progress import Progress, progress_of
from catalog.roles import Role
from catalog.shaping import place_server
from catalog.sources.listing import read_listing

WEATHER = {"name": "weather_in_city", "description": "Current weather in a city."}


@pytest.fixture
def twin(team: Catalog) -> Server:
    """A server with a tool that reads like the team's `getWeather`, and one without a description."""
    Tool.objects.filter(name="getWeather").update(description="The weather that a city has right now, in Celsius.")
    server = Server.objects.create(slug="twin", title="Twin", kind=Server.Kind.FILE)
    same = {"name": "getWeather", "description": "The weather that a city has right now, in Celsius."}
    import_listing(server, read_listing([same, {"name": "mute"}]))
    return server


def told(*rules: str) -> set[tuple[str, str]]:
    """Rule and tool of the findings, of these rules where some are named."""
    found = Finding.objects.filter(rule__in=rules or lint.RULES)
    return {(row.rule, str(row.tool)) for row in found.select_related("tool__server")}


def look(**place: Server | Catalog) -> Look:
    done = Look.objects.create(**place)
    carry_out(done)
    return done


def test_an_import_asks_the_rules_that_need_only_the_tool(twin: Server) -> None:
    assert told() == {("no-description", "twin/mute")}


def test_an_edit_asks_them_again(twin: Server) -> None:
    tool = Tool.objects.get(name="mute")
    tool.own_description = "Silences a channel for an hour."
    save_overlay(tool, None)
    assert told() == set()


def test_a_look_under_way_says_how_many_rules_have_been_asked(twin: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    row, heard = Look.objects.create(), list[Progress | None]()
    monkeypatch.setattr(background, "go_on", lambda: heard.append(progress_of(row)))
    carry_out(row)
    assert [one and (one.done, one.total) for one in heard] == [
        (done, len(lint.RULES)) for done in range(len(lint.RULES))
    ]
    assert progress_of(row) is None


def test_a_look_that_its_process_leaves_says_so(twin: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    def stopping() -> None:
        raise background.StoppedError

    monkeypatch.setattr(background, "go_on", stopping)
    row = Look.objects.create()
    with pytest.raises(background.StoppedError):
        carry_out(row)
    row.refresh_from_db()
    assert row.problem == PROCESS_ENDED
    assert row.ended_at is not None


def test_a_look_asks_every_rule_and_tells_how_many_tools(twin: Server) -> None:
    done = look()
    assert ("near-duplicate", "team/getWeather") in told()
    assert (done.tools, done.problem) == (7, "")
    assert done.ended_at is not None


def test_a_second_look_changes_nothing(twin: Server) -> None:
    look()
    before = list(Finding.objects.order_by("pk").values())
    look()
    assert list(Finding.objects.order_by("pk").values()) == before != []


def test_of_a_pair_that_was_edited_it_is_told_until_the_next_look(twin: Server) -> None:
    look()
    tool = Tool.objects.get(server=twin, name="getWeather")
    tool.own_description = "Ski slopes, their snow and their lifts."
    save_overlay(tool, None)
    assert Finding.objects.get(rule="near-duplicate").outdated
    look(server=twin)
    assert told("near-duplicate") == set()


@pytest.mark.parametrize("place", ["server", "other server", "catalog"])
def test_a_look_at_a_part_compares_with_everything_and_leaves_the_rest(twin: Server, place: str) -> None:
    Finding.objects.all().delete()
    match place:
        case "server":
            look(server=twin)
            assert told() == {("no-description", "twin/mute"), ("near-duplicate", "team/getWeather")}
        case "other server":
            look(server=Server.objects.get(slug="team"))
            assert told() == {("near-duplicate", "team/getWeather")}
        case _:
            look(catalog=Catalog.objects.get())
            assert told() == {("near-duplicate", "team/getWeather")}


def test_what_is_set_aside_stays_so_until_its_texts_change(twin: Server, person: Callable[[Role], User]) -> None:
    set_aside(Finding.objects.get(), person(Role.CURATOR), "It goes next week.")
    look()
    row = Finding.objects.get(rule="no-description")
    assert (row.state, row.reason) == ("aside", "It goes next week.")
    Tool.objects.filter(name="mute").update(description=" ")
    look()
    row.refresh_from_db()
    assert (row.state, row.reason, row.by, row.set_aside_at) == ("open", "", None, None)


def test_what_was_set_aside_can_be_opened_again(twin: Server, person: Callable[[Role], User]) -> None:
    row = Finding.objects.get()
    set_aside(row, person(Role.CURATOR), "No.")
    reopen(row)
    row.refresh_from_db()
    assert row.is_open and row.by is None


def test_tools_that_are_gone_or_off_are_not_looked_at(twin: Server) -> None:
    import_listing(twin, read_listing([{"name": "getWeather", "description": "x"}]))
    assert "mute" not in {tool.upstream_name for tool in looked_at().values()}
    assert told() == set()
    Server.objects.filter(slug="team").update(enabled=False)
    assert {tool.key for tool in looked_at().values()} == {"twin/getWeather"}


def test_a_name_that_a_catalog_offers_once_is_found(twin: Server) -> None:
    Server.objects.all().update(name_rule=Server.NameRule.AS_IS)
    place_server(Catalog.objects.get(), twin, "everything")
    look()
    row = Finding.objects.get(rule="name-taken")
    assert (str(row.tool), str(row.other), row.facts[1]) == (
        "twin/getWeather",
        "team/getWeather",
        ["left out of", "team-agent"],
    )


def test_a_look_that_fails_says_so(twin: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources, "heard", lambda: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        look()
    assert Look.objects.get().problem == "It failed; the log says why."


def test_the_command_prints_what_is_open_and_fails(twin: Server, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        call_command("lint", "--json")
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert ended.value.code == 1
    assert {(row["rule"], row["tool"], row["other"]) for row in rows} == {
        ("no-description", "twin/mute", None),
        ("near-duplicate", "team/getWeather", "twin/getWeather"),
    }


def test_the_command_passes_where_nothing_is_open(twin: Server, person: Callable[[Role], User]) -> None:
    look()
    curator = person(Role.CURATOR)
    for row in Finding.objects.all():
        set_aside(row, curator, "Known.")
    call_command("lint")
    assert Look.objects.count() == 2


def test_the_command_writes_one_line_a_finding(twin: Server, capsys: pytest.CaptureFixture[str]) -> None:
    Tool.objects.filter(name="getWeather").update(
        description="Weather\n\x1b[31m now in the city\u202e, in Celsius, to the hour."
    )
    with pytest.raises(SystemExit):
        call_command("lint", server="twin")
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 2
    assert not any(char in line for line in lines for char in "\x1b\u202e")


def test_the_command_knows_its_servers(db: None) -> None:
    with pytest.raises(CommandError, match="no server named nowhere"):
        call_command("lint", server="nowhere")
