"""What a speaker means to say: written at a moment, and never lost to somebody who writes at the same time."""

import pytest
from django.test import Client
from django.urls import reverse

from catalog.roles import Role
from playground.exports.run_json import run_document
from playground.models import Run
from playground.presenting.notes import MOST_NOTE, Kept, keep_note, notes_of
from tests.playground.runs.recordings import EVERY_KIND
from tests.playground.test_run_import_pages import ClientAs
from tests.playground.test_views_runs import run_with


@pytest.fixture
def run(db: None) -> Run:
    return run_with(*EVERY_KIND)


def keep(client: Client, run: Run, seq: int, text: str, was: str = "", htmx: bool = True):  # type: ignore[no-untyped-def]
    filled = {"seq": seq, "text": text, "was": was}
    headers = {"HX-Request": "true"} if htmx else {}
    return client.post(reverse("run_note", args=[run.pk]), filled, headers=headers)


def test_a_note_is_written_changed_and_taken_away(run: Run) -> None:
    assert keep_note(run.pk, 8, "", "Look.\r\n\u202eHere. ") == Kept("Look.\nHere.", both=False)
    keep_note(run.pk, 2, "", "First.")
    assert notes_of(run.pk) == {2: "First.", 8: "Look.\nHere."}
    keep_note(run.pk, 8, "Look.\r\nHere.", "Look there.")
    keep_note(run.pk, 2, "First.", " ")
    assert notes_of(run.pk) == {8: "Look there."}


def test_of_two_who_write_at_once_neither_loses_a_word(run: Run) -> None:
    keep_note(run.pk, 8, "", "Mine.")
    assert keep_note(run.pk, 8, "", "Yours.") == Kept("Mine.\n\nYours.", both=True)
    assert keep_note(run.pk, 8, "Mine.", "").text == "Mine.\n\nYours.", "nobody takes away what they have not read"
    assert keep_note(run.pk, 8, "", "Mine.\n\nYours.") == Kept("Mine.\n\nYours.", both=False), "sent twice"


def test_the_field_is_left_alone_unless_two_wrote(client_as: ClientAs, run: Run) -> None:
    presenter = client_as(Role.PRESENTER)
    first = keep(presenter, run, 8, "Mine.")
    assert "Kept" in first.content.decode() and "<form" not in first.content.decode()
    second = keep(presenter, run, 8, "Yours.")
    assert second["HX-Retarget"] == "#note-8"
    assert "both are kept" in second.content.decode() and "Mine.\n\nYours.</textarea>" in second.content.decode()


def test_without_script_it_leads_back_to_its_moment(client_as: ClientAs, run: Run) -> None:
    answer = keep(client_as(Role.PRESENTER), run, 8, "Mine.", htmx=False)
    assert answer["Location"] == f"/runs/{run.pk}/notes/?at=8#note-8"


def test_what_has_no_place_is_refused(client_as: ClientAs, run: Run) -> None:
    presenter = client_as(Role.PRESENTER)
    for seq, text in ((0, "x"), (32, "x"), (8, "x" * (MOST_NOTE + 1))):
        answer = keep(presenter, run, seq, text)
        assert answer.status_code == 400 and answer.content
    assert notes_of(run.pk) == {}


def test_notes_stand_in_their_list_at_the_replay_and_on_its_scrubber(client_as: ClientAs, run: Run) -> None:
    keep_note(run.pk, 8, "", "<b>Look.</b>")
    client = client_as(Role.VIEWER)
    listed = client.get(reverse("run_notes", args=[run.pk]), {"at": 9})
    assert listed.context["here"].seq == 8
    assert "&lt;b&gt;Look.&lt;/b&gt;" in listed.content.decode()
    assert "<textarea" not in listed.content.decode(), "a viewer only reads"
    replayed = client.get(run.get_absolute_url(), {"at": 9}).content.decode()
    assert "&lt;b&gt;Look.&lt;/b&gt;" in replayed and 'class="noted" x1="8"' in replayed
    assert "&lt;b&gt;Look.&lt;/b&gt;" not in client.get(run.get_absolute_url(), {"at": 12}).content.decode()


def test_a_turn_leads_to_its_moment(client_as: ClientAs, run: Run) -> None:
    client = client_as(Role.VIEWER)
    assert client.get(run.get_absolute_url(), {"turn": 3})["Location"] == f"/runs/{run.pk}/?at=15"
    assert client.get(run.get_absolute_url(), {"turn": 30}).context["at"] is None


def test_notes_go_out_with_the_run(run: Run) -> None:
    keep_note(run.pk, 8, "", "Look.")
    assert run_document(run)["notes"] == [{"seq": 8, "text": "Look."}]
