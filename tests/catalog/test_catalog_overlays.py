"""What people say over a catalog's tools, in its YAML: the same comes back, each change is shown first, and all can be undone."""

import re
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.test import Client

from catalog.auditing.recording import Act
from catalog.bulk_applying import undo_edit
from catalog.catalog_yaml.applying import Applied, ChangedError, apply_yaml, plan_yaml
from catalog.catalog_yaml.documents import document_of
from catalog.catalog_yaml.overlays import overlays_of
from catalog.catalog_yaml.reading import MistakesError
from catalog.catalog_yaml.writing import text_of
from catalog.editing import save_overlay
from catalog.models import AuditEntry, BulkEdit, Catalog, Tool, ToolVersion
from catalog.shaping import place_server
from playground.bringing_catalogs import misfit_of_mode
from tests.catalog.pages import text_of as page_of

SMALL = (
    "format: pegboard-catalog-1\nslug: team-agent\ntitle: Team agent\nservers:\n- server: team\n  everything: true\n"
)
ODD = {
    "own_description": "1e5: no\n  two lines, 发票 “quoted” \u202e # no comment\n",
    "own_category": "on",
    "own_tags": ["yes", "1.0"],
    "own_permission": "write",
    "search_text": "- not a list",
    "aliases": ["null", "~"],
    "searchable": False,
    "enabled": False,
    "special_category": "human",
    "platforms": ["darwin", "linux"],
}


def export(catalog: Catalog) -> str:
    return text_of(document_of(Catalog.objects.get(pk=catalog.pk), with_overlays=True))


def person() -> User:
    return User.objects.get_or_create(username="a-curator")[0]


def apply(text: str) -> Applied:
    return apply_yaml(text, plan_yaml(text, misfit_of_mode).token, misfit_of_mode, person())


def edit(name: str, **fields: Any) -> Tool:
    tool = Tool.objects.get(name=name)
    for field, value in fields.items():
        setattr(tool, field, value)
    save_overlay(tool, person())
    return tool


def overlay_of(name: str) -> dict[str, Any]:
    return Tool.objects.get(name=name).overlay()


@pytest.fixture
def edited(team: Catalog) -> Catalog:
    """Three tools of which people said something: everything there is, one word, and that there are no tags."""
    edit("getWeather", **ODD)
    edit("list-invoices", search_text="bills")
    edit("notify_user", own_tags=[])
    return team


def test_what_was_said_over_tools_comes_back_to_the_letter(edited: Catalog) -> None:
    before = export(edited)
    assert [entry["tool"] for entry in overlays_of(edited)] == [
        "team/getWeather",
        "team/list-invoices",
        "team/notify_user",
    ]
    assert not plan_yaml(before, misfit_of_mode).changes
    Tool.objects.update(**Tool().overlay())
    assert apply(before).edit is not None
    assert export(edited) == before
    assert overlay_of("getWeather") == Tool().overlay() | ODD


def test_it_is_in_the_file_only_if_it_was_asked_for(viewer: Client, edited: Catalog) -> None:
    assert "overlays" not in page_of(viewer, "/catalogs/team-agent/catalog.yaml")
    assert page_of(viewer, "/catalogs/team-agent/catalog.yaml?overlays=1") == export(edited)


def test_tools_that_the_filters_keep_out_are_not_in_the_file(edited: Catalog) -> None:
    place_server(edited, edited.servers.get().server, "picked", ["list-invoices"])
    assert [entry["tool"] for entry in overlays_of(edited)] == ["team/getWeather", "team/list-invoices"], (
        "a human passes"
    )


def test_a_tool_without_an_entry_stays_and_an_entry_is_all_that_is_said(edited: Catalog) -> None:
    apply(f"{SMALL}overlays:\n- tool: team/getWeather\n  description: Weather.\n")
    assert overlay_of("getWeather") == Tool().overlay() | {"own_description": "Weather."}
    assert overlay_of("list-invoices")["search_text"] == "bills"
    apply(f"{SMALL}overlays:\n- tool: team/list-invoices\n")
    assert overlay_of("list-invoices") == Tool().overlay()


