"""Each privileged act, done as people do it, leaves exactly one entry: who, what, on which row, what was and what is."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.test import Client
from django.utils import timezone
from pytest_django.fixtures import Settings

from catalog import background
from catalog.accounts import add_person
from catalog.auditing.acts import Act
from catalog.importing import import_listing
from catalog.models import AccessToken, AuditEntry, BulkEdit, Catalog, Drift, Import, Server, Suite, SuiteQuery, Tool
from catalog.publishing.acts import plan_publishing
from catalog.redaction import Redactor
from catalog.roles import Role
from catalog.sources.listing import read_listing
from catalog.views import imports
from playground.models import ChatModel, HeldCall, Run, SharedRun
from playground.runs.appending import Addition, append
from playground.runs.executing import _request_stop
from playground.runs.holding import CannotDecideError, Said, _decide
from playground.runs.threads import Setup, add_first
from tests.catalog.test_drift_pages import listing
from tests.catalog.test_policy_page import RULE
from tests.forms import send
from tests.model_endpoint import ModelEndpoint
from tests.playground.runs.recordings import HELD

SECRET = "sk-CANARY-0123456789abcdef"
SERVER, TOOL, CATALOG = "/servers/team/", "/tools/team/notify_user/", "/catalogs/team-agent/"


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch, settings: Settings) -> None:
    """No server is started, files are read at once, and passwords are hashed in no time."""
    monkeypatch.setattr(imports, "read_live", lambda importation: None)
    monkeypatch.setattr(background, "submit", lambda work: work())
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


@pytest.fixture
def admin(client_as: Callable[[Role], Client]) -> Client:
    return client_as(Role.ADMIN)


@contextmanager
def leaving(*acts: Act) -> Iterator[list[AuditEntry]]:
    """What is done within leaves entries on these acts, in this order, and no other; they are in the list then."""
    last = max(AuditEntry.objects.values_list("pk", flat=True), default=0)
    found: list[AuditEntry] = []
    yield found
    found += AuditEntry.objects.filter(pk__gt=last).order_by("pk")
    assert [Act(entry.act) for entry in found] == list(acts)


def changes(entry: AuditEntry) -> dict[str, tuple[Any, Any]]:
    return {name: (before, after) for name, before, after in entry.changes}


def test_acts_on_servers(admin: Client) -> None:
    with leaving(Act.SERVER_ADDED) as added:
        filled = {"title": "Time", "slug": "time", "command_line": "uvx mcp-server-time", "name_rule": "prefixed"}
        filled |= {"session_scope": "shared", "sync_every": "0"}
        admin.post("/servers/add/command/", {**filled, "environment": f"KEY={SECRET}"})
    server = Server.objects.get(slug="time")
    assert (added[0].kind, added[0].key, added[0].name, added[0].who) == ("server", "time", "Time", "a-admin")
    assert (added[0].way, added[0].address, len(added[0].request)) == ("page", "127.0.0.1", 32)
    with leaving(Act.SERVER_APPROVED, Act.IMPORT_READ) as entries:
        admin.post("/servers/time/approve/", {"config_hash": server.config_hash})
    assert changes(entries[0]) == {"approved_hash": ("", server.config_hash)}
    assert entries[0].request == entries[1].request, "of one request"
    with leaving():
        admin.post("/servers/time/approve/", {"config_hash": "0" * 64})
    with leaving(Act.SERVER_EDITED) as entries:
        send(admin, "/servers/time/edit/", {**filled, "session_scope": "run", "environment": f"KEY={SECRET}9"})
    assert changes(entries[0]) == {"session_scope": ("shared", "run"), "variable KEY": ("••••", "••••")}
    with leaving(Act.SERVER_SWITCHED_OFF, Act.SERVER_SWITCHED_ON, Act.SERVER_DELETED):
        admin.post("/servers/time/switch/")
        admin.post("/servers/time/switch/")
        admin.post("/servers/time/delete/")
    assert SECRET not in json.dumps(list(AuditEntry.objects.values()), default=str)


def test_acts_on_imports_and_drift(admin: Client, team: Catalog) -> None:
    server = Server.objects.get(slug="team")
    file = json.dumps({"tools": [{"name": "new_one", "description": "x"}]}).encode()
    with leaving(Act.IMPORT_READ):
        admin.post(f"{SERVER}upload/", {"file": SimpleUploadedFile("tools.json", file)})
    with leaving(Act.IMPORT_DISCARDED):
        admin.post(f"{Import.objects.latest('pk').get_absolute_url()}discard/")
        admin.post(f"{Import.objects.latest('pk').get_absolute_url()}discard/")
    with leaving(Act.IMPORT_READ, Act.IMPORT_APPLIED) as entries:
        admin.post(f"{SERVER}upload/", {"file": SimpleUploadedFile("tools.json", file)})
        admin.post(f"{Import.objects.latest('pk').get_absolute_url()}apply/")
    assert changes(entries[1])["added"] == (None, ["new_one"])
    assert changes(entries[1])["gone"][1] == [
        "ask_human",
        "getWeather",
        "list-invoices",
        "notify_channel",
        "notify_user",
    ]
    import_listing(server, read_listing(listing(new_one={"inputSchema": {"type": "object", "required": ["y"]}})))
    with leaving(Act.DRIFT_ACCEPTED) as entries:
        send(admin, "/drift/", {"decision": "accept"}, f"/drift/{Drift.objects.get().pk}/decide/")
    assert (entries[0].kind, entries[0].key) == ("tool", "team/new_one")
    assert "parameters" in changes(entries[0])
    import_listing(server, read_listing(listing(new_one={"inputSchema": {"type": "object", "required": ["z"]}})))
    with leaving(Act.DRIFT_REFUSED) as entries:
        send(admin, "/drift/", {"decision": "refuse"}, f"/drift/{Drift.objects.waiting().get().pk}/decide/")
    assert changes(entries[0])["refused parameters"][1]["required"] == ["z"]


def test_acts_on_tools(admin: Client, team: Catalog) -> None:
    with leaving(Act.TOOL_EDITED) as entries:
        admin.post(f"{TOOL}edit/", {"own_description": "Mine.", "enabled": "on", "searchable": "on", "began_from": "0"})
    assert changes(entries[0]) == {"own_description": (None, "Mine.")}
    tool = Tool.objects.get(name="notify_user")
    with leaving(Act.TOOL_EDIT_UNDONE) as entries:
        admin.post(f"{TOOL}undo/{tool.versions.all()[0].pk}/")
    assert changes(entries[0]) == {"own_description": ("Mine.", None)}
    with leaving(Act.TOOL_REVERTED):
        admin.post(f"{TOOL}revert/", {"version": tool.versions.filter(content__own_description="Mine.").get().pk})
    with leaving(Act.SUSPICION_LOOKED_AT):
        admin.post(f"{TOOL}looked-at/", {"upstream_hash": tool.upstream_hash})
    with leaving(Act.TOOL_CALLED) as entries:
        admin.post(f"{TOOL}call/", {"as": "json", "json": '{"to": "Ada, in confidence"}'})
    assert entries[0].after == '{"arguments named": ["to"]}', "arguments are told by name alone"
    with leaving():
        admin.post("/tools/edits/", {"act": "off", "selected": [tool.pk]})
    edit = BulkEdit.objects.get()
    with leaving(Act.BULK_APPLIED, Act.BULK_UNDONE):
        admin.post(f"{edit.get_absolute_url()}apply/")
        admin.post(f"{edit.get_absolute_url()}apply/")
        admin.post(f"{edit.get_absolute_url()}undo/")
    admin.post(f"{CATALOG}tool/", {"action": "exclude", "tool": "team/getWeather"})
    with leaving(Act.TOOL_BROUGHT_IN) as entries:
        admin.post(f"{CATALOG}bring-in/", {"tool": "team/getWeather", "step": "include", "next": ""})
    assert changes(entries[0]) == {"catalog": (None, "team-agent"), "excluded": (True, False)}
    token = admin.session["undo"]["token"]
    with leaving(Act.BRINGING_IN_UNDONE):
        admin.post(f"/search/undo/{token}/")


def test_an_act_past_a_gate(admin: Client, team: Catalog) -> None:
    query = Suite.objects.create(slug="asked", title="Asked", catalog=team).queries.create(text="direct message")
    query.judgements.create(server="team", tool="notify_user", verdict="right", at=query.added_at)
    filled = {"search_text": "direct direct", "own_description": "Direct message.", "enabled": "on", "searchable": "on"}
    with leaving():
        admin.post("/tools/team/notify_channel/edit/", {**filled, "began_from": "0"})
    with leaving(Act.TOOL_EDITED, Act.GATE_OVERRIDDEN) as entries:
        admin.post("/tools/team/notify_channel/edit/", {**filled, "began_from": "0", "gate_reason": "As agreed."})
    assert changes(entries[1])["reason"] == (None, "As agreed.")
    assert changes(entries[1])["worse"] == (None, ["direct message"])
    with leaving(Act.CATALOG_GATHERS, Act.TOOL_EDITED, Act.TOOL_EDITED) as entries:
        admin.post(f"{CATALOG}gather/")
        admin.post(f"{TOOL}edit/", {**filled, "began_from": "0"})
        out = {"edit": "team/notify_user", "token": plan_publishing(team).token}
        admin.post(f"{CATALOG}publish/leave-out/", out)
    assert changes(entries[2])["search_text"] == ("direct direct", "")


def test_asking_a_model_for_a_rewrite(admin: Client, team: Catalog, model_endpoint: ModelEndpoint) -> None:
    url = model_endpoint.url("nodone")
    ChatModel.objects.create(title="Writer", name="openai/m", base_url=url)
    query = Suite.objects.create(slug="asked", title="Asked", catalog=team).queries.create(text="zebra")
    query.judgements.create(server="team", tool="notify_user", verdict="right", at=query.added_at)
    with leaving(Act.REWRITE_ASKED) as entries:
        admin.post(f"{TOOL}rewrite/", {"enabled": "on", "searchable": "on", "began_from": "0"})
    assert changes(entries[0]) == {"model": (None, "Writer")}


def test_acts_on_catalogs(admin: Client, team: Catalog) -> None:
    def tool(action: str) -> None:
        admin.post(f"{CATALOG}tool/", {"action": action, "tool": "team/getWeather"})

    with leaving(Act.CATALOG_SHAPED, Act.CATALOG_SHAPED, Act.CATALOG_SHAPED) as entries:
        tool("exclude")
        tool("exclude")
        tool("include")
        tool("show")
    assert changes(entries[0]) == {"excluded": ([], ["team/getWeather"])}
    with leaving(Act.CATALOG_SHAPED, Act.CATALOG_SHAPED, Act.CATALOG_SHAPED):
        send(admin, f"{CATALOG}upfront/", {"tool": "team/getWeather", "place": "0"}, f"{CATALOG}upfront/place/")
        send(admin, f"{CATALOG}servers/", {"team-choice": "patterns", "team-patterns": "get*", "action": "save"})
        send(admin, f"{CATALOG}servers/team/", {"action": "save", "selected": ["getWeather"]})
    with leaving(Act.CATALOG_SHAPED, Act.CATALOG_SHAPED):
        change = {"add": "team/list-invoices", "withdraw": "team/getWeather"}
        send(admin, f"{CATALOG}upfront/", change, f"{CATALOG}upfront/change/")
        admin.post(f"{CATALOG}upfront/undo/{admin.session['upfront_before']['token']}/")
    with leaving(Act.CATALOG_ENGINE, Act.CATALOG_ENGINE) as entries:
        send(admin, "/search/?catalog=team-agent&q=x&engine=like", {"search": "q=x&engine=like"}, f"{CATALOG}engine/")
        admin.post(f"{CATALOG}engine/undo/")
    assert changes(entries[0])["engine"][1]["name"] == "like"
    with leaving(Act.CATALOG_MODE):
        send(admin, f"{CATALOG}mode/", {"mode": "everything"}, f"{CATALOG}mode/keep/")
    with leaving(Act.CATALOG_POLICY, Act.CATALOG_POLICY, Act.CATALOG_POLICY, Act.CATALOG_POLICY):
        admin.post(f"{CATALOG}policy/rule/", RULE)
        rule = team.policy_rules.get().pk
        admin.post(f"{CATALOG}policy/act/", {"rule": rule, "action": "switch"})
        send(admin, f"{CATALOG}policy/", {"context_to_try": "role = guest", "policy": ""}, f"{CATALOG}policy/keep/")
        admin.post(f"{CATALOG}policy/undo/{admin.session['policy_before']['token']}/")
    with leaving(Act.EXPORTED) as entries:
        text = admin.get(f"{CATALOG}catalog.yaml").content.decode()
    with leaving(Act.CATALOG_EDITED, Act.CATALOG_CLONED, Act.CATALOG_DELETED):
        send(
            admin, f"{CATALOG}edit/", {"title": "Renamed", "slug": "team-agent", "mode": "everything", "engine": "like"}
        )
        admin.post(f"{CATALOG}clone/")
        admin.post("/catalogs/team-agent-copy/delete/")
    answer = admin.post("/catalogs/import/", {"text": text})
    with leaving(Act.CATALOG_IMPORTED) as entries:
        sent = {"text": text, "action": "apply", "token": answer.context["plan"].token}
        admin.post("/catalogs/import/", sent)
    assert changes(entries[0])["title"] == ("Renamed", "Team agent")
    with leaving(Act.CATALOG_ADDED):
        admin.post("/catalogs/add/", {"title": "Sales agent"})


def decided(team: Catalog, model: ChatModel) -> None:
    """A call of a run is let go, once."""
    person = User.objects.get()
    run = add_first(Setup(team, model, "Do it.", person))
    append(Addition(run.pk, [(timezone.now(), HELD)], Redactor()))
    held = HeldCall.objects.get()
    with leaving(Act.CALL_DECIDED) as entries:
        _decide(held.pk, Said("approved", HELD.digest, by=person))
        with pytest.raises(CannotDecideError):
            _decide(held.pk, Said("approved", HELD.digest, by=person))
    assert changes(entries[0]) == {"tool": (None, HELD.tool), "decision": (None, "approved")}
    assert "Ada" not in entries[0].after, "what is sent is told by the run alone"
    Run.objects.filter(pk=run.pk).update(status="completed")


def test_acts_on_agents_models_and_runs(admin: Client, team: Catalog) -> None:
    filled = {"name": "clerk", "title": "Clerk", "description": "Helps.", "instructions": "Help.", "turns": 5}
    with leaving(Act.AGENT_SAVED, Act.AGENT_SAVED, Act.AGENT_DELETED) as entries:
        admin.post("/agents/add/", {**filled, "catalog": team.pk})
        send(admin, "/agents/clerk/edit/", {**filled, "catalog": team.pk, "turns": 6})
        admin.post("/agents/clerk/delete/")
    assert changes(entries[1]) == {"turns": (5, 6)}
    with leaving(Act.CHAT_MODEL_SAVED) as entries:
        admin.post("/chat-models/", {"title": "Mine", "name": "openai/x", "api_key": SECRET, "enabled": "on"})
    assert changes(entries[0])["key"] == (None, "••••")
    model = ChatModel.objects.get(title="Mine")
    with leaving(Act.RUN_STARTED, Act.RUN_STOPPED) as entries:
        run = add_first(Setup(team, model, "A task in confidence", User.objects.get()))
        _request_stop(run.pk)
        _request_stop(run.pk)
    assert "confidence" not in entries[0].after + entries[0].name, "what was asked is told by the run alone"
    assert entries[0].key == str(run.pk)
    decided(team, model)
    with leaving(Act.EXPORTED, Act.CHAT_MODEL_DELETED):
        admin.get(f"/runs/{run.pk}/events.json")
        admin.post(f"/chat-models/{model.pk}/delete/")
    Run.objects.update(status=Run.Status.STOPPED)
    with leaving(Act.RUN_SHARED, Act.RUN_UNSHARED) as entries:
        token = admin.post(f"/runs/{run.pk}/share/", {"lasting": "1h", "notes": "on"}).context["made"]
        for _ in range(2):
            admin.post(f"/runs/{run.pk}/share/{SharedRun.objects.get().pk}/revoke/")
    assert changes(entries[0])["shows notes"] == (None, True)
    assert token.split("/")[-2] not in json.dumps(list(AuditEntry.objects.values()), default=str)
    with leaving(Act.RUN_DELETED) as entries:
        admin.post("/runs/delete/", {"selected": [str(run.pk)]})
        admin.post("/runs/delete/", {"selected": [str(run.pk)], "sure": "yes"})
    assert (entries[0].key, entries[0].name, entries[0].before) == (str(run.pk), "", ""), "nothing but its key is kept"


def test_acts_on_suites(admin: Client, team: Catalog) -> None:
    with leaving(Act.SUITE_ADDED, Act.SUITE_EDITED, Act.SUITE_EDITED, Act.SUITE_EDITED) as entries:
        admin.post("/suites/add/", {"title": "Asked", "catalog": team.pk})
        send(admin, "/suites/asked/edit/", {"title": "Asked often", "slug": "asked", "catalog": team.pk})
        admin.post("/suites/asked/queries/", {"text": "tell Ada"})
        admin.post("/suites/file/", {"suite": "asked", "text": "tell Ben"})
    assert changes(entries[1]) == {"title": ("Asked", "Asked often")}
    query = SuiteQuery.objects.get(text="tell Ada").get_absolute_url()
    with leaving(Act.SUITE_EDITED, Act.SUITE_EDITED) as entries:
        send(admin, f"{query}edit/", {"text": "tell Eve", "tags": ""})
        admin.post(f"{query}delete/")
    assert changes(entries[0])["query"] == ("tell Ada", "tell Eve")
    sent = {"format": "jsonl", "text": '{"text": "rain?", "relevant": ["team/getWeather"]}'}
    token = admin.post("/suites/asked/import/", sent).context["plan"].token
    with leaving(Act.SUITE_IMPORTED, Act.EXPORTED, Act.SUITE_DELETED) as entries:
        admin.post("/suites/asked/import/", {**sent, "action": "apply", "token": token})
        admin.get("/suites/asked/export/csv")
        admin.post("/suites/asked/delete/")
    assert changes(entries[0]) == {"queries": (None, 1), "verdicts": (None, 1)}


def test_acts_of_taking_out(admin: Client, team: Catalog) -> None:
    with leaving(*[Act.EXPORTED] * 6) as entries:
        admin.get("/tools/export/yaml?q=notify")
        admin.get("/servers/mcp-servers.json")
        admin.get("/audit/export.jsonl?who=a-admin")
        for file in ("report.md", "report.json", "versions.csv"):
            admin.get(f"{CATALOG}report/{file}")
    assert [entry.name for entry in entries] == ["tools", "MCP servers", "the audit", *["Team agent"] * 3]


def test_acts_with_access_tokens(admin: Client, db: None) -> None:
    with leaving(Act.TOKEN_MADE) as entries:
        made = admin.post("/access-tokens/", {"title": "The desk", "may_register": "on"}).context["made"]
    assert made not in json.dumps(list(AuditEntry.objects.values()), default=str)
    desk = {"title": "Desk", "callback_url": "http://127.0.0.1:9000/c", "tools": [{"name": "a", "description": "b"}]}
    bearer = {"Authorization": f"Bearer {made}"}
    with leaving(Act.APP_REGISTERED, Act.APP_UNREGISTERED) as entries:
        Client().put("/api/apps/desk/", desk, "application/json", headers=bearer)
        Client().delete("/api/apps/desk/", headers=bearer)
        Client().delete("/api/apps/desk/", headers=bearer)
    assert {(one.way, one.way_title, one.who) for one in entries} == {("token", "The desk", "a-admin")}
    with leaving(Act.TOKEN_REVOKED):
        admin.post(f"/access-tokens/{AccessToken.objects.get().pk}/revoke/")


def test_acts_on_people(admin: Client, db: None) -> None:
    with leaving(Act.PERSON_ADDED, Act.LINK_MADE) as entries:
        link = admin.post("/accounts/", {"username": "ada", "role": "presenter"}).context["link"]
    ada = User.objects.get(username="ada")
    assert changes(entries[0]) == {"role": (None, "presenter"), "active": (None, True)}
    theirs = Client()
    with leaving(Act.SIGNED_IN, Act.SIGNED_OUT) as entries:
        theirs.get(link.removeprefix("http://testserver"))
        theirs.post("/sign-out/")
    assert changes(entries[0]) == {"by": (None, "sign-in link")}
    with leaving(Act.ROLE_CHANGED, Act.PERSON_DEACTIVATED, Act.PERSON_REACTIVATED, Act.SESSIONS_ENDED) as entries:
        admin.post(f"/accounts/{ada.pk}/role/", {"role": "curator"})
        admin.post(f"/accounts/{ada.pk}/switch/")
        admin.post(f"/accounts/{ada.pk}/switch/")
        admin.post(f"/accounts/{ada.pk}/sign-out/")
    assert changes(entries[0]) == {"role": ("presenter", "curator")}
    assert {(entry.who, entry.name) for entry in entries} == {("a-admin", "ada")}
    with leaving(Act.LINK_MADE):
        admin.post(f"/accounts/{ada.pk}/link/")


def test_a_failed_sign_in_is_told_with_no_name_that_nobody_has(db: None) -> None:
    add_person("ada", Role.VIEWER)
    with leaving(Act.SIGN_IN_FAILED, Act.SIGN_IN_FAILED) as entries:
        for name in ("ada", "a password in the wrong place"):
            Client().post("/sign-in/", {"username": name, "password": SECRET})
    assert [(one.name, one.who, one.before, one.after) for one in entries] == [
        ("ada", "", "", ""),
        ("an unknown name", "", "", ""),
    ]


def test_acts_by_command(team: Catalog, tmp_path: Any, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "more.json"
    file.write_text(json.dumps({"tools": [{"name": "more", "description": "x"}]}))
    with leaving():
        call_command("import_tools", "team", str(file))
    User.objects.create_superuser("owner")
    with leaving(Act.IMPORT_APPLIED, Act.LINK_MADE, Act.EXPORTED) as entries:
        call_command("import_tools", "team", str(file), apply=True)
        call_command("sign_in_link")
        call_command("export_tools")
    assert [(one.way, one.way_title) for one in entries] == [
        ("command", name) for name in ("import_tools", "sign_in_link", "export_tools")
    ]
    assert all(entry.who for entry in entries), "whoever is at the machine"


def test_a_change_that_fails_leaves_no_entry_and_an_entry_that_fails_no_change(
    admin: Client, team: Catalog, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise RuntimeError

    monkeypatch.setattr(AuditEntry.objects, "create", refuse)
    with pytest.raises(RuntimeError):
        admin.post(f"{SERVER}delete/")
    assert Server.objects.filter(slug="team").exists()
    monkeypatch.undo()
    monkeypatch.setattr(Server, "delete", refuse)
    with leaving(), pytest.raises(RuntimeError):
        admin.post(f"{SERVER}delete/")
