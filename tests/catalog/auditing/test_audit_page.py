"""The audit's page and file: who reads what, filters, keyset, and the way to the row."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import AsyncClient, Client
from django.utils.html import strip_tags

from catalog.auditing import looking
from catalog.auditing.looking import page_of, readable_by
from catalog.auditing.recording import Act, audited, record
from catalog.models import AuditEntry, Catalog, Server
from catalog.roles import Role, give_role
from tests.catalog.pages import text_of

ClientAs = Callable[[Role], Client]


@pytest.fixture
def told(team: Catalog) -> Server:
    """Entries on a server, a tool, a catalog and a person, by two people."""
    ada, bob = (User.objects.create_user(name) for name in ("ada", "bob"))
    server = Server.objects.get(slug="team")
    with audited(Act.SERVER_EDITED, server, ada):
        server.title = "<b>Team</b>"
        server.save()
    record(Act.TOOL_CALLED, server.tools.get(name="notify_user"), by=bob)
    record(Act.CATALOG_CLONED, team, by=bob)
    record(Act.ROLE_CHANGED, bob, {"role": "viewer"}, {"role": "admin"}, by=ada)
    return server


def test_it_says_in_a_sentence_who_did_what_and_leads_to_the_row(told: Server, client_as: ClientAs) -> None:
    admin = client_as(Role.ADMIN)
    page = admin.get("/audit/").content.decode()
    for address in ("/servers/team/", "/tools/team/notify_user/", "/catalogs/team-agent/", "/accounts/"):
        assert f'href="{address}' in page
    assert "<b>Team</b>" not in page
    said = " ".join(strip_tags(page).split())
    assert "ada changed the role of bob" in said
    assert "bob called by hand team__notify_user" in said


def test_a_curator_reads_what_concerns_tools_servers_and_catalogs(told: Server, client_as: ClientAs) -> None:
    page = text_of(client_as(Role.CURATOR), "/audit/")
    assert "called by hand" in page
    assert "changed the role" not in page
    assert {entry.kind for entry in readable_by(Role.CURATOR)} == {"server", "tool", "catalog"}


@pytest.mark.parametrize(
    ("filters", "kinds"),
    [
        ("who=ada", {"server", "person"}),
        ("act=tool-called", {"tool"}),
        ("kind=catalog&key=team-agent", {"catalog"}),
        ("name=NOTIFY", {"tool"}),
        ("since=2000-01-01&until=2000-01-02", set()),
        ("since=2000-01-01&who=bob", {"tool", "catalog"}),
        ("act=nonsense", set()),
        ("before=x", set()),
    ],
)
def test_filters_narrow_it(told: Server, client_as: ClientAs, filters: str, kinds: set[str]) -> None:
    admin = client_as(Role.ADMIN)
    page = admin.get(f"/audit/?{filters}").context["page"]
    assert {entry.kind for entry in page.entries} == kinds


def test_pages_go_by_keys_so_that_new_entries_move_none(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(looking, "A_PAGE", 2)
    for number in range(5):
        record(Act.EXPORTED, f"{number}")
    entries = AuditEntry.objects.all()
    first = page_of(entries, None, None)
    record(Act.EXPORTED, "new")
    second = page_of(entries, first.older, None)
    third = page_of(entries, second.older, None)
    assert [[one.name for one in page.entries] for page in (first, second, third)] == [["4", "3"], ["2", "1"], ["0"]]
    assert (first.newer, third.older) == (0, 0)
    assert [one.name for one in page_of(entries, None, third.newer).entries] == ["2", "1"]
    assert page_of(entries, None, second.newer).newer, "the new one is above"


def test_an_empty_audit_says_what_will_be_found_there(client_as: ClientAs) -> None:
    assert "Nothing was done yet" in text_of(client_as(Role.CURATOR), "/audit/")
    assert "No entry matches" in text_of(client_as(Role.ADMIN), "/audit/?name=none+such")


@pytest.mark.parametrize("address", ["/servers/team/", "/tools/team/notify_user/", "/catalogs/team-agent/"])
def test_a_row_leads_to_its_history(told: Server, client_as: ClientAs, address: str) -> None:
    assert "/audit/?kind=" in client_as(Role.CURATOR).get(address).content.decode()
    assert "/audit/?kind=" not in Client().get(address, follow=True).content.decode()


def test_a_row_that_is_no_more_is_named_without_a_way_to_it(told: Server, client_as: ClientAs) -> None:
    admin = client_as(Role.ADMIN)
    with audited(Act.SERVER_DELETED, told, User.objects.get(username="ada")):
        told.delete()
    page = admin.get("/audit/?who=ada").content.decode()
    assert 'href="/servers/team/"' not in page
    assert "deleted" in page


async def test_the_file_has_an_entry_a_line_of_what_was_asked_for(transactional_db: None) -> None:
    admin = await User.objects.acreate(username="root", is_superuser=True, is_staff=True)
    client = AsyncClient()
    await client.aforce_login(admin)
    answer: Any = await client.get("/audit/export.jsonl?act=signed-in")
    lines = [json.loads(line) for line in b"".join([part async for part in answer.streaming_content]).splitlines()]
    assert [(line["act"], line["who"], line["number"]) for line in lines] == [("signed-in", "root", 1)]
    assert len(lines[0]["hash"]) == 64
    assert (await client.get("/audit/export.jsonl?since=nonsense")).status_code == 404


def test_who_loses_the_role_reads_it_no_longer(person: Callable[[Role], User]) -> None:
    curator = person(Role.CURATOR)
    client = Client()
    client.force_login(curator)
    assert client.get("/audit/").status_code == 200
    give_role(curator, Role.VIEWER)
    assert client.get("/audit/").status_code == 403
