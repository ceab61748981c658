"""Rows that are read again after an edit make what all rows read anew make."""

from collections.abc import Callable
from datetime import timedelta
from unittest.mock import patch

import pytest
from django.utils import timezone

from catalog import exposing
from catalog.exposing import CatalogRows, read_rows, seen_of
from catalog.models import Catalog, Server, Tool
from catalog.shaping import exclude, include, place_server, show_upfront


def reword(tool: Tool) -> None:
    tool.own_description = "Something else"


def make_human(tool: Tool) -> None:
    tool.special_category = "human"


def hide_from_searches(tool: Tool) -> None:
    tool.searchable = False


def switch_off(tool: Tool) -> None:
    tool.enabled = False


def lose(tool: Tool) -> None:
    tool.gone_at = timezone.now()


def rename(tool: Tool) -> None:
    tool.name = "aaa"


def anew(catalog: Catalog) -> CatalogRows:
    return read_rows(catalog, seen_of(catalog))


def after(catalog: Catalog, before: CatalogRows) -> CatalogRows:
    return read_rows(catalog, seen_of(catalog), before)


@pytest.mark.parametrize("edit", [reword, make_human, hide_from_searches, switch_off, lose, rename])
@pytest.mark.parametrize("name", ["getWeather", "notify_user", "list-invoices"])
def test_an_edited_tool_is_followed(team: Catalog, edit: Callable[[Tool], None], name: str) -> None:
    exclude(team, Tool.objects.get(name="list-invoices"))
    before = anew(team)
    tool = Tool.objects.get(name=name)
    edit(tool)
    tool.save()
    assert after(team, before) == anew(team) != before


def test_an_edit_of_texts_reads_few_rows_and_exposes_nothing_anew(team: Catalog) -> None:
    Tool.objects.update(updated_at=timezone.now() - timedelta(hours=1))
    before = anew(team)
    tool = Tool.objects.get(name="getWeather")
    reword(tool)
    tool.save()
    with (
        patch.object(exposing, "expose", side_effect=AssertionError("exposed anew")),
        patch.object(exposing, "candidate", wraps=exposing.candidate) as read,
    ):
        assert after(team, before).exposure.pool.by_name["team__getWeather"].description == "Something else"
    assert read.call_count == 1


def test_an_edit_that_only_looks_the_same_is_followed(team: Catalog) -> None:
    """1 and true are equal to Python, and no model reads one for the other."""
    tool, before = Tool.objects.get(name="getWeather"), anew(team)
    for default in (1, True):
        tool.parameters = {"type": "object", "properties": {"days": {"default": default}}}
        tool.save()
        before = after(team, before)
        followed = before.exposure.pool.by_name["team__getWeather"].parameters
        assert str(followed["properties"]["days"]["default"]) == str(default)


def test_an_edit_that_was_committed_late_is_seen_with_the_next(team: Catalog) -> None:
    before = anew(team)
    late = Tool.objects.filter(name="notify_user")
    late.update(own_description="Late", updated_at=timezone.now() - timedelta(seconds=10))
    Tool.objects.filter(name="getWeather").update(updated_at=timezone.now())
    assert after(team, before).exposure.pool.by_name["team__notify_user"].description == "Late"


def test_a_tool_in_the_place_of_another_is_seen(team: Catalog) -> None:
    before = anew(team)
    Tool.objects.get(name="getWeather").delete()
    Tool.objects.create(server=Server.objects.get(), name="getClimate", upstream_hash="", last_seen_at=timezone.now())
    assert "team__getClimate" in after(team, before).exposure.pool.by_name


def test_what_a_person_shapes_is_followed_too(team: Catalog) -> None:
    rows = anew(team)
    exclude(team, Tool.objects.get(name="getWeather"))
    assert (rows := after(team, rows)) == anew(team)
    show_upfront(team, Tool.objects.get(name="list-invoices"))
    assert (rows := after(team, rows)) == anew(team)
    include(team, Tool.objects.get(name="getWeather"))
    assert (rows := after(team, rows)) == anew(team)
    place_server(team, Server.objects.get(), "patterns", ["notify_*"])
    assert after(team, rows) == anew(team)


def test_what_a_person_shapes_reads_no_tool_anew(team: Catalog) -> None:
    Tool.objects.update(updated_at=timezone.now() - timedelta(hours=1))
    before = anew(team)
    exclude(team, Tool.objects.get(name="getWeather"))
    show_upfront(team, Tool.objects.get(name="list-invoices"))
    with patch.object(exposing, "candidate", side_effect=AssertionError("read anew")):
        rows = after(team, before)
    assert rows == anew(team)


def test_more_servers_than_a_query_takes_can_be_read(team: Catalog) -> None:
    Server.objects.bulk_create(Server(slug=f"s{number}", title="S", kind=Server.Kind.FILE) for number in range(1_100))
    now = timezone.now()
    others = Server.objects.filter(slug__startswith="s")
    Tool.objects.bulk_create(Tool(server=server, name="x", upstream_hash="", last_seen_at=now) for server in others)
    for server in others:
        team.servers.create(server=server)
    assert len(anew(team).exposure.pool) == 1_105
