"""Calling a tool by hand: the form, what is refused, what is sent to a real server, and what is kept."""

from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from catalog.importing import import_listing
from catalog.models import Catalog, Server, Tool
from catalog.roles import Role
from catalog.sources.listing import read_listing
from playground.models import HandCall
from playground.runs.by_hand import KEPT
from tests.approving import approve
from tests.catalog.pages import text_of
from tests.servers import faulty_command

NOTIFY = "/tools/team/notify_user/call/"
ECHO = "/tools/faulty/echo/call/"


pytestmark = pytest.mark.django_db(transaction=True)
"""Links read in threads of their own, which see only what is committed."""


@pytest.fixture
def curator(client_as: Any) -> Client:
    client: Client = client_as(Role.CURATOR)
    return client


def shape(tool: str, **fields: Any) -> None:
    Tool.objects.filter(name=tool).update(**fields)


def connect_faulty(mode: str, **env: str) -> Server:
    """Our own faulty server, approved, with its one tool."""
    command = faulty_command(mode, None, **env)
    server = Server(slug="faulty", title="Faulty", kind=Server.Kind.MCP, transport=Server.Transport.STDIO)
    server.command, server.args, server.env = command.command, list(command.args), dict(command.env)
    approve(server)
    schema = {"type": "object", "properties": {"text": {"type": "string"}}}
    import_listing(server, read_listing([{"name": "echo", "description": "Echo", "inputSchema": schema}]))
    return server


def test_a_simulated_tool_is_called_says_so_and_is_kept(curator: Client, team: Catalog) -> None:
    schema = {"type": "object", "properties": {"who": {"type": "string"}}, "required": ["who"]}
    shape("notify_user", parameters=schema, simulated_result={"told": "{who}"})
    assert "Its answer is simulated" in text_of(curator, NOTIFY)
    page = curator.post(NOTIFY, {"p-0": "Ada"}, follow=True).content.decode()
    assert "told&quot;: &quot;Ada" in page
    assert "simulated, nothing is sent anywhere" in page
    call = HandCall.objects.get()
    assert (call.arguments, call.is_simulated, call.is_error) == ({"who": "Ada"}, True, False)
    assert ">Ada</textarea>" in text_of(curator, f"{NOTIFY}?call={call.pk}")


def test_arguments_that_do_not_fit_are_told_at_their_field_and_nothing_is_called(
    curator: Client, team: Catalog
) -> None:
    schema = {"type": "object", "properties": {"who": {"type": "string"}, "day": {"type": "integer"}}}
    shape("notify_user", parameters={**schema, "required": ["who"]})
    page = curator.post(NOTIFY, {"p-1": "soon"}).content.decode()
    assert "Nothing was sent." in page
    assert "“soon” is not a whole number." in page
    assert "is required" in page
    assert not HandCall.objects.exists()


def test_a_problem_without_a_field_is_told_above_the_form(curator: Client, team: Catalog) -> None:
    shape("notify_user", parameters={"type": "object", "properties": {}, "minProperties": 1})
    page = curator.post(NOTIFY).content.decode()
    assert "the arguments: " in page
    assert not HandCall.objects.exists()


def test_arguments_can_be_written_as_json(curator: Client, team: Catalog) -> None:
    curator.post(NOTIFY, {"as": "json", "json": '{"anything": [1]}'})
    assert HandCall.objects.get().arguments == {"anything": [1]}
    assert "Arguments are a JSON object" in curator.post(NOTIFY, {"as": "json", "json": "[]"}).content.decode()
    assert HandCall.objects.count() == 1


def test_looking_at_the_form_never_calls_and_neither_does_its_preview(curator: Client, team: Catalog) -> None:
    text_of(curator, f"{NOTIFY}?p-0=x&meant=yes")
    preview = curator.post(NOTIFY + "arguments/", {"as": "json", "json": '{"x": 1}'}).content.decode()
    assert "&quot;x&quot;: 1" in preview
    assert not HandCall.objects.exists()


