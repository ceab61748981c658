"""The admin: every row is there, by the rules of the pages, and nothing can be done there that they forbid."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.apps import apps
from django.contrib import admin
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import User
from django.db import connection
from django.db.models import Model
from django.http import HttpResponse
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from catalog.admin.bases import PegboardAdmin, ReadOnlyAdmin, RevocableAdmin
from catalog.auditing.acts import Act
from catalog.drifting import hold
from catalog.importing import import_listing
from catalog.indexing import exposure_of
from catalog.judging import judge
from catalog.models import (
    AccessToken,
    Agent,
    ApiDocument,
    App,
    AuditEntry,
    BulkEdit,
    Catalog,
    CatalogServer,
    CatalogVersion,
    Configuration,
    Contact,
    Drift,
    EmbeddedText,
    Evaluation,
    EvaluationAnswer,
    FailedSignIn,
    Finding,
    Import,
    Introduction,
    Judgement,
    Look,
    Operation,
    PolicyRule,
    PreDiscovered,
    SavedView,
    Server,
    ServerSignIn,
    SignInAttempt,
    SignInLink,
    StagedTool,
    Suite,
    SuiteContent,
    SuiteQuery,
    Tool,
    ToolDefinition,
    ToolVersion,
    VersionContent,
)
from catalog.roles import Role
from catalog.shaping import place_server, show_upfront
from catalog.sources.listing import read_listing
from playground.models import (
    ChatModel,
    HandCall,
    HeldCall,
    LaneSet,
    Run,
    RunEvent,
    RunExchange,
    RunFinding,
    RunImport,
    RunNote,
    RunReview,
    RunSearch,
    RunTag,
    SharedRun,
    TaskEvaluation,
    TaskTrial,
    Thread,
)
from tests.forms import began_from, send

PARTS_OF_A_CATALOG = {CatalogServer, PreDiscovered, PolicyRule}
"""Not registered: they are edited inside their catalog, with its version."""
EDITED = {Server, Tool, Catalog, Agent, ChatModel}
REVOCABLE = {RunNote, RunTag, SharedRun, SignInLink, FailedSignIn, AccessToken, Configuration, SavedView, EmbeddedText}
SECRET = "CANARY-2f61c0"


def models() -> set[type[Model]]:
    return {*apps.get_app_config("catalog").get_models(), *apps.get_app_config("playground").get_models()}


def page_of(row: Model, act: str = "change") -> str:
    return reverse(f"admin:{row._meta.app_label}_{row._meta.model_name}_{act}", args=[row.pk])


def list_of(model: type[Model]) -> str:
    return reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist")


@pytest.fixture
def client(client_as: Callable[[Role], Client]) -> Client:
    return client_as(Role.ADMIN)


@pytest.fixture
def command(db: None) -> Server:
    """An approved server that is started by a command, with a secret in its environment."""
    server = Server(slug="files", title="Files", kind="mcp", transport="stdio", command="uvx", args=["mcp-files"])
    server.env = {"KEY": SECRET}
    server.approve(by=User.objects.create_user("approver"), at=timezone.now())
    server.save()
    return server


@pytest.fixture
def rows(team: Catalog, command: Server) -> dict[type[Model], Model]:
    """One row of every model."""
    server, now = Server.objects.get(slug="team"), timezone.now()
    person = User.objects.create_user("somebody")
    tool = server.tools.get(name="notify_user")
    hold(server, {tool.name: {**tool.upstream(), "description": "Other."}}, {tool.name: ("wording",)})
    model = ChatModel.objects.create(title="Mine", name="openai/x", secrets={"api_key": SECRET})  # type: ignore[misc]
    thread = Thread.objects.create(title="A thread", by=person)
    run = Run.objects.create(thread=thread, catalog=team, chat_model=model, task="Do it.")
    imported = Import.objects.create(server=server, source="file.json")
    figures = dict.fromkeys(("tool_count", "upfront_tokens", "all_tokens"), 0)
    content = VersionContent.objects.create(hash="c" * 64, settings={}, tools=b"", upfront=[], **figures)
    AccessToken.make(person, "search")
    SignInLink.make(person)
    made: list[Model] = [
        *(server, tool, team, model, thread, run),
        Agent.objects.create(name="clerk", title="Clerk", description="Assists.", instructions="Assist.", catalog=team),
        AccessToken.objects.get(),
        SignInLink.objects.get(),
        FailedSignIn.objects.create(key="e" * 64, at=now),
        App.objects.create(server=command, secret={"signing_key": SECRET}, registered_at=now),  # type: ignore[misc]
        ApiDocument.objects.create(server=command, read_at=now),
        BulkEdit.objects.create(act="off", by=person),
        content,
        CatalogVersion.objects.create(catalog=team, number=1, content=content, by=person),
        ToolDefinition.objects.create(hash="d" * 64, body="{}"),
        Configuration.objects.create(by=person, source="mcp.json", content={"key": SECRET}),  # type: ignore[misc]
        Contact.objects.create(server=command, kind="test", seconds=1.0),
        Drift.objects.get(),
        EmbeddedText.objects.create(digest="d" * 64, vector=b"0000", asked_on=now.date()),
        Finding.objects.create(rule="too-long", tool=tool, where="name", sentence="S.", advice="A.", rests_on="x"),
        imported,
        StagedTool.objects.create(importation=imported, name="a", content={}),
        Introduction.objects.create(server=command, name="Files"),
        Look.objects.create(by=person),
        Operation.objects.create(server=command, position=1, method="GET", path="/a", name="a", tokens=1, tool={}),
        SavedView.objects.create(by=person, name="Mine"),
        ToolVersion.objects.filter(tool=tool)[0],
        RunEvent.objects.create(run=run, seq=1, kind="run_started", at=now, body={}),
        RunExchange.objects.create(run=run, number=1, turn=1, at=now, seconds=0.1, sent={}, received=[]),
        HandCall.objects.create(tool=tool, by=person),
        HeldCall.objects.create(run=run, top=run, seq=1, held_at=now, said={"arguments": {"key": SECRET}}),  # type: ignore[misc]
        RunTag.objects.create(run=run, name="keep"),
        RunNote.objects.create(run=run, seq=1, text="Look here."),
        SharedRun.make(run, person, timedelta(days=1))[0],
        RunReview.objects.create(run=run, rules=1),
        searched := RunSearch.objects.create(run=run, seq=1, answer=2, at=now, text="rain", words="w", engine="bm25f"),
        RunFinding.objects.create(run=run, search=searched, rule="search-miss", seq=1, sentence="Nothing was found."),
        RunImport.objects.create(by=person),
        LaneSet.objects.create(task="Do it.", lanes=2, by=person),
        tried := TaskEvaluation.objects.create(tasks=[], modes=[""], own_mode="eino", catalog=team, by=person),
        TaskTrial.objects.create(evaluation=tried, task=1, repeat=1, run=run),
        suite := Suite.objects.create(slug="asked", title="Asked"),
        query := SuiteQuery.objects.create(suite=suite, text="tell somebody"),
        judge(query, "team/notify_user", Judgement.Verdict.RIGHT, person),
        kept := SuiteContent.objects.create(hash="s" * 64, body=[]),
        measured := Evaluation.objects.create(suite=suite, suite_revision=1, content=kept, catalog=team, engine="like"),
        EvaluationAnswer.objects.create(evaluation=measured, query="1", hits=[], ranks={}),
        AuditEntry.objects.create(at=now, act=Act.EXPORTED, way="page"),
        ServerSignIn.objects.create(
            server=command, authority={"metadata": {"issuer": "i"}}, at=now, kept={"access": SECRET}
        ),  # type: ignore[misc]
        SignInAttempt.begin(command, person, "session", "state", {"verifier": SECRET}),
    ]
    return {type(row): row for row in made}


def stored(row: Model) -> dict[str, Any]:
    return type(row)._default_manager.filter(pk=row.pk).values()[0]


def test_every_model_is_registered_but_the_parts_of_a_catalog() -> None:
    registered = {model for model in models() if admin.site.is_registered(model)}
    assert models() - registered == PARTS_OF_A_CATALOG
    assert all(isinstance(admin.site.get_model_admin(model), PegboardAdmin) for model in registered)


def test_what_the_product_alone_writes_is_read_only_here() -> None:
    of = {model: admin.site.get_model_admin(model) for model in models() - PARTS_OF_A_CATALOG}
    assert {model for model in of if not isinstance(of[model], ReadOnlyAdmin)} == EDITED
    assert {model for model in of if isinstance(of[model], RevocableAdmin)} == REVOCABLE


def test_no_row_that_is_only_read_is_changed_added_or_deleted(client: Client, rows: dict[type[Model], Model]) -> None:
    assert set(rows) == models() - PARTS_OF_A_CATALOG
    for model in set(rows) - EDITED:
        before, number = stored(rows[model]), model._default_manager.count()
        values = dict.fromkeys(before, "1")
        assert client.post(page_of(rows[model]), values).status_code == 403, model
        assert client.post(f"{list_of(model)}add/", values).status_code == 403, model
        if model not in REVOCABLE:
            assert client.post(page_of(rows[model], "delete"), {"post": "yes"}).status_code == 403, model
        assert stored(rows[model]) == before
        assert model._default_manager.count() == number


def test_no_page_shows_a_secret_and_every_page_answers(client: Client, rows: dict[type[Model], Model]) -> None:
    for model, row in rows.items():
        for address in (page_of(row), list_of(model), page_of(row, "history")):
            answer = client.get(address)
            assert answer.status_code == 200, address
            assert SECRET not in answer.content.decode(), address


def test_what_is_revocable_goes_and_is_recorded(client: Client, rows: dict[type[Model], Model]) -> None:
    token = rows[AccessToken]
    client.post(page_of(token, "delete"), {"post": "yes"})
    assert not AccessToken.objects.exists()
    assert LogEntry.objects.get().is_deletion()
    told = AuditEntry.objects.latest("pk")
    assert (told.act, told.way, told.name) == (Act.TOKEN_REVOKED, "admin", "search")
    client.post(page_of(rows[RunTag], "delete"), {"post": "yes"})
    assert AuditEntry.objects.latest("pk").name == "run tag keep"


@pytest.mark.parametrize("role", [Role.VIEWER, Role.PRESENTER, Role.CURATOR])
def test_only_an_admin_enters_whatever_else_a_person_is_marked_as(
    client_as: Callable[[Role], Client], role: Role
) -> None:
    client = client_as(role)
    User.objects.update(is_staff=True)
    for address in ("/admin/", "/admin/catalog/server/", "/admin/login/"):
        assert client.get(address, follow=True).status_code == 403
    assert Client().get("/admin/", follow=True).redirect_chain[-1][0].startswith("/sign-in/")


def server_form(**changes: str) -> dict[str, str]:
    kept = {"title": "Files", "slug": "files", "name_rule": "prefixed", "sync_every": "0", "session_scope": "shared"}
    return {**kept, "command_line": "uvx mcp-files", "environment": "KEY", **changes}


@pytest.mark.parametrize(
    "change",
    [
        {"command_line": "npx mcp-files"},
        {"command_line": "uvx mcp-files --all"},
        {"environment": "KEY\nMODE=fast"},
        {"environment": ""},
        {"cwd": "/srv"},
    ],
)
def test_a_command_changed_here_loses_its_approval(client: Client, command: Server, change: dict[str, str]) -> None:
    assert command.is_approved
    assert send(client, page_of(command), server_form(**change)).status_code == 302
    command.refresh_from_db()
    assert command.approval == "outdated"


@pytest.mark.parametrize("change", [{"url": "https://evil.test/mcp"}, {"http_headers": "X-Other: 1"}])
def test_an_address_changed_here_loses_its_approval(client: Client, command: Server, change: dict[str, str]) -> None:
    Server.objects.update(transport="http", command="", args=[], url="https://files.test/mcp")
    command.refresh_from_db()
    command.env = {}
    command.approve(by=User.objects.get(username="approver"), at=timezone.now())
    command.save()
    form = server_form(url="https://files.test/mcp", http_headers="") | change
    assert send(client, page_of(command), form).status_code == 302
    command.refresh_from_db()
    assert command.approval == "outdated"


def test_what_does_not_decide_what_is_started_leaves_the_approval(client: Client, command: Server) -> None:
    send(client, page_of(command), server_form(title="Other"))
    command.refresh_from_db()
    assert (command.title, command.approval, command.env) == ("Other", "given", {"KEY": SECRET})


def test_approval_kind_and_secrets_cannot_be_posted(client: Client, command: Server) -> None:
    Server.objects.update(approved_hash="")
    posted = {"approved_hash": command.config_hash, "kind": "builtin", "transport": "", "env": "{}", "enabled": ""}
    assert send(client, page_of(command), server_form(**posted)).status_code == 302
    command.refresh_from_db()
    assert (command.approval, command.kind, command.transport) == ("needed", "mcp", "stdio")
    assert (command.env, command.enabled) == ({"KEY": SECRET}, True)


def test_a_command_that_the_page_refuses_is_refused_here(client: Client, command: Server) -> None:
    answer = send(client, page_of(command), server_form(command_line="uvx mcp-files; rm x", cwd="here"))
    assert answer.status_code == 200
    command.refresh_from_db()
    assert command.cwd == ""


def overlay(**changes: str) -> dict[str, str]:
    return {"searchable": "on", "enabled": "on", **changes}


def test_of_a_tool_only_the_overlay_is_edited_and_each_edit_is_a_version(client: Client, team: Catalog) -> None:
    tool = Tool.objects.get(name="notify_user")
    upstream = tool.upstream()
    forged = overlay(
        own_description="Mine.", description="Forged.", upstream_hash="0", suspicions="[]", permission="read"
    )
    send(client, page_of(tool), forged)
    tool.refresh_from_db()
    assert (tool.own_description, tool.upstream()) == ("Mine.", upstream)
    version = tool.versions.filter(layer="overlay")[0]
    assert version.content["own_description"] == "Mine."
    assert version.by is not None


def test_an_edit_here_is_seen_by_the_next_search(client: Client, team: Catalog) -> None:
    tool = Tool.objects.get(name="notify_user")
    assert exposure_of(team).pool.by_name["team__notify_user"].description != "Mine."
    send(client, page_of(tool), overlay(own_description="Mine."))
    assert exposure_of(team).pool.by_name["team__notify_user"].description == "Mine."


def test_an_act_on_many_tools_is_planned_and_changes_nothing_yet(client: Client, team: Catalog) -> None:
    chosen = {"action": "plan_off", "_selected_action": [tool.pk for tool in Tool.objects.all()]}
    answer = client.post(list_of(Tool), chosen)
    assert answer["Location"] == BulkEdit.objects.get().get_absolute_url()
    assert not Tool.objects.filter(enabled=False).exists()


def test_tools_are_not_deleted_here_one_by_one_or_many(client: Client, team: Catalog) -> None:
    tool = Tool.objects.all()[0]
    assert client.post(page_of(tool, "delete"), {"post": "yes"}).status_code == 403
    client.post(list_of(Tool), {"action": "delete_selected", "_selected_action": [tool.pk], "post": "yes"})
    assert Tool.objects.count() == 5


def catalog_form(catalog: Catalog, **changes: Any) -> dict[str, Any]:
    """The form of the catalog with its one server, and no other part."""
    row = catalog.servers.get()
    place = {"id": row.pk, "catalog": catalog.pk, "server": row.server_id, "position": 0, "everything": "on"}
    parts: dict[str, Any] = {
        f"{name}-{end}_FORMS": 0
        for name in ("servers", "pre_discovered", "policy_rules")
        for end in ("TOTAL", "INITIAL")
    }
    parts |= {"servers-TOTAL_FORMS": 1, "servers-INITIAL_FORMS": 1}
    parts |= {f"servers-0-{name}": value for name, value in place.items()}
    return {"title": catalog.title, "slug": catalog.slug, **parts, **changes}


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({}, "would let none in"),
        ({"servers-0-patterns": " \n"}, "would let none in"),
        ({"servers-0-patterns": "x" * 5_000}, "cannot be used"),
        ({"servers-0-picked": "x" * 301}, "at most 300 characters"),
        ({"servers-0-patterns": "a*", "servers-0-picked": "b"}, "Choose one"),
    ],
)
def test_a_filter_that_the_page_refuses_is_refused_here(
    client: Client, team: Catalog, change: dict[str, str], said: str
) -> None:
    form = catalog_form(team) | change
    del form["servers-0-everything"]
    answer = send(client, page_of(team), form)
    assert said in answer.content.decode()
    assert team.servers.get().everything


def test_a_catalog_made_here_has_its_first_version(client: Client, team: Catalog) -> None:
    none = {"servers-TOTAL_FORMS": 0, "servers-INITIAL_FORMS": 0}
    new = catalog_form(team, title="New", slug="new", publishes_itself="", **none)
    assert client.post(f"{list_of(Catalog)}add/", new).status_code == 302
    catalog = Catalog.objects.get(slug="new")
    assert catalog.versions.get().number == 1
    assert catalog.publishes_itself


def test_mode_policy_and_settings_cannot_be_posted(client: Client, team: Catalog) -> None:
    posted = {"mode": "none", "mode_options": "{}", "policy": "os:system", "engine_settings": '{"a": 1}'}
    assert send(client, page_of(team), catalog_form(team, **posted)).status_code == 302
    team.refresh_from_db()
    assert (team.mode, team.policy, team.engine_settings) == ("mcpagent", "", {})


def test_a_rule_of_the_policy_is_held_to_its_pattern_and_keeps_its_conditions(client: Client, team: Catalog) -> None:
    rule = PolicyRule.objects.create(catalog=team, pattern="a*", phases=["search"], conditions=[])
    row = {
        "id": rule.pk,
        "catalog": team.pk,
        "pattern": "x" * 299 + "*[",
        "phases": "[]",
        "conditions": "9",
        "position": 0,
    }
    parts: dict[str, Any] = {"policy_rules-TOTAL_FORMS": 1, "policy_rules-INITIAL_FORMS": 1}
    parts |= {f"policy_rules-0-{name}": value for name, value in (row | {"pattern": "b*"}).items()}
    assert send(client, page_of(team), catalog_form(team, **parts)).status_code == 302
    rule.refresh_from_db()
    assert (rule.pattern, rule.phases, rule.conditions) == ("b*", ["search"], [])


@pytest.mark.parametrize("began", ["", "0" * 32 + ".0"])
def test_a_form_made_from_another_version_saves_nothing(
    client: Client, team: Catalog, command: Server, began: str
) -> None:
    forms = {
        command: server_form(title="Mine"),
        Tool.objects.get(name="notify_user"): overlay(own_description="Mine."),
        team: catalog_form(team, title="Mine"),
    }
    for row, form in forms.items():
        before = stored(row)
        answer = client.post(page_of(row), {**form, "began_from": began})
        assert answer.status_code == 409, row
        assert "Nothing was saved yet" in answer.content.decode()
        assert stored(row) == before


def test_a_part_changed_by_another_makes_the_whole_catalog_newer(client: Client, team: Catalog) -> None:
    began = began_from(client, page_of(team))
    place_server(team, Server.objects.get(slug="team"), "picked", ["notify_user"])
    answer: HttpResponse = client.post(page_of(team), catalog_form(team, began_from=began))  # type: ignore[assignment]
    assert answer.status_code == 409
    assert "team: notify_user: Picked" in answer.content.decode()
    assert team.servers.get().picked == ["notify_user"]


def test_servers_that_follow_agents_and_the_demo_model_stay(client: Client, db: None) -> None:
    server = Server.objects.create(slug="agents", title="Agents", kind="agents")
    model, _ = ChatModel.objects.get_or_create(name="demo/scripted", defaults={"title": "Demo"})
    for row in (server, model):
        assert client.post(page_of(row, "delete"), {"post": "yes"}).status_code == 403
        client.post(list_of(type(row)), {"action": "delete_selected", "_selected_action": [row.pk], "post": "yes"})
        assert type(row)._default_manager.filter(pk=row.pk).exists()


def test_many_are_switched_and_deleted_by_the_verbs_of_the_pages(
    client: Client, team: Catalog, command: Server
) -> None:
    keys = [server.pk for server in Server.objects.all()]
    client.post(list_of(Server), {"action": "switch_off", "_selected_action": keys})
    assert not Server.objects.filter(enabled=True).exists()
    assert exposure_of(team).pool.searchable == ()
    assert LogEntry.objects.filter(change_message="Switched off.").count() == 2
    assert AuditEntry.objects.filter(act=Act.SERVER_SWITCHED_OFF, way="admin").count() == 2
    shown = client.post(list_of(Server), {"action": "delete_selected", "_selected_action": keys}).content.decode()
    assert "5" in shown and "notify_user" not in shown
    assert "its tools leave Team agent" in shown
    client.post(list_of(Server), {"action": "delete_selected", "_selected_action": keys, "post": "yes"})
    assert not Tool.objects.exists()


LISTED = [Tool, ToolVersion, Drift, Finding, HandCall, Contact, Run, RunEvent]


def more_rows(rows: dict[type[Model], Model]) -> None:
    """Three more of each, of other tools and runs."""
    more = [{"name": f"more_{number}", "description": "One more."} for number in range(3)]
    server = Server.objects.create(slug="more", title="More", kind="file")
    import_listing(server, read_listing(more))
    hold(
        server,
        {t.name: {**t.upstream(), "title": "T"} for t in server.tools.all()},
        {t["name"]: ("wording",) for t in more},
    )
    person = User.objects.create_user("else")
    for tool in server.tools.all():
        Finding.objects.create(rule="x", tool=tool, other=tool, where="n", sentence="S.", advice="A.", rests_on="x")
        HandCall.objects.create(tool=tool, by=person)
        Contact.objects.create(server=server, kind="test", seconds=1.0)
        run = Run.objects.create(
            thread=Thread.objects.create(title="T"), catalog=Catalog.objects.create(slug=tool.name), by=person
        )
        RunEvent.objects.create(run=run, seq=1, kind="x", at=timezone.now(), body={})


def test_a_list_asks_as_often_for_many_rows_as_for_few(client: Client, rows: dict[type[Model], Model]) -> None:
    def asked() -> dict[type[Model], int]:
        counts = {}
        for model in LISTED:
            with CaptureQueriesContext(connection) as queries:
                client.get(list_of(model))
            counts[model] = len(queries)
        return counts

    asked()
    few = asked()
    more_rows(rows)
    assert asked() == few


def test_the_page_of_a_catalog_asks_as_often_for_many_parts_as_for_few(client: Client, team: Catalog) -> None:
    def asked() -> int:
        with CaptureQueriesContext(connection) as queries:
            page = client.get(page_of(team)).content.decode()
        assert all(str(row.tool) in page for row in team.pre_discovered.all())
        return len(queries)

    asked()
    few = asked()
    for tool in Tool.objects.exclude(name="notify_user"):
        show_upfront(team, tool)
    for slug in ("one", "two", "three"):
        place_server(team, Server.objects.create(slug=slug, title=slug, kind="file"), "everything")
    assert asked() == few


def test_the_page_of_a_row_does_not_load_all_tools(client: Client, rows: dict[type[Model], Model]) -> None:
    more_rows(rows)
    for model in (Catalog, Tool, Server, ToolVersion, Drift):
        page = client.get(page_of(rows[model])).content.decode()
        assert "more_1" not in page, model


def test_the_admin_shows_one_name_and_the_way_back(client: Client) -> None:
    page = client.get("/admin/").content.decode()
    assert '<a href="/">Pegboard</a>' in page
