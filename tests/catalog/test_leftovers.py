"""Imports, edits of many tools and looks whose process ended: told the same way, and begun again."""

from collections.abc import Callable

import pytest
from django.contrib.auth.models import User

from catalog.bulk_applying import apply_edit, undo_edit
from catalog.bulk_planning import plan_edit
from catalog.importing import stage
from catalog.leftovers import end_leftovers
from catalog.models import BulkEdit, Catalog, Import, Look, Server
from catalog.owners import Owner, this_owner
from catalog.roles import Role
from catalog.sources.listing import read_listing

NOBODY = "no-process-ever-had-this-name"
EDIT = BulkEdit.State


@pytest.fixture
def server(team: Catalog) -> Server:
    return team.servers.get().server


@pytest.fixture
def curator(person: Callable[[Role], User]) -> User:
    return person(Role.CURATOR)


@pytest.fixture
def edit(server: Server, curator: User) -> BulkEdit:
    return plan_edit("off", "", list(server.tools.values_list("pk", flat=True)), curator, "")


@pytest.mark.parametrize("state", [Import.State.READING, Import.State.APPLYING])
def test_an_import_of_a_dead_process_failed_and_says_why(server: Server, state: Import.State) -> None:
    importation = Import.objects.create(server=server, state=state, owner=NOBODY)
    assert end_leftovers() == 1
    importation.refresh_from_db()
    assert (importation.state, importation.is_moving) == ("failed", False)
    assert "The process that worked on it ended. Nothing was changed" in importation.error


def test_an_edit_that_was_cut_off_can_be_applied_again(edit: BulkEdit, curator: User) -> None:
    BulkEdit.objects.update(state=EDIT.APPLYING, owner=NOBODY)
    end_leftovers()
    edit.refresh_from_db()
    assert (edit.state, edit.problem) == ("planned", "The process that worked on it ended.")
    apply_edit(edit, curator)
    assert (edit.state, edit.problem) == ("applied", "")


def test_an_undoing_that_was_cut_off_can_be_done_again(edit: BulkEdit, curator: User) -> None:
    apply_edit(edit, curator)
    BulkEdit.objects.update(state=EDIT.UNDOING, owner=NOBODY)
    end_leftovers()
    edit.refresh_from_db()
    assert edit.state == "applied"
    undo_edit(edit, curator)
    assert edit.state == "undone"


def test_a_look_of_a_dead_process_is_ended(db: None) -> None:
    Look.objects.create(owner=NOBODY)
    end_leftovers()
    look = Look.objects.get()
    assert look.ended_at is not None
    assert look.problem == "The process that worked on it ended."


def test_what_a_living_process_works_on_goes_on(server: Server, edit: BulkEdit) -> None:
    other = Owner()
    Import.objects.create(server=server, owner=other.id)
    Look.objects.create(owner=this_owner())
    BulkEdit.objects.update(state=EDIT.APPLYING, owner=other.id)
    assert end_leftovers() == 0
    other.release()
    assert end_leftovers() == 2


def test_what_waits_for_a_person_is_no_leftover(server: Server, edit: BulkEdit) -> None:
    stage(Import(server=server, owner=NOBODY), read_listing([{"name": "find", "description": "Find a thing."}]))
    assert end_leftovers() == 0
