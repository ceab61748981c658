"""Importing runs in the browser and from the command line: shown first, then all at once, and told as imported."""

import json
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from catalog.models import Catalog, Server, Tool
from catalog.roles import Role
from playground.agent.events import CallSent, RunEnded
from playground.exports.run_json import run_document
from playground.foreign.records import MOST_BYTES
from playground.models import Run, RunEvent, RunImport, Thread
from playground.presenting.notes import keep_note, notes_of
from playground.runs.brought_logs import brought, keep, plan
from playground.runs.importing import import_threads
from playground.runs.reading import all_events, state_at
from playground.runs.retention import delete_old
from tests.playground.foreign import test_requests
from tests.playground.foreign.logs import lines
from tests.playground.foreign.test_claude_code import ASKED, SESSION
from tests.playground.runs.recordings import EVERY_KIND
from tests.playground.test_views_runs import run_with

ClientAs = Callable[[Role], Client]
NASTY = '<script>alert(1)</script>"><img src=x>'
KEY = "sk-proj-0123456789abcdefghij"


@pytest.fixture
def presenter(client_as: ClientAs) -> Client:
    return client_as(Role.PRESENTER)


def bring(client: Client, *texts: str, **more: Any) -> Any:
    files = [SimpleUploadedFile(f"{NASTY}.jsonl", text.encode()) for text in texts]
    return client.post(reverse("run_import_add"), {"file": files, **more}, follow=True)


def imported(text: str) -> Run:
    (thread, *_) = import_threads(plan([brought("a.jsonl", text)])[0].threads, None)
    return thread.runs.get(position=1)


def test_a_log_is_shown_then_imported(presenter: Client) -> None:
    page = bring(presenter, lines(*SESSION)).content.decode()
    assert not Run.objects.exists()
    assert "3 turns" in page and "Not in the log: which tools were in view" in page
    answer = presenter.post(RunImport.objects.get().get_absolute_url(), {"threads": ["0-0"]}, follow=True)
    run = Run.objects.get()
    assert (run.imported_from, run.status, run.by_id, run.thread.by_id) == (
        "claude-code",
        "completed",
        *[answer.context["user"].pk] * 2,
    )
    assert "imported, Claude Code session" in answer.content.decode()
    assert run.created_at.year == 2026 and run.created_at.month == 3
    assert not RunImport.objects.exists()


def test_what_is_not_ticked_is_not_imported(presenter: Client) -> None:
    bring(presenter, lines(*SESSION), lines(test_requests.FIRST))
    row = RunImport.objects.get()
    assert "Tick what to import." in presenter.post(row.get_absolute_url(), {}).content.decode()
    presenter.post(row.get_absolute_url(), {"threads": ["1-0"]})
    assert [run.imported_from for run in Run.objects.all()] == ["openai-chat"]


def test_names_and_titles_of_strangers_are_escaped_and_secrets_gone(presenter: Client) -> None:
    asked = {**ASKED, "message": {"role": "user", "content": f"{NASTY} {KEY}"}}
    answer = bring(presenter, lines(asked, *SESSION[2:]))
    page = answer.content.decode()
    assert "<script>alert(1)" not in page and "&lt;script&gt;alert(1)" in page and "<img src=x>" not in page
    assert "1 secret was taken out" in page
    presenter.post(answer.request["PATH_INFO"], {"threads": ["0-0"]})
    run = Run.objects.get()
    for address in (
        run.get_absolute_url(),
        reverse("runs"),
        run.thread.get_absolute_url(),
        reverse("run_markdown", args=[run.pk]),
    ):
        shown = presenter.get(address).content.decode()
        assert "<script>alert(1)" not in shown and KEY not in shown
    assert KEY not in json.dumps([*RunEvent.objects.values_list("body", flat=True)])


def test_a_log_can_be_read_as_another_kind_or_discarded(presenter: Client) -> None:
    address = bring(presenter, lines({"what": "is this"})).request["PATH_INFO"]
    page = presenter.post(address, {"act": "reread", "kind-0": "openai-chat"}, follow=True).content.decode()
    assert "No run was found in it." in page
    presenter.post(address, {"act": "discard"})
    assert presenter.get(address).status_code == 404


def test_nobody_sees_what_another_person_brought(presenter: Client, client_as: ClientAs) -> None:
    address = bring(presenter, lines(*SESSION)).request["PATH_INFO"]
    assert client_as(Role.ADMIN).get(address).status_code == 404


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({}, "Choose files, or paste a log."),
        ({"file": SimpleUploadedFile("a.json", b"\xff\xfe{")}, "a.json: The file is UTF-16."),
        ({"file": SimpleUploadedFile("a.json", b'"' + b"x" * (50 << 20) + b'"')}, "a.json is larger than 20 MB."),
        ({"file": SimpleUploadedFile("a.gz", b"\x1f\x8b" + b"x" * 40)}, "looks like gzip but cannot be unpacked"),
    ],
    ids=["nothing", "UTF-16", "50 MB", "gzip"],
)
def test_what_cannot_be_taken_says_why(presenter: Client, fields: dict[str, Any], why: str) -> None:
    assert why in presenter.post(reverse("run_import_add"), fields).content.decode()
    assert MOST_BYTES == 20 << 20
    assert not RunImport.objects.exists()


