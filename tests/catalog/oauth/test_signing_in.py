"""Signing in to a real server with the MCP library's own OAuth, coming back, using the tokens, and signing out."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.utils import timezone
from mcp.shared.auth import OAuthClientInformationFull as Registered
from pytest_django import Settings

from catalog.connections import connection_of
from catalog.contacting import read_tools
from catalog.health import health_of
from catalog.models import Server, ServerSignIn, SignInAttempt
from catalog.oauth.bearing import stored_sign_in
from catalog.roles import Role
from catalog.sources.errors import NotCarriedOut, SourceError
from catalog.sources.mcp import connect
from playground.runs.secrets import secrets_of_server
from tests.catalog.conftest import ClientAs
from tests.catalog.oauth.conftest import asked_for, errand, reached, sent_back, sign_in
from tests.catalog.oauth.strangers import SERVER, Strangers
from tests.catalog.pages import text_of
from tests.protected import Protected


def called(server: Server, tool: str = "read_note", **arguments: str) -> str:
    connection = connection_of(server)

    async def call() -> str:
        async with connect(connection) as session:
            return (await session.call(tool, arguments)).content_text

    return asyncio.run(call())


def test_an_admin_signs_in_and_out_and_the_tokens_are_seen_by_nobody(
    admin: Client, notes: Server, protected: Protected
) -> None:
    with pytest.raises(SourceError, match=r"401\. It asks for a sign-in, by an admin on the server’s page"):
        read_tools(notes)
    admin.post("/servers/notes/oauth/")
    going = errand(admin)
    host = protected.url.removeprefix("http://").removesuffix("/mcp")
    assert f"You leave Pegboard for {host}" in text_of(admin, "/servers/notes/oauth/")
    asked = asked_for(going)
    assert (asked["resource"], asked["scope"], asked["code_challenge_method"]) == (protected.url, "notes:read", "S256")
    assert asked["redirect_uri"] == "http://testserver/servers/notes/oauth/callback/"
    assert "Pegboard is signed in to Notes." in admin.get(sent_back(going), follow=True).content.decode()

    assert [tool.name for tool in read_tools(notes).tools] == ["read_note", "tell_token"]
    assert called(notes, name="today") == "today: water the plants"
    assert called(notes, "tell_token") == "••••"
    row = ServerSignIn.objects.get()
    assert list(protected.granting.accesses) == [row.kept["access"]]
    pages = ["/servers/notes/", "/servers/notes/oauth/", f"/admin/catalog/serversignin/{row.pk}/change/"]
    with connection.cursor() as cursor:
        cursor.execute("SELECT kept, authority FROM catalog_serversignin")
        seen = "".join([*(text_of(admin, page) for page in pages), str(cursor.fetchall())])
    assert "notes:read" in seen
    assert row.secrets and not any(secret in seen for secret in row.secrets)
    assert set(row.secrets) <= set(secrets_of_server(notes))

    page = admin.post("/servers/notes/oauth/sign-out/", follow=True).content.decode()
    assert "is signed out of Notes" in page and "could not be told" not in page
    assert not ServerSignIn.objects.exists()
    assert not (protected.granting.accesses or protected.granting.refreshes)


def test_an_answer_counts_once_in_its_session_and_with_its_state(
    admin: Client, notes: Server, client_as: ClientAs, protected: Protected
) -> None:
    admin.post("/servers/notes/oauth/")
    answer = sent_back(errand(admin))
    other = Client()
    other.force_login(SignInAttempt.objects.get().user)
    for client, address in [
        (admin, answer.replace("state=", "state=x")),
        (admin, answer.partition("&state=")[0]),
        (other, answer),
    ]:
        assert "belongs to no sign-in that you began" in client.get(address, follow=True).content.decode()
    SignInAttempt.objects.update(expires_at=timezone.now())
    assert "belongs to no sign-in" in admin.get(answer, follow=True).content.decode()
    assert not ServerSignIn.objects.exists()
    assert protected.granting.asked == []

    admin.post("/servers/notes/oauth/")
    answer = sent_back(errand(admin))
    assert "is signed in to Notes" in admin.get(answer, follow=True).content.decode()
    assert "belongs to no sign-in" in admin.get(answer, follow=True).content.decode()
    assert protected.granting.asked == ["authorization_code"]
    curator = client_as(Role.CURATOR)
    assert curator.get("/servers/notes/oauth/").status_code == 403
    assert "Sign in again" not in text_of(curator, "/servers/notes/")


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"iss": "https://evil.example"}, "does not come from 127.0.0.1"),
        ({"code": "", "error": "access_denied"}, "It said “access_denied”."),
        ({"code": "made-up"}, "gave no token: it answered with the HTTP status 400 and “invalid_grant”."),
    ],
)
def test_an_answer_that_is_not_as_it_should_be_signs_nobody_in(
    admin: Client, notes: Server, change: dict[str, str], told: str
) -> None:
    admin.post("/servers/notes/oauth/")
    answer = asked_for(sent_back(errand(admin))) | change
    page = admin.get("/servers/notes/oauth/callback/", answer, follow=True).content.decode()
    assert told in page
    assert not ServerSignIn.objects.exists()
    assert not SignInAttempt.objects.exists()


def test_a_code_is_of_no_use_without_the_verifier_that_never_left(
    admin: Client, notes: Server, protected: Protected
) -> None:
    admin.post("/servers/notes/oauth/")
    answer = sent_back(errand(admin))
    attempt = SignInAttempt.objects.get()
    attempt.kept = {**attempt.kept, "verifier": "a" * 64}
    attempt.save()
    assert "“invalid_grant”" in admin.get(answer, follow=True).content.decode()
    assert protected.granting.accesses == {}


def test_of_many_calls_at_once_one_renews_the_token(admin: Client, notes: Server, protected: Protected) -> None:
    sign_in(admin)
    before = ServerSignIn.objects.get()
    ServerSignIn.objects.update(renew_at=timezone.now())
    sign = stored_sign_in(notes)
    assert sign

    async def at_once() -> list[str]:
        return list(await asyncio.gather(*(sign.token() for _ in range(6))))

    tokens = set(asyncio.run(at_once()))
    after = ServerSignIn.objects.get()
    assert tokens == {after.kept["access"]} != {before.kept["access"]}
    assert protected.granting.asked == ["authorization_code", "refresh_token"]
    assert after.kept["refresh"] != before.kept["refresh"]
    assert stored_sign_in(notes) == sign
    assert called(notes, name="today") == "today: water the plants"


def test_where_the_token_can_no_longer_be_renewed_a_person_is_told_to_sign_in_again(
    admin: Client, notes: Server, protected: Protected
) -> None:
    sign_in(admin)
    protected.granting.refreshes.clear()
    ServerSignIn.objects.update(renew_at=timezone.now())
    assert called(notes, name="today") == "today: water the plants"
    assert "“invalid_grant”. Sign in again on the server’s page." in text_of(admin, "/servers/notes/")
    ServerSignIn.objects.update(expires_at=timezone.now())
    protected.requests.clear()
    with pytest.raises(NotCarriedOut, match=r"Sign in again on the server’s page\. Nothing was sent\."):
        read_tools(notes)
    assert protected.requests == []
    problem = health_of(notes).last_problem
    assert problem and "“invalid_grant”. Sign in again" in problem.problem
    assert "Pegboard is signed in" in sign_in(admin)
    assert ServerSignIn.objects.get().problem == ""


def test_a_call_that_is_answered_401_is_not_sent_twice_and_the_next_goes_with_a_fresh_token(
    admin: Client, notes: Server, protected: Protected
) -> None:
    sign_in(admin)
    connection = connection_of(notes)

    async def call_twice() -> None:
        async with connect(connection) as session:
            assert (await session.call("read_note", {"name": "a"})).content_text == "a: water the plants"
            protected.granting.forget_access_tokens()
            protected.requests.clear()
            with pytest.raises(NotCarriedOut, match="answered with the HTTP status 401"):
                await session.call("read_note", {"name": "b"})

    asyncio.run(call_twice())
    assert [status for method, path, status in protected.requests if (method, path) == ("POST", "/mcp")] == [401]
    assert "The server refused its token" in text_of(admin, "/servers/notes/")
    assert called(notes, name="c") == "c: water the plants"
    assert ServerSignIn.objects.get().problem == ""


def test_a_server_that_asks_for_more_rights_is_signed_in_to_for_those_too(
    admin: Client, notes: Server, protected: Protected
) -> None:
    sign_in(admin)
    sign = stored_sign_in(notes)
    assert sign
    token = asyncio.run(sign.token())
    asyncio.run(sign.refused("another token", 403, "notes:admin"))
    assert ServerSignIn.objects.get().wanted == ""
    asyncio.run(sign.refused(token, 403, "notes:write"))
    assert "asks for rights that were not granted: notes:write" in text_of(admin, "/servers/notes/")
    admin.post("/servers/notes/oauth/")
    going = errand(admin)
    assert asked_for(going)["scope"] == "notes:read notes:write"
    admin.get(sent_back(going))
    row = ServerSignIn.objects.get()
    assert (row.scopes, row.wanted, row.problem) == ("notes:read notes:write", "", "")


def test_a_client_that_was_registered_by_hand_is_used_and_its_secret_not_shown(
    admin: Client, notes: Server, protected: Protected
) -> None:
    redirect = "http://testserver/servers/notes/oauth/callback/"
    by_hand = {"client_id": "by-hand", "client_secret": "s3cret-of-the-notes", "redirect_uris": [redirect]}
    method = {"token_endpoint_auth_method": "client_secret_basic", "scope": "notes:read"}
    protected.granting.clients["by-hand"] = Registered.model_validate({**by_hand, **method})
    sign_in(admin, client_id="by-hand", client_secret="s3cret-of-the-notes", scopes="notes:read")
    assert ServerSignIn.objects.get().kept["client"]["client_id"] == "by-hand"
    assert ("POST", "/register", 201) not in protected.requests
    page = text_of(admin, "/servers/notes/oauth/")
    assert 'value="by-hand"' in page
    assert "s3cret" not in page
    for fields in ({}, {"client_id": "by-hand"}):
        assert "Pegboard is signed in" in sign_in(admin, **fields)
    row = ServerSignIn.objects.get()
    assert row.kept["client"]["client_secret"] == "s3cret-of-the-notes"

    row.kept["asked"]["issuer"] = "https://before.example"
    row.save()
    for fields in ({}, {"client_id": "by-hand"}):
        page = admin.post("/servers/notes/oauth/", fields).content.decode()
        assert "is another authorization server than before, https://before.example" in page


def test_tokens_are_not_sent_to_another_address(admin: Client, notes: Server) -> None:
    sign_in(admin)
    assert stored_sign_in(notes)
    notes.url = notes.url.replace("127.0.0.1", "localhost")
    notes.approve(User.objects.get(username="who-approved"), timezone.now())
    notes.save()
    assert stored_sign_in(notes) is None
    assert "its tokens are not used here" in text_of(admin, "/servers/notes/")


@pytest.mark.threat("T06")
def test_an_evil_address_is_on_no_page_as_a_link(admin: Client, transactional_db: None, strangers: Strangers) -> None:
    reached(f"{strangers.own}/mcp")
    strangers.documents[SERVER] = strangers.metadata(authorization_endpoint="javascript:alert(1)")
    page = admin.post("/servers/notes/oauth/", follow=True).content.decode()
    assert "What 127.0.0.1" in page and "is not gone to" in page
    assert "javascript:" not in page
    assert not SignInAttempt.objects.exists()


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"headers": {"authorization": "Bearer x"}}, "Its headers sign in already."),
        ({"approved_hash": ""}, "which an admin approved as it stands"),
        ({"transport": "stdio"}, "Only an MCP server at an address"),
    ],
)
def test_what_cannot_be_signed_in_to_is_told(admin: Client, change: dict[str, Any], told: str) -> None:
    server = reached("https://notes.example/mcp")
    Server.objects.filter(pk=server.pk).update(**change)
    if "headers" in change:
        server.refresh_from_db()
        server.approve(User.objects.get(username="who-approved"), timezone.now())
        server.save()
    assert told in admin.post("/servers/notes/oauth/").content.decode()


def test_where_the_key_of_the_secrets_is_gone_nothing_is_sent(
    admin: Client, notes: Server, tmp_path: Path, settings: Settings
) -> None:
    sign_in(admin)
    settings.ENCRYPTION_KEY_FILE = tmp_path / "another.key"
    with pytest.raises(NotCarriedOut, match="its key is gone"):
        read_tools(notes)
    assert ServerSignIn.objects.get().secrets == []
    assert "cannot be renewed" in text_of(admin, "/servers/notes/")
