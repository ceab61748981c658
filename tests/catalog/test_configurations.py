"""Adding the MCP servers of a configuration: what is found, told and asked for, what is kept of its secrets, and taking servers out."""

import json
import re
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.utils import timezone

from catalog.models import Configuration, Server, Tool
from catalog.models.configuration import KEPT_FOR
from catalog.roles import Role
from tests.catalog.conftest import ClientAs
from tests.catalog.pages import text_of

SECRET = "s3cret-of-the-files"
FILES = {"command": "npx", "args": ["-y", "@scope/files"], "env": {"FILES_KEY": SECRET}}
ISSUES = {"url": "https://issues.example/mcp", "headers": {"Authorization": "Bearer ${input:token}"}}
INPUT = {"type": "promptString", "id": "token", "description": "Token of the issues", "password": True}
TEXT = json.dumps({"inputs": [INPUT], "servers": {"My Files": FILES, "issues": ISSUES, "bad": {"command": 1}}})


def bring(client: Client, text: str = TEXT) -> str:
    """The address of the page on which the servers are chosen."""
    response = client.post("/servers/add/configuration/", {"text": text})
    assert response.status_code == 302, response.content.decode()
    return str(response.headers["Location"])


def chosen(**given: str) -> dict[str, str]:
    return {"add_0": "on", "slug_0": "my-files", "add_1": "on", "slug_1": "issues", **given}


def test_a_configuration_is_looked_at_before_anything_is_added(curator: Client, db: None) -> None:
    page = text_of(curator, bring(curator))
    assert "2 servers found" in page
    assert "npx -y @scope/files" in page and "https://issues.example/mcp" in page
    assert "FILES_KEY" in page and "Token of the issues" in page
    assert "its command is a number, not text" in page
    assert SECRET not in page
    assert not Server.objects.exists()


def test_those_ticked_are_added_unapproved_with_their_secrets_encrypted(curator: Client, db: None) -> None:
    page = curator.post(bring(curator), chosen(value_0="t0ken"), follow=True).content.decode()
    assert "Nothing was started or reached" in page
    files, issues = Server.objects.order_by("-slug")
    assert (files.slug, files.title, files.command, files.args) == ("my-files", "My Files", "npx", FILES["args"])
    assert files.env == {"FILES_KEY": SECRET}
    assert issues.headers == {"Authorization": "Bearer t0ken"}
    assert files.approval == issues.approval == "needed"
    assert not Configuration.objects.exists()
    for server in (files, issues):
        assert SECRET not in text_of(curator, f"/servers/{server.slug}/")


def test_no_secret_lies_in_clear_while_a_configuration_waits(curator: Client, db: None) -> None:
    bring(curator)
    with connection.cursor() as cursor:
        cursor.execute("SELECT * FROM catalog_configuration")
        assert SECRET not in str(cursor.fetchall())


def test_a_file_does_as_well_and_one_of_the_two_is_needed(curator: Client, db: None) -> None:
    file = SimpleUploadedFile("mcp.json", TEXT.encode())
    page = curator.post("/servers/add/configuration/", {"file": file}, follow=True).content.decode()
    assert "In mcp.json" in page
    for given in ({}, {"file": SimpleUploadedFile("mcp.json", b"{}"), "text": TEXT}):
        again = curator.post("/servers/add/configuration/", given).content.decode()
        assert "one of the two" in again and SECRET not in again


def test_what_is_no_configuration_is_refused_in_words_and_not_shown_again(curator: Client, db: None) -> None:
    page = curator.post("/servers/add/configuration/", {"text": f'{{"mcpServers": "{SECRET}"'}).content.decode()
    assert "not valid JSON: line 1, column" in page and SECRET not in page
    none = curator.post("/servers/add/configuration/", {"text": '{"mcpServers": {"a": {"url": 3}}}'}).content.decode()
    assert "No server could be read from it." in none and "neither a command nor an address" in none


