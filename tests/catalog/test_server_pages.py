"""Servers: the list, the ways to add one, what an admin approves, and what stands in the way."""

from collections.abc import Callable
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone

from catalog.models import Catalog, Import, Server
from tests.catalog.pages import text_of


@pytest.fixture
def command(db: None) -> Server:
    secrets: Any = {"TIME_KEY": "hidden-value"}
    return Server.objects.create(
        slug="time",
        title="Time",
        kind=Server.Kind.MCP,
        transport=Server.Transport.STDIO,
        command="uvx",
        args=["mcp-server-time", "--zone=Asia/Tokyo"],
        env=secrets,
    )


def test_servers_are_told_with_their_kind_their_tools_and_what_stands_in_their_way(
    viewer: Client, team: Catalog, command: Server
) -> None:
    page = text_of(viewer, "/servers/")
    assert "saved listing" in page
    assert "MCP, a command" in page
    assert "needs approval" in page
    assert "not read yet" in page
    assert "Add a server" not in page


def test_the_ways_to_add_a_server_are_cards_until_there_is_one_of_ones_own(curator: Client, sample: Catalog) -> None:
    assert "Connect your own tools" in text_of(curator, "/servers/")
    Server.objects.create(slug="own", title="Own", kind=Server.Kind.FILE)
    page = text_of(curator, "/servers/")
    assert "Connect your own tools" not in page
    assert page.index("/servers/own/") < page.index("The sample") < page.index("/servers/billing/")


def test_a_command_is_shown_to_the_letter_and_its_secrets_never(admin: Client, command: Server) -> None:
    page = text_of(admin, "/servers/time/")
    assert "uvx\n  mcp-server-time\n  --zone=Asia/Tokyo" in page
    assert "TIME_KEY" in page
    assert "hidden-value" not in page
    assert command.config_hash in page


def test_only_an_admin_is_offered_the_approval(curator: Client, command: Server) -> None:
    page = text_of(curator, "/servers/time/")
    assert "An admin must approve this command" in page
    assert "Approve and read its tools" not in page
    assert curator.post("/servers/time/approve/", {"config_hash": command.config_hash}).status_code == 403


def test_approving_reads_the_tools_unless_the_server_was_changed_meanwhile(
    admin: Client, command: Server, submitted: list[Callable[[], None]]
) -> None:
    stale = admin.post("/servers/time/approve/", {"config_hash": "0" * 64}, follow=True)
    assert "was changed since you looked at it" in stale.content.decode()
    assert not submitted
    response = admin.post("/servers/time/approve/", {"config_hash": command.config_hash})
    assert response.headers["Location"] == Import.objects.get().get_absolute_url()
    assert len(submitted) == 1


def test_a_server_changed_since_its_approval_says_so(admin: Client, command: Server) -> None:
    command.approved_hash, command.approved_at = "old", timezone.now()
    command.save()
    assert "It was changed since it was approved." in text_of(admin, "/servers/time/")


def test_a_server_that_cannot_be_read_says_why_and_what_to_do(viewer: Client, command: Server) -> None:
    Server.objects.update(sync_problem="uvx is not on this machine.")
    page = text_of(viewer, "/servers/time/")
    assert "uvx is not on this machine." in page
    assert "Check that the command works in a terminal" in page


@pytest.mark.parametrize(
    ("kind", "filled", "message"),
    [
        ("command", {"title": "T", "command_line": "uvx 'open"}, "cannot be read as a command"),
        ("command", {"title": "T", "command_line": "uvx x", "environment": "TOKEN"}, "No value is stored for TOKEN"),
        ("address", {"title": "T", "url": "ftp://x.example/mcp"}, "http"),
        ("file", {"title": "T"}, "Paste the tools or choose a file, one of the two."),
        ("file", {"title": "", "text": "[]"}, "This field is required."),
        ("file", {"title": "T", "text": '[\n{"name": }]'}, "line 2, column 10"),
        ("file", {"title": "T", "text": '[{"name": 7}]'}, "its name is a number"),
        ("file", {"title": "T", "text": '// of an editor\n{"mcpServers": {}}'}, "a configuration of MCP servers"),
        ("command", {"title": "T", "command_line": "uvx x", "cwd": "sub"}, "Give the full path of the folder “sub”"),
        ("command", {"title": "T", "command_line": "uvx x", "environment": "A=1\n\na word"}, "stored for line 3;"),
        ("command", {"title": "T", "command_line": "uvx x", "environment": "A=1\n\nA=2"}, "Line 3 has the same name"),
    ],
)
def test_a_form_that_is_refused_says_why_at_the_field(
    curator: Client, kind: str, filled: dict[str, str], message: str
) -> None:
    page = curator.post(f"/servers/add/{kind}/", {"name_rule": "prefixed", **filled}).content.decode()
    assert message in page
    assert "Nothing was saved yet." in page
    assert not Server.objects.exists()


def test_skills_that_cannot_be_read_leave_no_server(curator: Client, db: None) -> None:
    filled = {"title": "Skills", "name_rule": "prefixed", "file": SimpleUploadedFile("SKILL.md", b"no front matter")}
    page = curator.post("/servers/add/skills/", filled).content.decode()
    assert "SKILL.md, line 1: It is left out: it does not begin with its front matter" in page
    assert not Server.objects.exists()


def test_a_saved_listing_is_uploaded_and_read_in_the_background(
    curator: Client, submitted: list[Callable[[], None]]
) -> None:
    file = SimpleUploadedFile("tools.json", b'{"tools": [{"name": "find"}]}')
    response = curator.post("/servers/add/file/", {"title": "Ledger", "name_rule": "prefixed", "file": file})
    assert response.headers["Location"] == Import.objects.get(server__slug="ledger").get_absolute_url()
    assert 'enctype="multipart/form-data"' in text_of(curator, "/servers/add/file/")


def test_a_server_can_be_switched_off_and_deleted(curator: Client, team: Catalog) -> None:
    assert "switched off" in curator.post("/servers/team/switch/", follow=True).content.decode()
    curator.post("/servers/team/delete/")
    assert not Server.objects.exists()
