"""Apps that register their tools: what is taken, what is refused and why, and what waits for an admin."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client

from catalog.absence.rows import tool_called
from catalog.importing import import_listing
from catalog.indexing import exposure_of
from catalog.models import AccessToken, App, Catalog, Import, Server, ToolVersion
from catalog.roles import Role, give_role
from catalog.shaping import place_server
from catalog.sources.listing import read_listing
from tests.catalog.pages import text_of
from tests.forms import send

ADDRESS = "/api/apps/desk/"
FORECAST = {"name": "get_forecast", "description": "Forecast for a city.", "parameters": {"type": "object"}}
BALLOON = {"name": "order_balloon", "description": "Order a balloon.", "permission": "execute", "tags": ["sky"]}
DESK = {"title": "Desk", "callback_url": "http://127.0.0.1:9000/calls", "tools": [FORECAST, BALLOON]}
Asking = Callable[..., tuple[int, dict[str, Any]]]


@pytest.fixture
def token(person: Callable[[Role], User]) -> str:
    return AccessToken.make(person(Role.CURATOR), "the desk", may_register=True)


@pytest.fixture
def ask(token: str) -> Asking:
    """A request with the token: its status and the body of the answer."""

    def asked(method: str, body: Any = None, address: str = ADDRESS, **headers: str) -> tuple[int, dict[str, Any]]:
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        headers = {"Authorization": f"Bearer {token}", **headers}
        client = Client(enforce_csrf_checks=True)
        answer = client.generic(method, address, content, "application/json", headers=headers)
        return answer.status_code, answer.json()

    return asked


def desk() -> Server:
    return Server.objects.get(slug="desk")


def test_an_app_registers_and_gets_its_signing_key_once(ask: Asking) -> None:
    status, told = ask("PUT", DESK)
    assert (status, told["registered"], told["approved"]) == (201, True, False)
    assert told["tools"] == ["sdk_desk_get_forecast", "sdk_desk_order_balloon"]
    assert told["changes"]["added"] == ["get_forecast", "order_balloon"]
    assert told["signing_key"] == App.objects.get().signing_key
    status, again = ask("PUT", DESK)
    assert (status, again["changes"]["unchanged"]) == (200, 2)
    assert "signing_key" not in again
    assert (Import.objects.count(), ToolVersion.objects.count()) == (1, 2), "the second time nothing was written"


def test_of_a_changed_list_only_what_differs_is_written(ask: Asking) -> None:
    ask("PUT", DESK)
    before = desk().tools.get(name="order_balloon").updated_at
    _, told = ask("PUT", DESK | {"tools": [FORECAST | {"description": "For a city and a day."}, BALLOON]})
    assert told["changes"] == {"added": [], "changed": ["get_forecast"], "gone": [], "back": [], "unchanged": 1}
    assert desk().tools.get(name="order_balloon").updated_at == before
    _, told = ask("PUT", DESK | {"tools": [BALLOON]})
    assert told["changes"]["gone"] == ["get_forecast"]
    assert told["tools"] == ["sdk_desk_order_balloon"]


def test_each_registration_that_changed_something_is_an_import_of_its_server(ask: Asking, viewer: Client) -> None:
    ask("PUT", DESK)
    ask("PUT", DESK | {"tools": [BALLOON]})
    newest = Import.objects.latest("pk")
    assert "the app itself" in text_of(viewer, newest.get_absolute_url())
    assert "1 gone, 1 unchanged" in text_of(viewer, newest.get_absolute_url())


def test_an_app_that_lost_its_key_gets_another(ask: Asking) -> None:
    first = ask("PUT", DESK)[1]["signing_key"]
    second = ask("PUT", DESK | {"new_signing_key": True})[1]["signing_key"]
    assert first != second == App.objects.get().signing_key


def test_the_signing_key_is_encrypted_and_on_no_page(ask: Asking, admin: Client) -> None:
    key = ask("PUT", DESK)[1]["signing_key"]
    with connection.cursor() as cursor:
        cursor.execute("SELECT secret FROM catalog_app")
        (stored,) = cursor.fetchone()
    assert stored and key not in stored
    assert key not in text_of(admin, "/servers/desk/")
    assert key not in json.dumps(ask("GET")[1])


def test_an_app_that_unregistered_keeps_its_tools(ask: Asking, viewer: Client) -> None:
    ask("PUT", DESK)
    status, told = ask("DELETE")
    assert (status, told["registered"]) == (200, False)
    assert desk().tools.here().count() == 2
    assert "The app is not connected." in text_of(viewer, "/servers/desk/")
    assert "unregistered" in text_of(viewer, "/servers/")
    assert ask("PUT", DESK)[1]["registered"]
    assert "The app is not connected." not in text_of(viewer, "/servers/desk/")


def test_an_app_that_is_not_there_is_not_found(ask: Asking) -> None:
    assert [ask(method)[0] for method in ("GET", "DELETE")] == [404, 404]


def test_the_name_of_another_kind_of_server_is_taken(ask: Asking) -> None:
    Server.objects.create(slug="desk", title="Own", kind=Server.Kind.FILE)
    status, told = ask("PUT", DESK)
    assert status == 409
    assert "no app" in told["problems"]["name"]
    assert desk().title == "Own"


@pytest.mark.parametrize("name", ["Desk", "a_b", "-desk", "d" * 41])
def test_a_name_must_be_a_short_name(ask: Asking, name: str) -> None:
    status, told = ask("PUT", DESK, f"/api/apps/{name}/")
    assert (status, list(told["problems"])) == (400, ["name"])


@pytest.mark.parametrize(
    ("change", "path", "why"),
    [
        ({"title": ""}, "title", "at least 1 character"),
        ({"title": 7}, "title", "valid string"),
        ({"callback_url": "ftp://x.example/"}, "callback_url", "https://"),
        ({"callback_url": "http://169.254.169.254/"}, "callback_url", "private or reserved"),
        ({"callback_url": "http://me:secret@x.example/"}, "callback_url", "user or password"),
        ({"tools": []}, "tools", "at least 1 item"),
        ({"tools": [FORECAST] * 1_001}, "tools", "at most 1000 items"),
        ({"tools": [FORECAST, FORECAST]}, "tools[1].name", "tools[0] has the same name"),
        ({"tools": [FORECAST | {"name": "get forecast"}]}, "tools[0].name", "pattern"),
        ({"tools": [BALLOON, FORECAST | {"parameters": {"type": "array"}}]}, "tools[1].parameters.type", "an object"),
        (
            {"tools": [FORECAST | {"parameters": {"properties": {"city": {"type": "city"}}}}]},
            "tools[0].parameters.properties.city.type",
            "not valid",
        ),
        ({"tools": [FORECAST | {"parameters": {"properties": 3}}]}, "tools[0].parameters.properties", "3 is not"),
        ({"tools": [BALLOON | {"permission": "fly"}]}, "tools[0].permission", "'dangerous'"),
        ({"tools": [BALLOON | {"tags": [3]}]}, "tools[0].tags[0]", "valid string"),
        ({"tools": [BALLOON | {"descriptoin": ""}]}, "tools[0].descriptoin", "not permitted"),
        ({"tools": [{"name": "x"}]}, "tools[0].description", "required"),
        ({"tools": [FORECAST | {"parameters": {"$ref": "http://x.example/"}}]}, "tools[0]", "never fetched"),
        ({"tools": "none"}, "tools", "valid list"),
    ],
)
def test_what_cannot_be_taken_is_told_by_its_path(ask: Asking, change: dict[str, Any], path: str, why: str) -> None:
    status, told = ask("PUT", DESK | change)
    assert status == 400
    assert why in told["problems"][path]
    assert not Server.objects.exists()


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"{", "line 1, column 2"),
        (b"\xff", "not UTF-8"),
        (b'{"title": NaN}', "NaN"),
        (b'{"title": "a", "title": "b"}', "twice"),
        (b"[" * 100_000, "nested"),
        (b"[]", "valid dictionary"),
    ],
)
def test_a_body_that_is_no_json_object_is_refused(ask: Asking, content: bytes, why: str) -> None:
    status, told = ask("PUT", content)
    assert status == 400
    assert why in told["problems"]["body"]


@pytest.mark.parametrize("size", [2_100_000, 11_000_000])
def test_a_body_that_is_too_large_is_refused(ask: Asking, size: int) -> None:
    status, told = ask("PUT", DESK | {"description": "d" * size})
    assert (status, told["problems"]) == (413, {"body": "It is larger than 2 MB."})


def test_a_new_callback_address_needs_another_approval(ask: Asking, admin: Client) -> None:
    ask("PUT", DESK)
    page = text_of(admin, "/servers/desk/")
    assert "An admin must approve this callback address" in page
    assert "127.0.0.1:9000" in page
    assert "Read its tools" not in page
    answer = admin.post("/servers/desk/approve/", {"config_hash": desk().config_hash}, follow=True)
    assert "was approved" in answer.content.decode()
    assert ask("PUT", DESK)[1]["approved"]
    assert not ask("PUT", DESK | {"callback_url": "http://127.0.0.1:9001/calls"})[1]["approved"]
    assert "It was changed since it was approved." in text_of(admin, "/servers/desk/")


def test_an_app_is_never_read_as_an_mcp_server(ask: Asking, admin: Client, submitted: list[Callable[[], None]]) -> None:
    ask("PUT", DESK)
    admin.post("/servers/desk/approve/", {"config_hash": desk().config_hash})
    assert submitted == []
    admin.post("/servers/desk/read/")
    for work in submitted:
        work()
    assert "is no MCP server" in Import.objects.filter(state=Import.State.FAILED).get().error


def test_a_switched_off_app_stays_off(ask: Asking, curator_of_desk: Client) -> None:
    ask("PUT", DESK)
    curator_of_desk.post("/servers/desk/switch/")
    assert ask("PUT", DESK)[1]["enabled"] is False


@pytest.fixture
def curator_of_desk(token: str) -> Client:
    client = Client()
    client.force_login(User.objects.get(username="a-curator"))
    return client


def test_a_curator_chooses_how_its_tools_are_called(ask: Asking, curator_of_desk: Client) -> None:
    ask("PUT", DESK)
    page = text_of(curator_of_desk, "/servers/desk/edit/")
    assert "sdk_app_tool" in page
    assert "mcp_server_tool" not in page
    send(curator_of_desk, "/servers/desk/edit/", {"name_rule": "prefixed"})
    assert ask("GET")[1]["tools"] == ["desk__get_forecast", "desk__order_balloon"]


def test_an_admins_cookie_registers_nothing(admin: Client) -> None:
    answer = admin.put(ADDRESS, DESK, "application/json")
    assert answer.status_code == 401
    assert not Server.objects.exists()


def test_a_token_registers_only_if_it_may_and_its_owner_may(ask: Asking, person: Callable[[Role], User]) -> None:
    presenter = AccessToken.make(person(Role.PRESENTER), "x", may_register=True)
    searching = AccessToken.make(person(Role.ADMIN), "x")
    for token, status in ((presenter, 403), (searching, 403), ("made-up", 401), ("", 401)):
        for method in ("PUT", "GET", "DELETE"):
            assert ask(method, DESK, Authorization=f"Bearer {token}")[0] == status
    assert ask("PUT", DESK)[0] == 201
    give_role(User.objects.get(username="a-curator"), Role.VIEWER)
    assert ask("PUT", DESK)[0] == 403


def test_only_who_may_add_servers_can_make_a_token_that_registers(curator: Client, viewer: Client) -> None:
    assert "may_register" in text_of(curator, "/access-tokens/")
    assert "may_register" not in text_of(viewer, "/access-tokens/")
    for client in (curator, viewer):
        client.post("/access-tokens/", {"title": "mine", "may_register": "on"})
    assert list(AccessToken.objects.order_by("pk").values_list("may_register", flat=True)) == [True, False]


def test_how_to_register_is_told_with_a_command(curator: Client) -> None:
    page = text_of(curator, "/servers/add/app/")
    assert "curl -sS -X PUT http://testserver/api/apps/weather-desk/" in page
    assert "$PEGBOARD_TOKEN" in page


@pytest.mark.parametrize(
    ("rule", "name"),
    [("prefixed", "desk__order"), ("as_is", "order"), ("mcp", "mcp_desk_order"), ("sdk", "sdk_desk_order")],
)
def test_the_rules_by_which_tools_are_called(rule: str, name: str) -> None:
    """S-3."""
    assert Server(slug="desk", name_rule=rule).exposed_name("order") == name


@pytest.mark.parametrize("rule", Server.NameRule.values)
def test_a_tool_is_found_by_the_name_that_models_call_it_by(ask: Asking, team: Catalog, rule: str) -> None:
    ask("PUT", DESK)
    Server.objects.filter(slug="desk").update(name_rule=rule)
    tool = desk().tools.get(name="order_balloon")
    assert tool_called(tool.exposed_name, team) == tool


def test_a_name_that_another_server_has_already_is_told(ask: Asking) -> None:
    ask("PUT", DESK)
    first = Server.objects.create(slug="first", title="First", kind=Server.Kind.FILE, name_rule=Server.NameRule.AS_IS)
    import_listing(first, read_listing([{"name": "sdk_desk_get_forecast"}]))
    catalog = Catalog.objects.create(slug="both", title="Both")
    for server in (first, desk()):
        place_server(catalog, server, "everything")
    (left_out,) = exposure_of(catalog).left_out
    assert (left_out.tool.server, left_out.rule) == ("desk", "name taken")