def test_a_short_name_that_is_taken_is_told_and_another_proposed(curator: Client, db: None) -> None:
    Server.objects.create(slug="my-files", title="Older", kind="file")
    place = bring(curator)
    page = text_of(curator, place)
    assert 'value="my-files-2"' in page and "my-files is taken" in page
    refused = curator.post(place, chosen(value_0="t")).content.decode()
    assert "There is a server named my-files already" in refused
    twice = curator.post(place, chosen(value_0="t", slug_0="issues")).content.decode()
    assert "Two of these are named issues" in twice
    assert Server.objects.count() == 1


def test_a_server_that_is_here_already_is_told_and_not_ticked(curator: Client, db: None) -> None:
    args: Any = FILES["args"]
    Server.objects.create(slug="f", title="Here Already", kind="mcp", transport="stdio", command="npx", args=args)
    page = text_of(curator, bring(curator))
    assert "is this server already" in page
    assert [re.search(" checked", tick) is not None for tick in re.findall('<input[^>]*name="add_[^>]*>', page)] == [
        False,
        True,
    ]


def test_a_name_that_a_tool_here_has_already_is_told_before_it_happens(curator: Client, db: None) -> None:
    bare = Server.objects.create(slug="bare", title="Bare", kind="file", name_rule=Server.NameRule.AS_IS)
    Tool.objects.create(server=bare, name="issues__find", last_seen_at=timezone.now())
    refused = curator.post(bring(curator), chosen(value_0="t")).content.decode()
    assert "under the bare name issues__find" in refused
    assert "Write once more: token." in refused
    assert Server.objects.count() == 1


@pytest.mark.parametrize(
    ("entry", "given", "reason"),
    [
        (ISSUES, {}, "Give the value of token above"),
        ({"command": "npx", "args": ["${input:token}"]}, {"value_0": "t"}, "A secret would stand in its command"),
        ({"command": "bash", "args": ["-c", "id"]}, {}, "bash"),
        ({"url": "https:///x"}, {}, "must begin with https:// or http://"),
        ({"url": "https://x.example", "headers": {"Host": "y"}}, {}, "set by Pegboard itself"),
    ],
)
def test_a_server_that_cannot_be_added_says_why_and_can_be_left_out(
    curator: Client, db: None, entry: Any, given: dict[str, str], reason: str
) -> None:
    place = bring(curator, json.dumps({"inputs": [INPUT], "servers": {"it": entry, "files": FILES}}))
    both = {"add_0": "on", "slug_0": "it", "add_1": "on", "slug_1": "files", **given}
    refused = curator.post(place, both).content.decode()
    assert reason in refused and not Server.objects.exists()
    del both["add_0"]
    curator.post(place, both)
    assert [server.slug for server in Server.objects.all()] == ["files"]


def test_nothing_ticked_is_told(curator: Client, db: None) -> None:
    assert "Tick at least one server." in curator.post(bring(curator), {}).content.decode()


def test_a_configuration_is_for_the_person_who_brought_it(curator: Client, client_as: ClientAs, db: None) -> None:
    place = bring(curator)
    other = client_as(Role.ADMIN)
    assert other.get(place).status_code == other.post(f"{place}discard/").status_code == 404
    curator.post(f"{place}discard/")
    assert not Configuration.objects.exists()


def test_what_nobody_decided_upon_is_deleted(curator: Client, db: None) -> None:
    first = bring(curator)
    Configuration.objects.update(created_at=timezone.now() - 2 * KEPT_FOR)
    bring(curator)
    assert curator.get(first).status_code == 404


def test_servers_are_taken_out_as_a_configuration_without_their_secrets(curator: Client, db: None) -> None:
    curator.post(bring(curator), chosen(value_0="t0ken"))
    exported = curator.get("/servers/mcp-servers.json")
    assert exported.json() == {
        "mcpServers": {
            "issues": {"type": "http", "url": "https://issues.example/mcp", "headers": {"Authorization": ""}},
            "my-files": {"command": "npx", "args": ["-y", "@scope/files"], "env": {"FILES_KEY": ""}},
        }
    }
    page = text_of(curator, bring(curator, exported.content.decode()))
    assert page.count("is this server already") == 2
