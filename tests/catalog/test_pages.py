"""Every page of the curation side: home, chat models, who may open what, and text that would mislead."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from catalog.editing import save_overlay
from catalog.importing import import_listing
from catalog.models import Catalog, Import, Server, Tool
from catalog.roles import Role
from catalog.shaping import exclude, show_upfront
from catalog.sources.listing import read_listing
from playground.models import ChatModel
from tests.catalog.pages import plan_for, text_of
from tests.forms import send

ClientAs = Callable[[Role], Client]

EVIL = "<hostile>\u202e"
HOSTILE: list[dict[str, Any]] = [
    {
        "name": "pay\u202eout",
        "title": EVIL,
        "description": f"Pays <script>alert(1)</script> {EVIL} \x1b[31m.",
        "inputSchema": {
            "type": "object",
            "properties": {"<hostile>": {"enum": [EVIL], "description": EVIL, "default": "\u200b", "pattern": EVIL}},
        },
        "annotations": {"items": EVIL, EVIL: "\x1b"},
        "tags": [EVIL],
        "category": EVIL,
        "localised": {"zh-CN": {"title": EVIL, "description": f"付款{EVIL}"}},
        "aliases": [EVIL],
        "search_text": EVIL,
    },
    {"name": f"broken{EVIL}", "inputSchema": "<hostile>"},
]
INVISIBLE = ("\u202e", "\u200b", "\x1b")


@pytest.fixture
def hostile(team: Catalog) -> Server:
    """A server of the small catalog's owner whose listing tries to mislead."""
    server = Server.objects.create(slug="ledger", title="Ledger", kind=Server.Kind.FILE)
    import_listing(server, read_listing(HOSTILE, curated=True))
    Server.objects.filter(slug="ledger").update(sync_problem=EVIL)
    team.servers.create(server=server, position=5)
    return server


def test_home_says_what_this_is_and_the_next_step(viewer: Client, admin: Client, sample: Catalog) -> None:
    page = text_of(admin, "/")
    assert "See how an agent finds its tools" in page
    assert "2 of 196 tools" in page
    assert "Search the sample" in page
    assert "Add a chat model" in page
    assert "Add a chat model" not in text_of(viewer, "/")


def test_home_tells_of_imports_that_wait_and_servers_in_trouble(viewer: Client, hostile: Server) -> None:
    plan_for(hostile, read_listing(HOSTILE))
    page = text_of(viewer, "/")
    assert "An import into Ledger waits for you." in page
    assert "The tools of Ledger could not be read." in page


def test_home_and_lists_say_what_to_do_where_nothing_is_yet(curator: Client) -> None:
    assert "No run yet" in text_of(curator, "/")
    assert "No server yet" in text_of(curator, "/servers/")
    assert "No tools yet" in text_of(curator, "/tools/")
    assert "Make a catalog" in text_of(curator, "/catalogs/")


def test_a_chat_model_s_key_is_written_and_never_shown(admin: Client) -> None:
    filled = {"title": "Office", "name": "openai/gpt-5-mini", "api_key": "sk-secret", "enabled": "on"}
    page = admin.post("/chat-models/", filled, follow=True).content.decode()
    assert "stored" in page
    model = ChatModel.objects.get(title="Office")
    assert model.api_key == "sk-secret"
    form = text_of(admin, f"/chat-models/{model.pk}/")
    assert "sk-secret" not in page + form
    send(admin, f"/chat-models/{model.pk}/", {**filled, "api_key": ""})
    assert ChatModel.objects.get(title="Office").api_key == "sk-secret"
    send(admin, f"/chat-models/{model.pk}/", {**filled, "api_key": "", "forget_key": "on"})
    assert ChatModel.objects.get(title="Office").api_key == ""


def test_a_chat_model_without_a_provider_is_refused(admin: Client) -> None:
    assert "provider/model" in admin.post("/chat-models/", {"title": "X", "name": "gpt"}).content.decode()


@pytest.mark.parametrize(
    ("role", "address"),
    [
        (Role.PRESENTER, "/servers/add/command/"),
        (Role.PRESENTER, "/servers/team/edit/"),
        (Role.PRESENTER, "/tools/team/getWeather/edit/"),
        (Role.PRESENTER, "/catalogs/add/"),
        (Role.PRESENTER, "/catalogs/team-agent/edit/"),
        (Role.PRESENTER, "/catalogs/team-agent/servers/"),
        (Role.CURATOR, "/chat-models/"),
    ],
)
def test_a_lower_role_is_refused(client_as: ClientAs, team: Catalog, role: Role, address: str) -> None:
    assert client_as(role).get(address).status_code == 403


@pytest.mark.parametrize(
    ("address", "place"),
    [
        ("/", None),
        ("/servers/", None),
        ("/servers/ledger/", None),
        ("/tools/?server=ledger", None),
        ("/tools/ledger/pay%E2%80%AEout/", None),
        ("/tools/ledger/pay%E2%80%AEout/edit/", None),
        ("/catalogs/team-agent/?q=pay", None),
        ("/catalogs/team-agent/?part=left-out", exclude),
        ("/catalogs/team-agent/?part=upfront", show_upfront),
    ],
)
def test_text_that_would_mislead_is_escaped_and_made_visible(
    curator: Client, team: Catalog, hostile: Server, address: str, place: Callable[[Catalog, Tool], None] | None
) -> None:
    tool = hostile.tools.get()
    tool.own_tags = [EVIL, "more"]
    save_overlay(tool, by=None)
    if place:
        place(team, tool)
    page = text_of(curator, address)
    assert "U+202E" in page
    assert_harmless(page)


def test_an_import_shows_hostile_text_escaped_and_visible(curator: Client, hostile: Server) -> None:
    changed = [{**HOSTILE[0], "description": f"Now <script>alert(2)</script> {EVIL}"}, HOSTILE[1], {"name": EVIL}]
    importation = plan_for(hostile, read_listing(changed, curated=True))
    page = text_of(curator, importation.get_absolute_url())
    assert "ledger<span" in page
    assert page.count("U+202E") >= 4
    assert_harmless(page)
    Import.objects.update(state=Import.State.FAILED, error=f"<script>alert(3)</script>{EVIL}\x1b")
    assert_harmless(text_of(curator, importation.get_absolute_url()))


def assert_harmless(page: str) -> None:
    """No tag of the listing is one of the page. Only what a form sends back holds characters that cannot be seen."""
    assert "<hostile" not in page
    assert "<script>alert" not in page
    shown = re.sub(r'<textarea.*?</textarea>|<input type="hidden"[^>]*>', "", page, flags=re.DOTALL)
    assert [char for char in INVISIBLE if char in shown] == []
