"""A form that was opened before somebody else saved changes nothing: it shows what stands and what was written."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from html import unescape
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connections
from django.db.models import Model
from django.test import Client

from catalog.drifting import hold
from catalog.editing import save_overlay
from catalog.models import Agent, Catalog, PolicyRule, Server, Tool
from catalog.roles import Role, give_role
from catalog.shaping import move_to, place_server, show_upfront
from playground.models import ChatModel
from tests.forms import began_from

ClientAs = Callable[[Role], Client]
FORM = dict[str, Any]
SECRET = "CANARY-2f61c0"


@pytest.fixture
def admin(client_as: ClientAs) -> Client:
    return client_as(Role.ADMIN)


@pytest.fixture
def colleague(person: Callable[[Role], User]) -> Client:
    client = Client()
    client.force_login(person(Role.CURATOR))
    return client


def too_late(
    mine: Client, page: str, form: FORM, by_others: Callable[[], object], to: str = "", first: str = ""
) -> str:
    """The page that answers a form opened before others saved."""
    began = began_from(mine, page)
    by_others()
    answer = mine.post(to or page, {**form, "began_from": began})
    assert answer.status_code == 409
    shown = answer.content.decode()
    assert "Nothing was saved yet" in shown
    assert "Take theirs" in shown
    assert began not in shown
    return shown


def changed(row: Model, **fields: Any) -> Callable[[], object]:
    """A change made past every page."""

    def change() -> None:
        for name, value in fields.items():
            setattr(row, name, value)
        row.save()

    return change


def command() -> Server:
    server = Server(slug="files", title="Files", kind="mcp", transport="stdio", command="uvx", args=["mcp-files"])
    server.env = {"KEY": SECRET}
    server.save()
    return server


SERVER = {"slug": "files", "name_rule": "prefixed", "sync_every": "0", "session_scope": "shared"}
COMMAND = {**SERVER, "command_line": "uvx mcp-files", "environment": "KEY"}


def test_a_server_names_who_saved_it_and_is_saved_over_by_choice(admin: Client, colleague: Client, db: None) -> None:
    server, page = command(), "/servers/files/edit/"
    theirs = {**COMMAND, "title": "Theirs", "began_from": began_from(colleague, page)}
    mine = {**COMMAND, "title": "Mine", "environment": f"KEY={SECRET}2", "cwd": "/tmp"}
    shown = too_late(admin, page, mine, lambda: colleague.post(page, theirs))
    assert "a-curator saved it" in shown
    assert "<del>Theirs</del>" in shown and "<ins>Mine</ins>" in shown
    assert 'value="Mine"' in shown and 'value="/tmp"' in shown
    assert "Save mine over it" in shown
    assert "Values are not shown again" in shown and f"{SECRET}2" not in shown
    server.refresh_from_db()
    assert (server.title, server.env) == ("Theirs", {"KEY": SECRET})
    admin.post(page, {**mine, "began_from": began_from(admin, page)})
    server.refresh_from_db()
    assert (server.title, server.env) == ("Mine", {"KEY": f"{SECRET}2"})


def test_a_secret_replaced_meanwhile_counts_and_is_not_shown(admin: Client, db: None) -> None:
    server = command()
    shown = too_late(
        admin, "/servers/files/edit/", {**COMMAND, "title": "Mine"}, changed(server, env={"KEY": "OTHER-9"})
    )
    assert "OTHER-9" not in shown and SECRET not in shown and "Values are not shown again" not in shown


def test_what_is_no_part_of_the_form_may_change_meanwhile(admin: Client, db: None) -> None:
    server, page = command(), "/servers/files/edit/"
    began = began_from(admin, page)
    changed(server, sync_problem="It did not answer.", enabled=False)()
    assert admin.post(page, {**COMMAND, "title": "Mine", "began_from": began}).status_code == 302
    server.refresh_from_db()
    assert (server.title, server.enabled, server.sync_problem) == ("Mine", False, "It did not answer.")


def test_an_api_and_an_app_are_guarded_too(admin: Client, db: None) -> None:
    api = Server.objects.create(slug="api", title="A", kind="openapi", transport="http", url="https://a.test")
    form = {"title": "Mine", "slug": "api", "name_rule": "prefixed", "url": "https://a.test"}
    too_late(admin, "/servers/api/edit/", form, changed(api, url="https://b.test"))
    app = Server.objects.create(
        slug="app", title="A", kind="sdk", transport="callback", url="https://a.test", name_rule="sdk"
    )
    too_late(admin, "/servers/app/edit/", {"name_rule": "prefixed"}, changed(app, language="de"))
    assert Server.objects.get(slug="app").name_rule == "sdk"


def test_a_catalog_and_its_mode(admin: Client, team: Catalog) -> None:
    page = "/catalogs/team-agent/"
    form = {"title": "Mine", "slug": "team-agent"}
    assert "<ins>Mine</ins>" in too_late(admin, f"{page}edit/", form, changed(team, title="Theirs"))
    form = {"mode": "mastra", "mastra.top_k": "3"}
    theirs = changed(team, mode="eino", mode_options={})
    shown = too_late(admin, f"{page}mode/", form, theirs, f"{page}mode/keep/")
    assert 'value="3"' in shown
    team.refresh_from_db()
    assert (team.title, team.mode) == ("Theirs", "eino")


def test_the_engine_of_a_catalog(admin: Client, team: Catalog) -> None:
    search = "catalog=team-agent&q=channel&engine=like"
    began = began_from(admin, f"/search/?{search}")
    changed(team, engine="mastra")()
    answer = admin.post("/catalogs/team-agent/engine/", {"search": search, "began_from": began}, follow=True)
    assert "Nothing was kept" in answer.content.decode()
    assert answer.redirect_chain[-1][0].endswith(search)
    team.refresh_from_db()
    assert team.engine == "mastra"


def test_the_filters_of_a_catalog(admin: Client, team: Catalog) -> None:
    page, server = "/catalogs/team-agent/servers/", Server.objects.get(slug="team")
    form = {"team-choice": "patterns", "team-patterns": "notify_*"}
    shown = too_late(admin, page, form, lambda: place_server(team, server, "picked", ["getWeather"]))
    assert "notify_*</textarea>" in shown
    shown = too_late(
        admin,
        f"{page}team/",
        {"action": "save", "selected": ["notify_user"]},
        lambda: place_server(team, server, "everything"),
    )
    assert 'value="notify_user" data-walk-stop aria-label="Pick notify_user" checked' in shown
    assert team.servers.get().everything


def test_a_preview_without_script_still_says_what_it_began_from(admin: Client, team: Catalog) -> None:
    page = "/catalogs/team-agent/servers/"
    began = began_from(admin, page)
    form = {"team-choice": "patterns", "team-patterns": "notify_*", "action": "preview", "began_from": began}
    place_server(team, Server.objects.get(slug="team"), "picked", ["getWeather"])
    assert f'value="{began}"' in admin.post(page, form).content.decode()


def test_a_place_in_an_order_that_moved_on(admin: Client, team: Catalog) -> None:
    page = "/catalogs/team-agent/upfront/"
    for name in ("list-invoices", "getWeather"):
        show_upfront(team, Tool.objects.get(name=name))
    began = began_from(admin, page)
    move_to(team, Tool.objects.get(name="getWeather"), 0)
    order = list(team.pre_discovered.values_list("tool__name", flat=True))
    form = {"tool": "team/list-invoices", "place": 0, "began_from": began}
    assert "Nothing was moved" in admin.post(f"{page}place/", form, follow=True).content.decode()
    assert list(team.pre_discovered.values_list("tool__name", flat=True)) == order


def test_a_rule_and_the_rest_of_a_policy(admin: Client, team: Catalog) -> None:
    page = "/catalogs/team-agent/policy/"
    rule = PolicyRule.objects.create(catalog=team, pattern="a*", phases=["search"])
    form = {"rule": rule.pk, "allow": "deny", "pattern": "mine*", "phases": ["search"], "conditions": "role is guest"}
    shown = too_late(admin, f"{page}?rule={rule.pk}", form, changed(rule, pattern="theirs*"), f"{page}rule/")
    assert 'value="mine*"' in shown and "role is guest</textarea>" in shown
    assert PolicyRule.objects.get().pattern == "theirs*"
    rule.delete()
    form = {"context_to_try": "role = guest", "policy": ""}
    shown = too_late(admin, page, form, changed(team, context_to_try={"role": "boss"}), f"{page}keep/")
    assert "role = guest</textarea>" in shown


def test_a_rule_that_was_deleted_meanwhile_is_offered_to_be_added(admin: Client, team: Catalog) -> None:
    form = {"rule": "7", "allow": "deny", "pattern": "mine*", "phases": ["search"], "conditions": ""}
    shown = admin.post("/catalogs/team-agent/policy/rule/", form).content.decode()
    assert "Somebody deleted this rule meanwhile" in shown
    assert 'value="mine*"' in shown
    assert not PolicyRule.objects.exists()


def test_a_chat_model_and_an_agent(admin: Client, team: Catalog) -> None:
    model = ChatModel(title="M", name="openai/x", prompt_price=1, completion_price=2)
    model.secrets = {"api_key": SECRET}
    model.save()
    form = {"title": "Mine", "name": "openai/x", "prompt_price": 3, "completion_price": 2, "api_key": "NEW-KEY-7"}
    shown = too_late(admin, f"/chat-models/{model.pk}/", form, changed(model, prompt_price=5.0))
    assert "NEW-KEY-7" not in shown and SECRET not in shown
    too_late(admin, f"/chat-models/{model.pk}/", form, changed(model, secrets={"api_key": "OTHER"}))
    agent = Agent.objects.create(name="clerk", title="C", description="Assists.", instructions="Assist.", catalog=team)
    form = {"title": "C", "description": "Mine.", "instructions": "Assist.", "catalog": team.pk, "turns": "10"}
    shown = too_late(admin, "/agents/clerk/edit/", form, changed(agent, description="Theirs."))
    assert "Mine.</textarea>" in shown


def drift_of(tool: Tool) -> str:
    hold(tool.server, {tool.name: {**tool.upstream(), "description": "The source anew."}}, {tool.name: ("wording",)})
    return f"/drift/{tool.drifts.get().pk}/"


def test_a_description_written_after_a_drift_was_shown_is_not_erased(admin: Client, team: Catalog) -> None:
    tool = Tool.objects.get(name="notify_user")
    page = drift_of(tool)
    began = began_from(admin, "/drift/")
    tool.own_description = "Theirs."
    save_overlay(tool, None)
    answer = admin.post(f"{page}decide/", {"decision": "accept", "began_from": began})
    assert answer.status_code == 409
    tool.refresh_from_db()
    assert (tool.own_description, tool.drifts.get().state) == ("Theirs.", "waiting")


def test_a_description_brought_together_is_kept_where_the_drift_moved_on(admin: Client, team: Catalog) -> None:
    tool = Tool.objects.get(name="notify_user")
    tool.own_description = "Ours."
    save_overlay(tool, None)
    page = drift_of(tool)
    began = began_from(admin, page)
    tool.drifts.update(state="refused")
    form = {"decision": "accept", "description": "Mine, brought together.", "began_from": began}
    answer = admin.post(f"{page}decide/", form)
    assert answer.status_code == 409
    assert "Mine, brought together.</textarea>" in answer.content.decode()
    tool.refresh_from_db()
    assert tool.own_description == "Ours."


def fields_of(kind: str, number: int) -> tuple[str, FORM]:
    if kind == "server":
        return "/servers/files/edit/", {**COMMAND, "title": f"By p{number}"}
    return "/catalogs/team-agent/edit/", {"title": f"By p{number}", "slug": "team-agent"}


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("kind", ["server", "catalog"])
def test_of_twenty_who_save_at_once_one_wins_and_nineteen_see_both(team: Catalog, kind: str) -> None:
    row: Model = command() if kind == "server" else team
    people = [User.objects.create_user(f"p{number}") for number in range(20)]
    clients = [Client() for _ in people]
    for client, one in zip(clients, people, strict=True):
        give_role(one, Role.CURATOR)
        client.force_login(one)
    page, _ = fields_of(kind, 0)
    began = began_from(clients[0], page)

    def save(number: int) -> tuple[int, str]:
        try:
            answer = clients[number].post(page, {**fields_of(kind, number)[1], "began_from": began})
            return answer.status_code, unescape(answer.content.decode())
        finally:
            connections.close_all()

    with ThreadPoolExecutor(20) as at_once:
        ends = list(at_once.map(save, range(20)))
    assert sorted(status for status, _ in ends) == [302, *[409] * 19]
    winner = next(number for number, (status, _) in enumerate(ends) if status == 302)
    for number, (status, shown) in enumerate(ends):
        if status == 409:
            assert f"p{winner} saved it" in shown
            assert f'value="By p{number}"' in shown
            assert f"<del>p{winner}</del>" in shown
    row.refresh_from_db()
    assert str(row) == f"By p{winner}"