def test_a_real_server_is_called_once_it_is_said_to_be_meant(curator: Client, db: None) -> None:
    connect_faulty("good")
    page = curator.post(ECHO, {"p-0": "x"}).content.decode()
    assert "the tick above is missing" in page
    unfit = curator.post(ECHO, {"as": "json", "json": '{"text": 7}', "meant": "yes"}).content.decode()
    assert 'value="yes" checked' in unfit and 'value="yes" checked' not in page
    assert not HandCall.objects.exists()
    page = curator.post(ECHO, {"p-0": "x", "meant": "yes"}, follow=True).content.decode()
    assert "hello</pre>" in page
    assert "MCP sessions: started in" in page
    assert not HandCall.objects.get().is_simulated


def test_a_picture_in_a_result_is_shown_to_whoever_called(curator: Client, db: None) -> None:
    connect_faulty("mixed")
    page = curator.post(ECHO, {"meant": "yes"}, follow=True).content.decode()
    assert '<img class="picture" src="data:image/png;base64,QUJD' in page
    assert "[image, image/png, 3,000 bytes]" in page
    HandCall.objects.update(result="")
    assert "It completed and returned no content." in text_of(curator, f"{ECHO}?call={HandCall.objects.get().pk}")


def test_a_tool_that_only_reads_is_called_without_being_asked(curator: Client, db: None) -> None:
    connect_faulty("failcall")
    shape("echo", own_permission="read")
    page = curator.post(ECHO, follow=True).content.decode()
    assert "It failed" in page
    assert "no such city" in page


def test_a_server_that_ends_in_the_middle_of_a_call_is_told_in_plain_words(curator: Client, db: None) -> None:
    connect_faulty("crashcall")
    page = curator.post(ECHO, {"meant": "yes"}, follow=True).content.decode()
    assert "The server ended (exit status 9)" in page
    assert "it was not sent again" in page


def test_what_a_server_knows_of_secrets_is_masked(curator: Client, db: None, tmp_path: Path) -> None:
    connect_faulty("environment", TOKEN="canary-0123456789")
    curator.post(ECHO, {"p-0": "canary-0123456789", "meant": "yes"})
    call = HandCall.objects.get()
    assert "TOKEN" in call.result
    assert "canary" not in call.result + str(call.arguments)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"approved_hash": ""}, "An admin must approve Faulty"),
        ({"approved_hash": "0" * 64}, "An admin must approve Faulty"),
        ({"enabled": False}, "is switched off"),
    ],
)
def test_what_may_not_be_reached_is_not_called(curator: Client, db: None, change: dict[str, Any], words: str) -> None:
    Server.objects.filter(pk=connect_faulty("good").pk).update(**change)
    assert words in text_of(curator, ECHO)
    assert words in curator.post(ECHO, {"meant": "yes"}).content.decode()
    assert not HandCall.objects.exists()


def test_an_agent_is_not_called_by_hand(curator: Client, sample: Catalog) -> None:
    agent = Tool.objects.filter(capability="agent").select_related("server")[0]
    page = curator.post(f"/tools/{agent.server.slug}/{agent.name}/call/").content.decode()
    assert "This is an agent" in page
    assert not HandCall.objects.exists()


def test_the_text_of_a_skill_is_its_answer(curator: Client, sample: Catalog) -> None:
    skill = Tool.objects.filter(capability="skill").select_related("server")[0]
    page = curator.post(f"/tools/{skill.server.slug}/{skill.name}/call/", follow=True).content.decode()
    assert "nothing of it is run" in page


def test_a_person_keeps_the_last_calls_of_a_tool_and_sees_nobody_elses(
    curator: Client, client_as: Any, team: Catalog
) -> None:
    for _ in range(KEPT + 2):
        curator.post(NOTIFY)
    assert HandCall.objects.count() == KEPT
    call = HandCall.objects.latest("at")
    other = client_as(Role.ADMIN)
    assert other.get(f"{NOTIFY}?call={call.pk}").status_code == 404
    assert f"call={call.pk}" not in text_of(other, NOTIFY)


def test_a_call_can_be_copied_as_a_command_without_secrets(curator: Client, db: None) -> None:
    server = connect_faulty("good")
    assert "&quot;method&quot;: &quot;tools/call&quot;" in text_of(curator, ECHO)
    secrets: Any = {"X-Key": "canary-0123456789"}
    server.transport, server.url, server.headers = Server.Transport.HTTP, "https://example.com/mcp", secrets
    approve(server)
    page = text_of(curator, ECHO)
    assert "curl https://example.com/mcp" in page
    assert "$X_KEY" in page
    assert "canary" not in page