def test_it_is_an_edit_in_the_persons_name_that_can_be_undone(edited: Catalog) -> None:
    edit_made = apply(
        f"{SMALL}overlays:\n- tool: team/getWeather\n- tool: team/list-invoices\n  search_text: bills\n"
    ).edit
    assert edit_made is not None
    assert (edit_made.state, edit_made.tool_ids) == (BulkEdit.State.APPLIED, [Tool.objects.get(name="getWeather").pk])
    newest = ToolVersion.objects.filter(tool__name="getWeather").first()
    assert newest is not None and (newest.by, newest.content) == (person(), Tool().overlay())
    undo_edit(edit_made, person())
    assert overlay_of("getWeather") == Tool().overlay() | ODD


@pytest.mark.parametrize(
    ("entries", "line", "told"),
    [
        ("- tool: team/nothing", 8, "There is no tool team/nothing here"),
        ("- tool: team/getWeather\n- tool: team/getWeather", 9, "in it already"),
        ("- tool: team/getWeather\n  colour: red", 9, "There is no such part"),
        ("- tool: team/getWeather\n  permission: all", 9, "“all” is none of"),
        ("- tool: team/getWeather\n  tags: rain", 9, "A list belongs here, and “rain” is written"),
        ("- tool: team/getWeather\n  searchable: 'no'", 9, "True or false belongs here, and “no” is written"),
        ("- description: Lost", 8, "tool is missing"),
        ("- tool: getWeather", 8, "does not fit: a tool is named server/tool"),
        ("- tool: office/far", 8, "not in this catalog"),
        ("- tool: team/notify_channel\n  permission: read", 8, "said to be dangerous"),
        ("- tool: team/notify_channel", 8, "said to be dangerous"),
    ],
)
def test_each_mistake_of_the_section_has_its_line(edited: Catalog, entries: str, line: int, told: str) -> None:
    server = edited.servers.get().server
    edit("notify_channel", own_permission="dangerous")
    office = type(server).objects.create(slug="office", title="Office", kind="file")
    Tool.objects.create(server=office, name="far", last_seen_at=server.created_at, upstream_hash="")
    with pytest.raises(MistakesError) as caught:
        plan_yaml(f"{SMALL}overlays:\n{entries}\n", misfit_of_mode)
    found = [(mistake.line, mistake.text) for mistake in caught.value.mistakes]
    assert any(number == line and told in text for number, text in found), found


def test_an_edit_since_the_plan_is_not_lost(edited: Catalog) -> None:
    text = f"{SMALL}overlays:\n- tool: team/getWeather\n"
    token = plan_yaml(text, misfit_of_mode).token
    edit("getWeather", search_text="meanwhile")
    with pytest.raises(ChangedError):
        apply_yaml(text, token, misfit_of_mode, person())
    assert overlay_of("getWeather")["search_text"] == "meanwhile"


def test_the_page_shows_now_and_then_of_each_tool_and_leads_to_the_undo(curator: Client, edited: Catalog) -> None:
    text = f"{SMALL}overlays:\n- tool: team/list-invoices\n  search_text: bills <b>accounts</b>\n"
    page = curator.post("/catalogs/import/", {"text": text})
    shown = page.content.decode()
    assert "What changes of 1 tool<" in shown
    assert "edited here" in shown
    after = [line for line in shown.splitlines() if "after: " in line][-1]
    assert "".join(re.findall("<ins>(.*?)</ins>", after)) == " &lt;b&gt;accounts&lt;/b&gt;"
    assert overlay_of("list-invoices")["search_text"] == "bills"
    answer = curator.post("/catalogs/import/", {"text": text, "token": page.context["plan"].token, "action": "apply"})
    assert answer.headers["Location"] == BulkEdit.objects.get().get_absolute_url()
    page_after = page_of(curator, answer.headers["Location"])
    assert "As the file of a catalog says: team-agent" in page_after
    assert overlay_of("list-invoices")["search_text"] == "bills <b>accounts</b>"


def test_a_command_writes_the_same_file(edited: Catalog, tmp_path: Any, capsys: pytest.CaptureFixture[str]) -> None:
    call_command("export_catalog", "team-agent", "--overlays", "--output", str(tmp_path / "kept.yaml"))
    assert (tmp_path / "kept.yaml").read_text() == export(edited)
    [exported] = AuditEntry.objects.filter(act=Act.EXPORTED)
    assert (exported.way, exported.way_title, exported.name) == ("command", "export_catalog", "Team agent")
    call_command("export_catalog", "team-agent")
    assert capsys.readouterr().out == text_of(document_of(edited))
    with pytest.raises(CommandError, match="no catalog named nobody"):
        call_command("export_catalog", "nobody")
