"""Editing a tool: nothing that a person wrote is lost to another, and every save can be undone."""

import re
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.contrib.auth.models import User
from django.db import connections
from django.test import Client

from catalog.editing import EditedMeanwhileError, change_overlay, newest_edit, save_overlay, undo_edit
from catalog.models import Catalog, Tool, ToolVersion
from tests.catalog.pages import text_of

EDIT = "/tools/team/notify_user/edit/"
ON = {"searchable": "on", "enabled": "on"}
BESIDE = {"HX-Request": "true", "HX-Target": "detail"}


def notify_user() -> Tool:
    return Tool.objects.get(name="notify_user")


def test_a_save_over_a_newer_edit_shows_both_and_saves_neither(curator: Client, team: Catalog) -> None:
    began = text_of(curator, EDIT)
    assert 'name="began_from" value="0"' in began
    save_overlay_of("Theirs stands.")
    page = curator.post(EDIT, {**ON, "own_description": "Mine waits.", "began_from": "0"}).content.decode()
    assert "Nothing was saved yet" in page
    assert "Mine waits.</textarea>" in page
    assert "<del>Theirs</del>" in page
    assert notify_user().own_description == "Theirs stands."
    newest = newest_edit(notify_user())
    assert newest is not None
    assert f'name="began_from" value="{newest.pk}"' in page
    curator.post(EDIT, {**ON, "own_description": "Mine waits.", "began_from": str(newest.pk)})
    assert notify_user().own_description == "Mine waits."


def save_overlay_of(description: str) -> ToolVersion:
    tool = notify_user()
    tool.own_description = description
    return save_overlay(tool, None)


@pytest.mark.django_db(transaction=True)
def test_of_twenty_who_save_at_once_one_wins_and_nineteen_are_told(team: Catalog) -> None:
    people = [User.objects.create_user(f"p{number}") for number in range(20)]
    tool = notify_user()

    def save(person: User) -> str:
        try:
            change_overlay(tool, {"own_description": f"By {person}."}, 0, person)
        except EditedMeanwhileError as error:
            return f"told of {error.newest.by}"
        finally:
            connections.close_all()
        return "won"

    with ThreadPoolExecutor(20) as at_once:
        ends = list(at_once.map(save, people))
    winner = people[ends.index("won")]
    assert sorted(ends) == sorted(["won", *[f"told of {winner}"] * 19])
    assert notify_user().own_description == f"By {winner}."
    assert ToolVersion.objects.filter(layer="overlay").count() == 1


def test_an_edit_in_the_rail_answers_with_the_tool_its_row_and_an_undo(curator: Client, team: Catalog) -> None:
    sent = {**ON, "own_description": "Write to one person.", "began_from": "0", "list": "q=notify&tool=x"}
    answer = curator.post(EDIT, sent, headers=BESIDE)
    page = answer.content.decode()
    assert "<html" not in page
    assert f'<tr id="row-{notify_user().pk}" hx-swap-oob="true"' in page
    assert answer["HX-Push-Url"] == "/tools/?q=notify&tool=team/notify_user"
    assert 'id="facet-rail" hx-swap-oob="true"' in page
    assert re.search(r'href="\?q=notify&amp;state=edited">.*<span class="count">1</span>', page)
    made = newest_edit(notify_user())
    assert made is not None
    undo = f"/tools/team/notify_user/undo/{made.pk}/"
    assert f'hx-post="{undo}"' in page
    undone = curator.post(undo, {"list": "q=notify"}, headers=BESIDE).content.decode()
    assert "Undone" in undone
    assert notify_user().own_description is None


def test_without_script_one_returns_to_the_list(curator: Client, team: Catalog) -> None:
    answer = curator.post(EDIT, {**ON, "own_tags": "mail", "list": "q=notify"})
    assert answer["Location"] == "/tools/?q=notify&tool=team/notify_user"


def test_a_form_with_a_mistake_keeps_what_was_written(curator: Client, team: Catalog) -> None:
    sent = {**ON, "own_description": "Kept.", "own_permission": "everything", "list": ""}
    page = curator.post(EDIT, sent, headers=BESIDE).content.decode()
    assert "Nothing was saved yet." in page
    assert "Kept.</textarea>" in page
    assert "data-draft" in page


def test_what_somebody_edited_since_is_not_undone(curator: Client, team: Catalog) -> None:
    first = save_overlay_of("First.")
    save_overlay_of("Second.")
    page = curator.post(f"/tools/team/notify_user/undo/{first.pk}/", follow=True).content.decode()
    assert "Nothing was undone" in page
    assert notify_user().own_description == "Second."


def test_the_first_edit_is_undone_to_what_came_curated(curator: Client, team: Catalog, admin: Client) -> None:
    Tool.objects.filter(name="notify_user").update(search_text="tell", aliases=["ping"])
    made = save_overlay_of("Other words.")
    undo_edit(notify_user(), made, User.objects.all()[0])
    assert (notify_user().own_description, notify_user().search_text) == (None, "tell")
    assert notify_user().aliases == ["ping"]


def test_the_preview_counts_what_would_be_sent_and_saves_nothing(curator: Client, team: Catalog) -> None:
    page = curator.post("/tools/team/notify_user/preview/", {"own_description": "Send one letter."}).content.decode()
    assert "as saved" in page
    assert "<ins>letter</ins>" in page
    assert notify_user().own_description is None
