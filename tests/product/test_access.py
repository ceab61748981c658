"""Who may do what: every address of the product, by every method, for every role, and what the audit tells of it.

An address, a method, a socket or a role that is missing here fails.
"""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.db import transaction
from django.templatetags.static import static
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from catalog import background
from catalog.auditing.acts import Act
from catalog.models import Catalog
from catalog.roles import Role
from playground.consumers import FollowingConsumer, RunConsumer
from playground.lane_consumers import LanesConsumer
from playground.routing import websocket_urlpatterns

VIEWER, PRESENTER, CURATOR, ADMIN = Role
OPEN = {"sign_in", "sign_in_link", "sign_out", "favicon", "shared_run"}
GET_BY = {
    **dict.fromkeys(
        [
            *("home", "servers", "server", "tools", "tool", "catalogs", "catalog", "search", "styleguide", "import"),
            *("playground", "search_answer", "runs", "run", "run_tool", "run_search", "run_events", "run_nested"),
            *("run_spans", "run_markdown", "run_html", "run_requests", "run_present", "run_notes"),
            *("search_json", "access_tokens", "bulk_edit", "bulk_edit_gate"),
            "what_if",
            *("tool_names", "catalog_mode", "catalog_policy", "run_output", "run_policy", "drifts", "drift", "thread"),
            *("lint", "finding"),
            *("agents", "agent"),
            *("operations", "configuration_export", "tool_export"),
            *("operations", "catalog_upfront", "catalog_compare", "catalog_yaml"),
            *("catalog_versions", "catalog_version", "catalog_publish", "catalog_gate", "run_version"),
            *("runs_storage", "runs_compare", "run_findings", "review", "review_replay", "run_judge"),
            *("suites", "suite", "suite_query", "suite_export", "suite_history"),
            *("evaluations", "evaluation", "evaluation_compare", "evaluation_export", "bake_off"),
            *("tour", "tour_search", "tour_tool", "gallery"),
            "run_held",
            *("lanes", "lane_set", "task_evaluations", "task_evaluation"),
            *("confusion_map", "confused_pair", "pin_advice"),
            *("catalog_report", "catalog_report_searches", "catalog_report_tools"),
            *("catalog_report_markdown", "catalog_report_json", "catalog_report_table"),
        ],
        VIEWER,
    ),
    **dict.fromkeys(
        [
            "server_add",
            "server_edit",
            "tool_edit",
            "catalog_add",
            "catalog_edit",
            "catalog_servers",
            "catalog_pick",
            "catalog_import",
            "agent_add",
            "agent_edit",
            "app_add",
            "tool_call",
            *("server_ways", "configuration_add", "configuration"),
            *("audit", "audit_export"),
            *("suite_add", "suite_edit", "suite_file", "suite_import", "suite_query_edit", "run_search_file"),
        ],
        CURATOR,
    ),
    **dict.fromkeys(
        ["run_fork", "run_import_add", "run_import", "run_share", "evaluation_add", "task_evaluation_add"], PRESENTER
    ),
    **dict.fromkeys(["chat_models", "chat_model_edit", "server_sign_in", "server_sign_in_callback"], ADMIN),
    **dict.fromkeys(["accounts", "account"], ADMIN),
}
POST_BY = {
    **dict.fromkeys(
        ["access_tokens", "access_token_revoke", "view_save", "view_delete", "runs_compare_choose", "lanes_choose"],
        VIEWER,
    ),
    **dict.fromkeys(
        [
            "run_start",
            "gallery_run",
            "run_stop",
            "run_fork",
            "run_import_add",
            "run_import",
            "thread_go_on",
            "thread_clear",
        ],
        PRESENTER,
    ),
    **dict.fromkeys(["runs_tag", "runs_untag", "runs_delete", "run_decide"], PRESENTER),
    **dict.fromkeys(["review_judge", "review_undo", "suite_judge"], PRESENTER),
    **dict.fromkeys(["run_note", "run_share", "run_share_revoke"], PRESENTER),
    **dict.fromkeys(["lanes_start", "lane_set_stop", "lane_set_go_on"], PRESENTER),
    **dict.fromkeys(["evaluation_add", "evaluation_stop", "evaluation_note"], PRESENTER),
    **dict.fromkeys(["task_evaluation_add", "task_evaluation_stop", "task_evaluation_go_on"], PRESENTER),
    **dict.fromkeys(
        [
            *("server_add", "server_edit", "server_switch", "server_delete", "server_session_close"),
            "server_test",
            *("import_read", "import_upload", "import_apply", "import_discard"),
            *("operations_choose", "configuration_add", "configuration", "configuration_discard"),
            *("tool_edit", "catalog_add", "catalog_edit", "catalog_delete", "catalog_servers", "catalog_tool"),
            *("catalog_pick", "catalog_upfront_place", "catalog_clone", "catalog_import"),
            *("catalog_upfront_change", "catalog_upfront_undo"),
            *("catalog_engine", "catalog_engine_undo"),
            "catalog_mode_keep",
            *("catalog_publish", "catalog_gather", "catalog_leave_out"),
            *("catalog_policy_rule", "catalog_policy_act", "catalog_policy_keep", "catalog_policy_undo"),
            "catalog_policy_person",
            *("agent_add", "agent_edit", "agent_delete"),
            *("bring_in", "bring_in_undo"),
            *(
                "tool_preview",
                "tool_what_if",
                "tool_proposals",
                "tool_rewrite",
                "tool_undo",
                "bulk_edit_plan",
                "bulk_edit_apply",
                "bulk_edit_undo",
            ),
            *("drift_decide", "drift_rewordings", "tool_looked_at", "tool_revert"),
            *("thread_clear_all", "thread_clean_up"),
            *("lint_look", "finding_aside", "finding_reopen"),
            *("tool_call", "tool_call_arguments"),
            *("suite_add", "suite_edit", "suite_delete", "suite_file", "suite_import"),
            *("suite_query_add", "suite_query_edit", "suite_query_delete"),
        ],
        CURATOR,
    ),
    **dict.fromkeys(
        [
            *("server_approve", "chat_models", "chat_model_edit", "chat_model_delete"),
            *("server_sign_in", "server_sign_out"),
            *("accounts", "account_role", "account_switch", "account_sign_out", "account_link"),
        ],
        ADMIN,
    ),
}
FOR_PROGRAMS = {"search_json"}
"""Refuse those who are not signed in in JSON, and take an access token for a sign-in."""
BY_TOKEN = {"app"}
"""Take an access token with a scope and nothing else, whoever is signed in: tests/catalog/test_apps.py has who."""
ADMIN_PARTS = {"object_id": "1", "id": "1", "content_type_id": "1", "app_label": "catalog"}
METHODS = ["GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"]
ADMIN_FOR_ALL = {"login", "logout"}
"""Pages of Django's admin that ask for no sign-in."""
EXPORTS = {
    "tool_export",
    "configuration_export",
    "catalog_yaml",
    "audit_export",
    "run_events",
    "run_spans",
    "run_markdown",
    "run_requests",
    "run_html",
    "suite_export",
    "evaluation_export",
    "catalog_report_markdown",
    "catalog_report_json",
    "catalog_report_table",
}
AUDITED: dict[str, set[Act]] = {
    "server_add": {Act.SERVER_ADDED},
    "configuration": {Act.SERVER_ADDED},
    "server_edit": {Act.SERVER_EDITED},
    "server_approve": {Act.SERVER_APPROVED, Act.IMPORT_READ},
    "server_switch": {Act.SERVER_SWITCHED_ON, Act.SERVER_SWITCHED_OFF},
    "server_delete": {Act.SERVER_DELETED},
    "server_sign_in_callback": {Act.SERVER_SIGNED_IN},
    "server_sign_out": {Act.SERVER_SIGNED_OUT},
    "app": {Act.APP_REGISTERED, Act.APP_UNREGISTERED},
    "import_read": {Act.IMPORT_READ},
    "import_upload": {Act.IMPORT_READ},
    "operations_choose": {Act.IMPORT_READ, Act.SERVER_EDITED},
    "import_apply": {Act.IMPORT_APPLIED},
    "import_discard": {Act.IMPORT_DISCARDED},
    "drift_decide": {Act.DRIFT_ACCEPTED, Act.DRIFT_REFUSED},
    "drift_rewordings": {Act.DRIFT_ACCEPTED},
    "tool_looked_at": {Act.SUSPICION_LOOKED_AT},
    "tool_edit": {Act.TOOL_EDITED, Act.GATE_OVERRIDDEN},
    "tool_undo": {Act.TOOL_EDIT_UNDONE},
    "tool_revert": {Act.TOOL_REVERTED},
    "tool_call": {Act.TOOL_CALLED},
    "tool_rewrite": {Act.REWRITE_ASKED},
    "bring_in": {Act.TOOL_BROUGHT_IN},
    "bring_in_undo": {Act.BRINGING_IN_UNDONE},
    "bulk_edit_apply": {Act.BULK_APPLIED},
    "bulk_edit_undo": {Act.BULK_UNDONE},
    "catalog_add": {Act.CATALOG_ADDED},
    "catalog_clone": {Act.CATALOG_CLONED},
    "catalog_edit": {Act.CATALOG_EDITED},
    "catalog_servers": {Act.CATALOG_SHAPED},
    "catalog_pick": {Act.CATALOG_SHAPED},
    "catalog_tool": {Act.CATALOG_SHAPED},
    "catalog_upfront_place": {Act.CATALOG_SHAPED},
    "catalog_upfront_change": {Act.CATALOG_SHAPED},
    "catalog_upfront_undo": {Act.CATALOG_SHAPED},
    "catalog_engine": {Act.CATALOG_ENGINE},
    "catalog_engine_undo": {Act.CATALOG_ENGINE},
    "catalog_mode_keep": {Act.CATALOG_MODE},
    "catalog_policy_rule": {Act.CATALOG_POLICY},
    "catalog_policy_act": {Act.CATALOG_POLICY},
    "catalog_policy_keep": {Act.CATALOG_POLICY},
    "catalog_policy_undo": {Act.CATALOG_POLICY},
    "catalog_policy_person": {Act.CATALOG_POLICY},
    "catalog_publish": {Act.CATALOG_PUBLISHED, Act.CATALOG_ROLLED_BACK, Act.GATE_OVERRIDDEN},
    "catalog_leave_out": {Act.TOOL_EDITED},
    "catalog_gather": {Act.CATALOG_GATHERS},
    "catalog_import": {Act.CATALOG_IMPORTED},
    "catalog_delete": {Act.CATALOG_DELETED},
    "suite_add": {Act.SUITE_ADDED},
    "suite_edit": {Act.SUITE_EDITED},
    "suite_query_add": {Act.SUITE_EDITED},
    "suite_query_edit": {Act.SUITE_EDITED},
    "suite_query_delete": {Act.SUITE_EDITED},
    "suite_file": {Act.SUITE_EDITED},
    "suite_import": {Act.SUITE_IMPORTED},
    "suite_delete": {Act.SUITE_DELETED},
    "agent_add": {Act.AGENT_SAVED},
    "agent_edit": {Act.AGENT_SAVED},
    "agent_delete": {Act.AGENT_DELETED},
    "chat_models": {Act.CHAT_MODEL_SAVED},
    "chat_model_edit": {Act.CHAT_MODEL_SAVED},
    "chat_model_delete": {Act.CHAT_MODEL_DELETED},
    "run_start": {Act.RUN_STARTED},
    "gallery_run": {Act.RUN_STARTED},
    "run_fork": {Act.RUN_STARTED},
    "thread_go_on": {Act.RUN_STARTED},
    "run_stop": {Act.RUN_STOPPED},
    "run_decide": {Act.CALL_DECIDED},
    "lanes_start": {Act.RUN_STARTED},
    "lane_set_go_on": {Act.RUN_STARTED},
    "lane_set_stop": {Act.RUN_STOPPED},
    "run_import": {Act.RUN_IMPORTED},
    "runs_delete": {Act.RUN_DELETED},
    "run_share": {Act.RUN_SHARED},
    "run_share_revoke": {Act.RUN_UNSHARED},
    "access_tokens": {Act.TOKEN_MADE},
    "access_token_revoke": {Act.TOKEN_REVOKED},
    "sign_in": {Act.SIGNED_IN, Act.SIGN_IN_FAILED, Act.SIGN_IN_HELD_OFF},
    "sign_in_link": {Act.SIGNED_IN},
    "sign_out": {Act.SIGNED_OUT},
    "accounts": {Act.PERSON_ADDED, Act.LINK_MADE},
    "account_role": {Act.ROLE_CHANGED},
    "account_switch": {Act.PERSON_DEACTIVATED, Act.PERSON_REACTIVATED},
    "account_sign_out": {Act.SESSIONS_ENDED},
    "account_link": {Act.LINK_MADE},
    **{name: {Act.EXPORTED} for name in EXPORTS},
}
"""What each address that changes or takes out something leaves in the audit; tests/catalog/test_audited_acts.py does it all."""
NOT_AUDITED = {
    **dict.fromkeys(["view_save", "view_delete"], "A view is an address that a person keeps for themselves."),
    **dict.fromkeys(
        ["tool_preview", "tool_what_if", "tool_proposals", "tool_call_arguments"],
        "It shows what a form says, and keeps nothing.",
    ),
    **dict.fromkeys(["configuration_add", "configuration_discard"], "What is brought lies apart until it is added."),
    "server_sign_in": "It finds out where one signs in; coming back from there is told.",
    "run_import_add": "Logs that are brought lie apart until their runs are imported.",
    "bulk_edit_plan": "A plan changes no tool; applying it is told.",
    "server_session_close": "The next call opens another; no row is changed.",
    "server_test": "It changes nothing of the server, and is kept among its contacts.",
    **dict.fromkeys(["thread_clear", "thread_clear_all", "thread_clean_up"], "What is forgotten was only in memory."),
    **dict.fromkeys(["runs_tag", "runs_untag"], "A tag changes nothing of what a run did; anybody sees it."),
    "run_note": "A note changes nothing of what a run did; anybody who signed in sees it.",
    **dict.fromkeys(["runs_compare_choose", "lanes_choose"], "It leads to a page, and keeps nothing."),
    **dict.fromkeys(["review_judge", "review_undo"], "A judgement changes no tool, and keeps who said it and when."),
    "suite_judge": "A judgement keeps whose it is, and when.",
    **dict.fromkeys(
        ["evaluation_add", "evaluation_stop"], "An evaluation changes no tool, and is kept with its person."
    ),
    "evaluation_note": "A note changes no figure.",
    **dict.fromkeys(
        ["task_evaluation_add", "task_evaluation_stop", "task_evaluation_go_on"],
        "Each of its runs is told as it begins in the background, and as it is stopped.",
    ),
    "lint_look": "A look changes no tool, and is kept with its person.",
    **dict.fromkeys(["finding_aside", "finding_reopen"], "A finding changes no tool, and keeps who decided and why."),
}
PARTS = {
    "slug": "team",
    "kind": "file",
    "pk": 1,
    "number": 1,
    "seq": 1,
    "token": "x",
    "server": "team",
    "name": "notify_user",
    "run_id": "00000000-0000-0000-0000-000000000000",
    "thread_id": "00000000-0000-0000-0000-000000000000",
    "set_id": "00000000-0000-0000-0000-000000000000",
    "evaluation_id": "00000000-0000-0000-0000-000000000000",
    "file": "tool_1_x.txt",
}


