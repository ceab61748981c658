"""From rows to engines: any edit, wherever it was made, is seen by the next search."""

from collections.abc import Callable
from threading import Event
from time import sleep
from typing import Any
from unittest.mock import patch

import pytest
from django.utils import timezone

from catalog import generations, indexing
from catalog.cloning import clone
from catalog.editing import save_overlay
from catalog.index_folders import STAMP, indexed_catalogs
from catalog.indexing import corpus_of, exposure_of, forget, indexed, ranking_of, revision_of
from catalog.letting_go import let_go_of_deleted
from catalog.linting import looked_at
from catalog.models import Catalog, Server, Tool
from catalog.search.building import build
from catalog.search.choosing import choose
from catalog.search.index import update_index
from catalog.shaping import exclude, include, move, place_server, show_upfront, withdraw


def found(catalog: Catalog, query: str) -> list[str]:
    return [hit.tool.upstream_name for hit in ranking_of(catalog, choose("bm25f"), query, 10).hits]


def test_a_search_sees_an_edit_at_once(team: Catalog) -> None:
    assert found(team, "bulletin") == []
    tool = Tool.objects.get(name="notify_channel")
    tool.search_text = "bulletin"
    save_overlay(tool, by=None)
    assert found(team, "bulletin") == ["notify_channel"]


def switch_server_off(catalog: Catalog) -> None:
    server = Server.objects.get()
    server.enabled = False
    server.save()


def choose_by_pattern(catalog: Catalog) -> None:
    place_server(catalog, Server.objects.get(), "patterns", ["notify_*"])


def exclude_one(catalog: Catalog) -> None:
    exclude(catalog, Tool.objects.get(name="notify_channel"))


def show_another(catalog: Catalog) -> None:
    show_upfront(catalog, Tool.objects.get(name="getWeather"))


def delete_one(catalog: Catalog) -> None:
    Tool.objects.get(name="getWeather").delete()


@pytest.mark.parametrize("edit", [switch_server_off, choose_by_pattern, exclude_one, show_another, delete_one])
def test_whatever_changes_the_offer_changes_the_revision(team: Catalog, edit: Callable[[Catalog], None]) -> None:
    before = revision_of(team)
    edit(team)
    assert revision_of(team) != before


def test_looking_changes_no_revision(team: Catalog) -> None:
    before = revision_of(team)
    found(team, "notify")
    assert revision_of(team) == before


def test_a_small_edit_updates_the_index_and_a_new_process_builds_none(sample: Catalog) -> None:
    assert "get_forecast" in found(sample, "forecast")
    with patch.object(indexing, "build", side_effect=AssertionError("a rebuild")):
        Tool.objects.filter(name="get_forecast").update(search_text="umbrella", updated_at=timezone.now())
        assert "get_forecast" in found(sample, "umbrella")
        generations._generations.clear()
        indexing._indexed.clear()
        assert "get_forecast" in found(sample, "umbrella")


def test_an_index_that_was_being_changed_when_the_process_died_is_built_anew(team: Catalog) -> None:
    (corpus_of(team).index / STAMP).unlink()
    generations._generations.clear()
    assert found(team, "weather") == ["getWeather"]


def test_tools_come_in_the_order_of_the_servers(team: Catalog) -> None:
    other = Server.objects.create(slug="aaa", title="Aaa", kind=Server.Kind.FILE)
    Tool.objects.create(server=other, name="x", upstream_hash="", last_seen_at=other.created_at)
    place_server(team, other, "everything")
    assert [tool.server for tool in exposure_of(team).pool.tools] == ["team"] * 5 + ["aaa"]


def test_a_server_in_two_catalogs_is_listed_once_in_each(team: Catalog) -> None:
    second = Catalog.objects.create(slug="second", title="Second")
    place_server(second, Server.objects.get(), "everything")
    assert len(exposure_of(team).pool) == len(exposure_of(second).pool) == 5


