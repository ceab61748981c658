"""Tools: the filtered list, one tool as a model reads it, and its edits."""

from django.test import Client

from catalog.editing import save_overlay
from catalog.models import Catalog, Tool
from catalog.shaping import exclude
from tests.catalog.pages import text_of


def test_tools_are_filtered_by_words_server_and_state(viewer: Client, team: Catalog) -> None:
    everything = text_of(viewer, "/tools/")
    assert "notify_user" in everything
    assert "list-invoices" in everything
    found = text_of(viewer, "/tools/?q=发票", **{"HX-Request": "true", "HX-Target": "results"})
    assert "list-invoices" in found
    assert "notify_user" not in found
    assert "<html" not in found
    assert "No tool matches" in text_of(viewer, "/tools/?state=edited")
    assert "There is no server of this name." in text_of(viewer, "/tools/?server=nowhere")
    assert "sideways is not one of the available choices" in text_of(viewer, "/tools/?sort=sideways")


def test_htmx_gets_the_whole_page_where_it_restores_one(viewer: Client, team: Catalog) -> None:
    restored = viewer.get("/tools/", headers={"HX-Request": "true", "HX-History-Restore-Request": "true"})
    assert b"<html" in restored.content
    assert "HX-Target" in restored.headers["Vary"]


def test_a_tool_shows_what_a_model_reads_and_where_it_stands(viewer: Client, team: Catalog) -> None:
    page = text_of(viewer, "/tools/team/notify_user/")
    assert "Send a direct message to one person." in page
    assert "team__notify_user" in page
    assert "from the start" in page
    assert "first read" in page
    assert "/edit/" not in page
    exclude(team, Tool.objects.get(name="getWeather"))
    assert "left out: the catalog excludes it by name" in text_of(viewer, "/tools/team/getWeather/")


def test_parameters_are_a_table_with_the_nested_ones_by_their_path(viewer: Client, team: Catalog) -> None:
    line = {"type": "object", "properties": {"sku": {"type": "string"}}, "required": ["sku"]}
    schema = {"type": "object", "properties": {"lines": {"type": "array", "items": line, "maxItems": 9}}}
    Tool.objects.filter(name="getWeather").update(parameters=schema)
    page = text_of(viewer, "/tools/team/getWeather/")
    assert '<span class="prefix">lines[].</span>sku' in page
    assert "list of object" in page
    assert "at most 9 of them" in page


def test_an_edit_stands_beside_the_source_and_in_the_history(curator: Client, team: Catalog) -> None:
    filled = {"own_description": "Write to one person.", "searchable": "on", "enabled": "on", "own_tags": "mail"}
    page = curator.post("/tools/team/notify_user/edit/", filled, follow=True).content.decode()
    assert "What was edited" in page
    assert "Send a direct message to one person." in page
    assert "Write to one person." in page
    assert "description, tags" in page
    form = text_of(curator, "/tools/team/notify_user/edit/")
    assert "The source says:</b> Send a direct message to one person." in form


def test_an_edit_without_a_change_of_words_keeps_the_source(curator: Client, team: Catalog) -> None:
    curator.post("/tools/team/notify_user/edit/", {"own_description": "", "searchable": "on", "enabled": "on"})
    assert not Tool.objects.get(name="notify_user").is_edited
    assert "the source’s own words" in text_of(curator, "/tools/team/notify_user/")


def test_versions_that_cannot_be_compared_say_so_and_those_offered_can(viewer: Client, team: Catalog) -> None:
    tool = Tool.objects.get(name="notify_user")
    for words in ("tell", "tell write"):
        tool.search_text = words
        save_overlay(tool, by=None)
    later, earlier, source = tool.versions.values_list("pk", flat=True)
    page = text_of(viewer, "/tools/team/notify_user/")
    assert f'value="{later}" selected' in page and f'value="{earlier}" selected' in page
    assert "Choose two of a kind" not in page
    page = text_of(viewer, f"/tools/team/notify_user/?since={source}&until={later}")
    assert "Choose two of a kind" in page and "From one version to another" not in page
    page = text_of(viewer, f"/tools/team/notify_user/?since={earlier}&until={later}")
    assert "From one version to another" in page