def test_a_failure_amid_an_import_leaves_nothing(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    planned = plan([brought("a", lines(*SESSION)), brought("b", lines(test_requests.FIRST))])
    both = [one for log in planned for one in log.threads]
    monkeypatch.setattr(RunEvent.objects, "bulk_create", lambda rows, **_: list(rows) and 1 / 0)
    with pytest.raises(ZeroDivisionError):
        import_threads(both, None)
    assert not Run.objects.exists() and not Thread.objects.exists()


def test_a_run_comes_back_exact_under_its_own_id_and_a_second_time_under_another(db: None) -> None:
    run = run_with(*EVERY_KIND)
    keep_note(run.pk, 8, "", "Look.")
    events, state, text = [*all_events(run.pk)], state_at(run.pk), json.dumps(run_document(run))
    run.thread.delete()
    back = imported(text)
    assert (back.pk, [*all_events(back.pk)], state_at(back.pk)) == (run.pk, events, state)
    assert notes_of(back.pk) == {8: "Look."}
    assert plan([brought("again", text)])[0].threads[0].twin == back
    again = imported(text)
    assert again.pk != run.pk and state_at(again.pk) == state


def test_nested_runs_come_back_nested(db: None) -> None:
    run = run_with(*EVERY_KIND)
    child = run_with(*EVERY_KIND, task="nested")
    Run.objects.filter(pk=child.pk).update(parent=run, parent_call="get-1")
    document = run_document(run)
    document["events"][19] |= {"kind": "call_sent", "nested": str(child.pk)}
    back = imported(json.dumps(document))
    (nested,) = back.nested.all()
    assert (nested.task, nested.parent_call, nested.imported_from) == ("nested", "get-1", "pegboard")
    assert nested.pk not in (child.pk, back.pk)
    assert next(event.nested for _, _, event in all_events(back.pk) if isinstance(event, CallSent)) == nested.pk


def test_an_imported_run_is_never_own_cost_and_marks_no_tool_as_used(presenter: Client, team: Catalog) -> None:
    name = Server.objects.get(slug="team").exposed_name("notify_user")
    own = run_with(*EVERY_KIND[:1], CallSent(1, "c", name, "team", simulated=False), RunEnded("completed"))
    assert Tool.objects.exclude(last_used_at=None).update(last_used_at=None) == 1
    run = imported(json.dumps(run_document(own)))
    assert run not in Run.objects.own()
    assert "nothing was spent here" in presenter.get(reverse("runs"), {"nested": "imported"}).content.decode()
    assert not Tool.objects.exclude(last_used_at=None).exists()


def test_imported_runs_are_seen_everywhere_that_runs_are(presenter: Client) -> None:
    run = imported(lines(test_requests.FIRST, test_requests.SECOND))
    page = presenter.get(run.get_absolute_url()).content.decode()
    assert "imported from" in page and "OpenAI chat completions" in page and "cost not in the log" in page
    assert presenter.get(run.get_absolute_url(), {"at": 3}).context["state"].seq == 3
    assert (
        "not kept"
        in presenter.get(
            reverse("run_tool", args=[run.pk]), {"name": "x"}, headers={"HX-Request": "true"}
        ).content.decode()
    )
    made = next(
        step for step in presenter.get(run.get_absolute_url()).context["state"].steps if step.kind == "searched"
    )
    address = reverse("run_search", args=[run.pk, made.seq])
    assert presenter.get(address)["Location"] == f"/search/?q={made.found.query}"
    assert presenter.get(reverse("run_fork", args=[run.pk])).status_code == 200
    other = imported(lines(*SESSION))
    compared = presenter.get(reverse("runs_compare"), {"a": str(run.pk), "b": str(other.pk)})
    assert (
        "mcp__weather__get" in compared.content.decode()
        and '<td class="num">not in the log</td>' in compared.content.decode()
    )


def test_without_times_the_page_says_so(presenter: Client) -> None:
    run = imported(json.dumps({"messages": [test_requests.USER, test_requests.CALL, test_requests.REPLY], "tools": []}))
    page = presenter.get(run.get_absolute_url()).content.decode()
    assert "When this was is not in the log" in page and "after the start" not in page


def test_the_command_shows_and_then_imports_once(db: None, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "session.jsonl"
    file.write_text(lines(*SESSION, "{broken"))
    call_command("import_runs", str(file))
    told = capsys.readouterr()
    assert "Claude Code session" in told.out and "Add --apply" in told.out and "it is not JSON" in told.err
    assert not Run.objects.exists()
    call_command("import_runs", str(file), "--apply")
    assert Run.objects.count() == 1
    with pytest.raises(CommandError, match="Nothing is left to import"):
        call_command("import_runs", str(file), "--apply")
    with pytest.raises(CommandError, match="cannot be read"):
        call_command("import_runs", str(tmp_path / "missing"))


def test_an_old_run_that_was_just_imported_is_kept_for_the_days_of_its_import(db: None, settings: Any) -> None:
    settings.PEGBOARD_RUN_DAYS = 30
    run = imported(lines(*SESSION))
    assert delete_old() == 0
    Thread.objects.filter(pk=run.thread_id).update(created_at=timezone.now() - timedelta(days=31))
    assert delete_old() == 1


def test_what_nobody_decided_upon_within_a_day_is_dropped(person: Callable[[Role], User]) -> None:
    by, logs = person(Role.PRESENTER), [brought("a", lines(*SESSION))]
    RunImport.objects.filter(pk=keep(logs, by).pk).update(created_at=timezone.now() - timedelta(days=2))
    kept = keep(logs, by)
    assert [*RunImport.objects.all()] == [kept]


def test_an_id_that_is_no_id_gets_a_new_one(db: None) -> None:
    document = run_document(run_with(*EVERY_KIND))
    document["run"]["id"] = "../../etc/passwd"
    assert isinstance(imported(json.dumps(document)).pk, UUID)
