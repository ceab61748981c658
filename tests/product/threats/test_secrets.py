"""A secret that was written down comes out nowhere: not of the disk, not on a page, not in a record (T20 to T22)."""

import asyncio
import base64
import json
import re
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client, override_settings
from django.urls import URLPattern
from django.utils import timezone

from catalog.configurations import keep
from catalog.models import AccessToken, Catalog, Configuration, Server
from catalog.redaction import Redactor
from catalog.roles import Role
from catalog.shaping import place_server
from catalog.sources.mcp_servers import read as read_configuration
from playground.agent.events import CallFinished, CallMade, Event, ModelRetried, RunEnded, TextStreamed
from playground.models import ChatModel, Run, Thread
from playground.runs.recording import TEXT_EVERY, Recorder
from playground.runs.secrets import secrets_of_run
from tests.forms import began_from
from tests.playground.runs.conftest import STARTED
from tests.product.test_access import PARTS, ROUTES

CANARY = "sk-CANARY-4b7e9c51d0a2"
PHRASE = "a canary of several words, and 9c51"
"""A secret with spaces in it."""


def forms(secret: str) -> Iterator[str]:
    """How it could stand in a text."""
    raw = secret.encode()
    yield from (secret, secret[::-1], quote(secret, safe=""), json.dumps(secret)[1:-1], raw.hex())
    for shift in range(3):
        whole = base64.b64encode(bytes(shift) + raw + bytes(3)).decode()
        yield whole[(0, 2, 3)[shift] : (shift + len(raw)) * 8 // 6]


def leaks(text: str) -> list[str]:
    return [form for secret in (CANARY, PHRASE) for form in forms(secret) if form in text]


@pytest.fixture
def rows(team: Catalog) -> Server:
    """Every kind of secret that the product keeps."""
    owner = User.objects.create_user("owner")
    server = Server(slug="kept", title="Kept", kind=Server.Kind.OPENAPI, transport=Server.Transport.HTTP)
    server.url = "http://example.com"
    server.env, server.headers = {"TOKEN": CANARY, "PHRASE": PHRASE}, {"Authorization": f"Bearer {CANARY}"}
    server.credentials = {"key": {"place": "query", "parameter": "key", "form": "key", "secret": CANARY}}
    server.save()
    command = Server.objects.create(
        slug="started", title="Started", kind=Server.Kind.MCP, transport=Server.Transport.STDIO, command="/bin/true"
    )
    command.env = {"TOKEN": CANARY}
    command.save()
    for one in (server, command):
        place_server(team, one, "everything")
    model = ChatModel(title="Own", name="openai/own", base_url="http://example.com")
    model.secrets = {"api_key": CANARY}
    model.save()
    found = {"mcpServers": {"far": {"command": "/bin/true", "env": {"TOKEN": CANARY}, "args": ["--key", CANARY]}}}
    keep(read_configuration(json.dumps(found).encode()), "mcp.json", owner)
    return server


def dumped() -> str:
    """Every row of every table, as the database file has it."""
    assert isinstance(connection.connection, sqlite3.Connection)
    return "\n".join(connection.connection.iterdump())


@pytest.mark.threat("T20")
def test_neither_the_database_nor_the_index_holds_a_secret(rows: Server) -> None:
    assert leaks(dumped()) == []
    for path in Path(settings.PEGBOARD_INDEX_DIR).rglob("*"):
        assert not path.is_file() or leaks(path.read_bytes().decode("latin-1")) == []


@pytest.mark.threat("T20")
def test_the_search_above_would_see_one(rows: Server) -> None:
    Server.objects.filter(slug="kept").update(description=f"x{base64.b64encode(CANARY.encode()).decode()}")
    assert leaks(dumped())


@pytest.mark.threat("T20")
def test_without_its_key_secrets_are_locked_and_all_else_works(
    rows: Server, client_as: Callable[[Role], Client], tmp_path: Path
) -> None:
    with override_settings(ENCRYPTION_KEY_FILE=tmp_path / "another.key"):
        admin = client_as(Role.ADMIN)
        for address in ("/servers/kept/", "/servers/kept/edit/", "/servers/started/edit/", "/chat-models/", "/tools/"):
            page = admin.get(address)
            assert page.status_code == 200
            assert leaks(page.content.decode()) == []
        assert set(Server.objects.get(slug="kept").env) == {"locked"}
    assert (tmp_path / "another.key").stat().st_mode & 0o077 == 0


def address_of(pattern: URLPattern, parts: dict[str, Any]) -> str:
    address = "/" + str(pattern.pattern)
    for name in pattern.pattern.converters:
        address = re.sub(rf"<(\w+:)?{name}>", str(parts[name]), address)
    assert "<" not in address
    return address


@pytest.mark.threat("T21")
@pytest.mark.parametrize("role", [Role.VIEWER, Role.ADMIN])
def test_no_page_gives_a_secret_back(rows: Server, client_as: Callable[[Role], Client], role: Role) -> None:
    client = client_as(role)
    parts = {**PARTS, "pk": Configuration.objects.get().pk}
    read = 0
    addresses = {address_of(way, {**parts, "slug": slug}) for way in ROUTES.values() for slug in ("kept", "started")}
    addresses.add(f"/chat-models/{ChatModel.objects.get(title='Own').pk}/")
    for address in sorted(addresses):
        answer = client.get(address)
        assert leaks("" if answer.streaming else answer.getvalue().decode()) == [], address
        read += answer.status_code == 200
    for address in (f"/admin/catalog/server/{rows.pk}/change/", "/admin/playground/chatmodel/", "/admin/catalog/app/"):
        assert leaks(client.get(address, follow=True).content.decode()) == []
    assert read > 15


@pytest.mark.threat("T21")
def test_a_form_that_is_refused_does_not_repeat_a_secret(rows: Server, client_as: Callable[[Role], Client]) -> None:
    admin = client_as(Role.ADMIN)
    model = ChatModel.objects.get(title="Own").pk
    for address, filled in {
        "/servers/add/command/": {"title": "", "command_line": "", "environment": f"TOKEN={CANARY}"},
        "/servers/started/edit/": {"title": "", "command_line": "/bin/true", "environment": f"A={CANARY}\n ={CANARY}"},
        "/servers/add/address/": {"title": "", "url": "x", "http_headers": f"Authorization: Bearer {CANARY}"},
        "/servers/kept/edit/": {"title": "", "http_headers": f"Bad Header {CANARY}\nX: {CANARY}"},
        f"/chat-models/{model}/": {"title": "", "name": "", "api_key": CANARY},
        "/chat-models/": {"title": "", "name": "", "api_key": CANARY},
        "/servers/add/configuration/": {"text": f'{{"mcpServers": {{"a": {{"env": {{"TOKEN": "{CANARY}"}}'},
    }.items():
        is_edit = address.endswith("/edit/") or str(model) in address
        for began in ({"began_from": began_from(admin, address)}, {}) if is_edit else ({},):
            page = admin.post(address, {**filled, **began})
            assert page.status_code == (409 if is_edit and not began else 200), address
            assert leaks(page.content.decode()) == [], address


@pytest.mark.threat("T21")
def test_an_access_token_is_told_once(client_as: Callable[[Role], Client]) -> None:
    client = client_as(Role.ADMIN)
    page = client.post("/access-tokens/", {"title": "Mine"}, follow=True).content.decode()
    token = next(word for word in page.replace("<", " ").replace(">", " ").split() if word.startswith("pegboard_"))
    assert AccessToken.objects.get().pk
    assert token not in client.get("/access-tokens/").content.decode()
    assert token not in dumped()


def said_in_every_way() -> list[Event]:
    """What models, tools and endpoints could say that holds the secrets."""
    ways = [form for secret in (CANARY, PHRASE) for form in forms(secret) if form != secret[::-1]]
    told = [
        CallFinished(1, f"c{number}", "x", "ok", f'{{"said": "{form}", "more": [1]}}', 0.1)
        for number, form in enumerate(ways)
    ]
    return [
        STARTED,
        ModelRetried(1, 1, f"401: the key {CANARY} is no good", 0.1),
        CallMade(1, "c", "x", json.dumps({"key": CANARY, "note": PHRASE}), False),
        *told,
    ]


@pytest.mark.threat("T22")
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("size", [1, 3, 7, 1_000])
async def test_a_secret_that_a_run_comes_across_is_in_no_record(run: Run, size: int) -> None:
    recorder = Recorder(run.pk)
    recorder.redactor = Redactor([CANARY, PHRASE])
    for event in said_in_every_way() if size == 1_000 else [STARTED]:
        await recorder.record(event)
    text = f"The key is {CANARY} and the words are: {PHRASE}. Both, run together {PHRASE}{CANARY}! " + "x" * 500
    for start in range(0, len(text), size):
        await recorder.record(TextStreamed(1, text[start : start + size]))
        if start % 21 == 0:
            await asyncio.sleep(TEXT_EVERY * 1.2)
    await recorder.record(RunEnded("failed", f"Model rejected: {CANARY}"))
    await recorder.close()
    said = [event.body.get("text", "") async for event in run.events.filter(kind="text_streamed").order_by("seq")]
    whole = "".join(said)
    assert leaks(whole) == []
    assert whole.startswith("The key is •••• and the words are: ••••. Both, run together ") and whole.endswith(
        "x" * 500
    )
    assert not any(part in whole for part in ("a canary", "several words", "9c51"))
    bodies = [str(event.body) async for event in run.events.all()]
    assert leaks("\n".join(bodies)) == []


@pytest.mark.threat("T22")
def test_a_run_knows_every_secret_of_its_catalog_and_model(rows: Server, team: Catalog) -> None:
    model = ChatModel.objects.get(title="Own")
    run = Run.objects.create(thread=Thread.objects.create(title="t"), task="t", catalog=team, chat_model=model)
    redactor = Redactor(secrets_of_run(run))
    for event in said_in_every_way():
        assert leaks(redactor.text(str(event)).replace("CANARY"[::-1], "")) == [], event


@pytest.fixture
def run(transactional_db: None) -> Run:
    return Run.objects.create(thread=Thread.objects.create(title="t"), task="t", created_at=timezone.now())
