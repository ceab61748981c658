"""How it goes each time that a server is reached: kept, summed up, tested on demand, and shown."""

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest
from django.test import Client
from django.utils import timezone

from catalog.contacting import KEPT, begin_test, carry_out_test, keep_contact, read_tools
from catalog.health import health_of, percentile
from catalog.models import Contact, Server
from catalog.sources.listing import SourceError
from catalog.spawning import StdioCommand
from tests.approving import approve
from tests.catalog.pages import text_of
from tests.servers import faulty_command, telling_command

CALL = Contact.Kind.CALL


def connected(command: StdioCommand) -> Server:
    server = Server(slug="far", title="Far", kind=Server.Kind.MCP, transport=Server.Transport.STDIO)
    server.command, server.args = command.command, list(command.args)
    approve(server)
    return server


@pytest.fixture
def far(db: None, tmp_path: Path) -> Server:
    (tmp_path / "tools").write_text('[{"name": "echo", "inputSchema": {"type": "object"}}]')
    return connected(telling_command(tmp_path / "tools"))


def test_reading_a_server_is_kept_with_what_it_said_of_itself(far: Server) -> None:
    read_tools(far)
    contact = far.contacts.get()
    assert (contact.kind, contact.problem) == ("read", "")
    said = far.introduction
    assert (said.name, said.version, said.protocol, said.instructions) == ("telling", "2", "2025-06-18", "Ask nicely.")


def test_a_reading_that_fails_is_kept_with_why(db: None) -> None:
    server = connected(faulty_command("exit3"))
    with pytest.raises(SourceError):
        read_tools(server)
    assert "exit status 3" in server.contacts.get().problem


def test_figures_are_of_the_contacts_that_were_answered(far: Server) -> None:
    for seconds in (0.1, 0.3, 0.2):
        keep_contact(far.pk, CALL, seconds)
    keep_contact(far.pk, CALL, 60.0, "It did not answer in time.")
    health = health_of(far)
    assert (health.count, health.answered, health.share) == (4, 3, 75)
    assert (health.median, health.slowest) == (0.2, 0.3)
    assert health.state == "bad"
    keep_contact(far.pk, CALL, 0.1)
    assert health_of(far).state == "good"
    assert health_of(far).last_problem == far.contacts.exclude(problem="").get()


def test_the_last_fifty_are_kept(far: Server) -> None:
    for number in range(KEPT + 3):
        keep_contact(far.pk, CALL, float(number))
    assert far.contacts.count() == KEPT
    assert not far.contacts.filter(seconds=2.0).exists()


def test_a_contact_with_a_server_that_is_gone_is_not_kept(db: None) -> None:
    keep_contact(4711, CALL, 1.0)
    assert not Contact.objects.exists()


@pytest.mark.parametrize(("count", "expected"), [(1, 1), (19, 19), (20, 19), (21, 20), (100, 95)])
def test_the_95th_percentile_is_the_least_that_95_percent_do_not_exceed(count: int, expected: int) -> None:
    assert percentile(list(range(1, count + 1)), 95) == expected


def test_a_test_tells_who_answered_and_imports_nothing(
    curator: Client, far: Server, submitted: list[Callable[[], None]]
) -> None:
    curator.post("/servers/far/test/")
    waiting = text_of(curator, "/servers/far/", **{"HX-Request": "true", "HX-Target": "health"})
    assert "Connecting…" in waiting
    assert "load delay" in waiting
    submitted.pop()()
    page = text_of(curator, "/servers/far/")
    assert "The connection works." in page
    assert "as telling 2, protocol 2025-06-18, and answered a ping in" in page
    assert "Ask nicely." in page
    assert not far.tools.exists()


@pytest.mark.parametrize(
    ("mode", "words"), [("exit3", "exit status 3"), ("garbage", "The connection works."), ("badschema", "works")]
)
def test_the_verdict_on_a_faulty_server_is_plain(viewer: Client, db: None, mode: str, words: str) -> None:
    server = connected(faulty_command(mode))
    test = begin_test(server)
    assert test
    carry_out_test(test)
    assert words in text_of(viewer, "/servers/far/")


def test_of_two_tests_at_once_one_is_made(curator: Client, far: Server, submitted: list[Callable[[], None]]) -> None:
    curator.post("/servers/far/test/")
    curator.post("/servers/far/test/")
    assert (len(submitted), far.contacts.count()) == (1, 1)


def test_a_test_that_a_process_left_behind_does_not_stand_in_the_way(far: Server) -> None:
    left = begin_test(far)
    assert left and begin_test(far) is None
    Contact.objects.filter(pk=left.pk).update(at=timezone.now() - timedelta(hours=1))
    assert begin_test(far)
    assert far.contacts.count() == 1


def test_a_server_that_is_not_approved_is_not_tested(
    curator: Client, far: Server, submitted: list[Callable[[], None]]
) -> None:
    Server.objects.update(approved_hash="")
    curator.post("/servers/far/test/")
    assert submitted == []
    assert not far.contacts.exists()


def test_the_list_of_servers_says_who_answers(viewer: Client, far: Server) -> None:
    assert "answers</span>" not in text_of(viewer, "/servers/")
    keep_contact(far.pk, CALL, 0.1)
    assert "answers</span>" in text_of(viewer, "/servers/")
    keep_contact(far.pk, CALL, 0.1, "It ended.")
    assert "did not answer</span>" in text_of(viewer, "/servers/")