@pytest.fixture(autouse=True)
def nothing_in_the_background(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who may ask for an import is the question here; its work would outlive the test's rows."""
    monkeypatch.setattr(background, "submit", lambda work: None)
    monkeypatch.setattr(background, "A_MOMENT", 0)
    monkeypatch.setattr(background, "submit_in_line", lambda work: None)


def patterns(resolver: URLResolver) -> Iterator[URLPattern]:
    for entry in resolver.url_patterns:
        if isinstance(entry, URLPattern):
            yield entry
        elif entry.namespace != "admin":
            yield from patterns(entry)


ROUTES = {str(pattern.name): pattern for pattern in patterns(get_resolver())}


def address(name: str) -> str:
    resolver = get_resolver()
    return "/" + resolver.reverse(name, **{key: PARTS[key] for key in ROUTES[name].pattern.converters})


def undone(ask: Callable[..., Any], *what: str) -> int:
    """The status of the answer; what was done to rows is undone."""
    with transaction.atomic():
        answer = ask(*what)
        transaction.set_rollback(True)
    return int(answer.status_code)


def admin_addresses() -> Iterator[tuple[str, str]]:
    """Every page of Django's admin, of a row that there need not be."""
    entries = get_resolver().url_patterns
    (admin,) = [entry for entry in entries if isinstance(entry, URLResolver) and entry.namespace == "admin"]
    for pattern in patterns(admin):
        if pattern.name:
            parts = {part: ADMIN_PARTS[part] for part in pattern.pattern.regex.groupindex}
            yield pattern.name, reverse(f"admin:{pattern.name}", kwargs=parts or None)


@pytest.mark.threat("T18")
def test_every_address_is_in_the_tables() -> None:
    assert set(ROUTES) == OPEN | BY_TOKEN | set(GET_BY) | set(POST_BY)


@pytest.mark.threat("T18")
def test_nobody_gets_in_without_signing_in(db: None) -> None:
    client = Client(raise_request_exception=False)
    for name in sorted((GET_BY.keys() | POST_BY.keys()) - FOR_PROGRAMS):
        for answer in (client.get(address(name)), client.post(address(name))):
            assert answer.status_code in (302, 405), name
            assert answer.status_code == 405 or answer["Location"].startswith("/sign-in/"), name


@pytest.mark.parametrize("name", sorted(FOR_PROGRAMS))
def test_a_program_that_is_not_signed_in_is_refused_in_json(db: None, name: str) -> None:
    for headers in ({}, {"Authorization": "Bearer made-up"}):
        answer = Client().get(address(name), headers=headers)
        assert answer.status_code == 401
        assert "access token" in answer.json()["problems"]["authorization"]


@pytest.mark.parametrize("method", ["GET", "PUT", "DELETE", "POST"])
@pytest.mark.parametrize("name", sorted(BY_TOKEN))
def test_where_a_token_is_asked_for_no_cookie_counts(
    client_as: Callable[[Role], Client], name: str, method: str
) -> None:
    assert client_as(ADMIN).generic(method, address(name)).status_code == (405 if method == "POST" else 401)


@pytest.mark.threat("T18")
@pytest.mark.parametrize("role", list(Role))
def test_who_may_look(team: Catalog, client_as: Callable[[Role], Client], role: Role) -> None:
    client = client_as(role)
    refused = {name for name in GET_BY if undone(client.get, address(name)) == 403}
    assert refused == {name for name, least in GET_BY.items() if role < least}


@pytest.mark.threat("T18")
@pytest.mark.parametrize("role", list(Role))
def test_who_may_change(team: Catalog, client_as: Callable[[Role], Client], role: Role) -> None:
    client = client_as(role)
    refused = {name for name in POST_BY if undone(client.post, address(name)) == 403}
    assert refused == {name for name, least in POST_BY.items() if role < least}


def test_no_address_takes_a_method_that_is_not_in_the_tables(
    team: Catalog, client_as: Callable[[Role], Client]
) -> None:
    client, taken = client_as(ADMIN), {"GET": GET_BY, "POST": POST_BY}
    answered = {
        (name, method): undone(client.generic, method, address(name))
        for name in {**GET_BY, **POST_BY}
        for method in METHODS
        if name not in taken.get(method, ())
    }
    assert {asked for asked, status in answered.items() if status != 405} == {
        ("styleguide", "HEAD"),
        ("styleguide", "OPTIONS"),
    }


@pytest.mark.parametrize("role", [VIEWER, PRESENTER, CURATOR])
def test_only_admins_get_into_the_admin(client_as: Callable[[Role], Client], role: Role) -> None:
    client = client_as(role)
    asked = {name: (client.get(where), client.post(where)) for name, where in admin_addresses()}
    assert len(asked) > 50
    let_in = {
        name
        for name, answers in asked.items()
        if not all(answer.status_code == 302 and "/login/" in answer["Location"] for answer in answers)
    }
    assert let_in == ADMIN_FOR_ALL


def test_what_is_served_to_everybody_is_only_read() -> None:
    client = Client()
    assert client.get(static("css/tokens.css")).status_code == 200
    for method in ("POST", "PUT", "DELETE"):
        assert client.generic(method, static("css/tokens.css")).status_code in (404, 405)
    for up in ("..", "../..", "../../.."):
        assert client.get(static(f"{up}/config/settings.py")).status_code == 404


def test_every_socket_is_in_the_table() -> None:
    """What each takes from a browser, and from whom, is in tests/playground/test_consumers.py."""
    sockets = {str(pattern.pattern): pattern.callback.consumer_class for pattern in websocket_urlpatterns}
    assert sockets == {"ws/runs/<uuid:run_id>/": RunConsumer, "ws/lanes/<uuid:set_id>/": LanesConsumer}
    acts = {name for kind in (FollowingConsumer, *sockets.values()) for name in vars(kind) if not name.startswith("_")}
    assert acts - {"dispatch"} == {"connect", "receive"}, (
        "a socket takes one kind of message: which events the page has"
    )


@pytest.mark.threat("T19")
def test_no_change_without_the_token_of_a_form(team: Catalog, person: Callable[[Role], object]) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(person(ADMIN))  # type: ignore[arg-type]
    statuses = {name: client.post(address(name), headers={"HX-Request": "true"}).status_code for name in POST_BY}
    assert statuses == dict.fromkeys(POST_BY, 403)


def test_every_address_that_changes_something_leaves_an_entry_or_says_why_not() -> None:
    assert AUDITED.keys() & NOT_AUDITED.keys() == set()
    changing = {*POST_BY, *BY_TOKEN, "sign_in", "sign_in_link", "sign_out", "server_sign_in_callback"}
    assert changing | EXPORTS == AUDITED.keys() | NOT_AUDITED.keys()
    assert {act for acts in AUDITED.values() for act in acts} == set(Act) - {
        Act.PRUNED,
        Act.ADMIN_ADDED,
        Act.ADMIN_CHANGED,
        Act.ADMIN_DELETED,
    }
    assert all(reason.endswith(".") for reason in NOT_AUDITED.values())


@pytest.mark.parametrize("name", ["home", "servers", "tools", "catalogs", "search", "playground", "runs"])
def test_every_page_has_a_policy_with_a_nonce_of_its_own(client_as: Callable[[Role], Client], name: str) -> None:
    client = client_as(VIEWER)
    policies = [client.get(address(name))["Content-Security-Policy"] for _ in range(2)]
    assert policies[0] != policies[1]
    for policy in policies:
        directives = dict(part.strip().split(" ", 1) for part in policy.split(";"))
        assert directives["script-src"].startswith("'nonce-")
        assert "unsafe" not in policy
        assert directives["object-src"] == directives["base-uri"] == directives["frame-ancestors"] == "'none'"
        assert directives["form-action"] == "'self'"


def test_an_error_page_has_the_policy_too(client_as: Callable[[Role], Client]) -> None:
    answer = client_as(VIEWER).get("/nowhere/")
    assert answer.status_code == 404
    assert "script-src 'nonce-" in answer["Content-Security-Policy"]