def test_a_pre_discovered_tool_moves_within_its_list(team: Catalog) -> None:
    for name in ("getWeather", "list-invoices"):
        show_upfront(team, Tool.objects.get(name=name))
    move(team, Tool.objects.get(name="list-invoices"), -1)
    assert [row.tool.name for row in team.pre_discovered.all()] == ["notify_user", "list-invoices", "getWeather"]
    move(team, Tool.objects.get(name="notify_user"), -1)
    withdraw(team, Tool.objects.get(name="list-invoices"))
    assert [row.tool.name for row in team.pre_discovered.all()] == ["notify_user", "getWeather"]


def test_an_excluded_tool_is_let_in_again(team: Catalog) -> None:
    tool = Tool.objects.get(name="getWeather")
    exclude(team, tool)
    assert [out.rule for out in exposure_of(team).left_out] == ["excluded"]
    include(team, tool)
    assert exposure_of(team).left_out == ()


def test_a_damaged_index_is_built_anew(team: Catalog) -> None:
    for path in corpus_of(team).index.rglob("*"):
        if path.is_file() and path.name != STAMP:
            path.write_bytes(b"")
    generations._generations.clear()
    hits = ranking_of(team, choose("bm25f"), "weather", 5).hits
    assert [hit.tool.upstream_name for hit in hits] == ["getWeather"]


@pytest.mark.django_db(transaction=True)
def test_a_search_waits_for_what_an_edit_changes_and_not_for_a_new_index(
    team: Catalog, monkeypatch: pytest.MonkeyPatch
) -> None:
    may_go_on = Event()

    def build_late(*built: Any) -> None:
        may_go_on.wait(10)
        build(*built)

    def update_late(*updated: Any) -> None:
        sleep(0.2)
        update_index(*updated)

    monkeypatch.setattr(indexing, "APART_FROM", 1)
    monkeypatch.setattr(indexing, "build", build_late)
    monkeypatch.setattr(indexing, "update_index", update_late)
    forget(team)
    assert indexed(team) == 0
    may_go_on.set()
    while indexed(team) is not None:
        sleep(0.01)
    tool = Tool.objects.get(name="notify_channel")
    tool.search_text = "bulletin"
    save_overlay(tool, by=None)
    assert indexed(team) is None
    assert found(team, "bulletin") == ["notify_channel"]


def test_catalogs_share_each_tool_while_one_of_them_has_it(team: Catalog) -> None:
    copy = clone(team)
    ours, theirs = exposure_of(team).pool, exposure_of(copy).pool
    assert [one is other for one, other in zip(ours, theirs, strict=True)] == [True] * len(ours)
    assert {id(tool) for tool in looked_at().values()} >= {id(tool) for tool in ours}


def test_tools_are_held_once_though_their_server_was_edited(team: Catalog) -> None:
    held = {tool.key: tool for tool in exposure_of(team).pool}
    server = Server.objects.get()
    server.sync_every = 60
    server.save()
    assert all(held[tool.key] is tool for tool in exposure_of(team).pool)
    server.title = "The whole team"
    server.save()
    assert all("The whole team" in tool.server_text for tool in exposure_of(team).pool)


def test_an_edit_that_only_looks_the_same_is_told(team: Catalog) -> None:
    """1 and true are equal to Python, and no model reads one for the other."""
    before = looked_at()
    tool = Tool.objects.get(name="getWeather")
    for default in (1, True):
        tool.parameters = {"type": "object", "properties": {"days": {"default": default}}}
        tool.save()
        assert str(looked_at()[tool.pk].parameters["properties"]["days"]["default"]) == str(default)
    assert "days" not in str(before[tool.pk].parameters)


def test_nothing_of_a_deleted_catalog_stays(team: Catalog, sample: Catalog) -> None:
    for catalog in (team, sample):
        found(catalog, "weather")
    key = team.pk
    team.delete()
    let_go_of_deleted()
    assert key not in generations._generations and key not in indexing._indexed
    assert sample.pk in generations._generations and sample.pk in indexing._indexed
    assert indexed_catalogs() == {sample.pk}
