"""Who may do what: every address of the product, for every role. An address that is missing here fails."""

from collections.abc import Callable, Iterator

import pytest
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

from catalog import background
from catalog.models import Catalog
from catalog.roles import Role

VIEWER, PRESENTER, CURATOR, ADMIN = Role
OPEN = {"sign_in", "sign_in_link", "sign_out", "favicon"}
GET_BY = {
    **dict.fromkeys(
        [
            *("home", "servers", "server", "tools", "tool", "catalogs", "catalog", "search", "styleguide", "import"),
            *("playground", "search_answer", "runs", "run", "run_tool", "run_search", "run_events", "run_nested"),
            *("run_spans", "run_markdown"),
            *("search_json", "access_tokens", "bulk_edit"),
            *("tool_names", "catalog_mode", "catalog_policy", "run_output", "run_policy", "drifts", "drift", "thread"),
            *("lint", "finding"),
            *("agents", "agent"),
            *("operations", "configuration_export", "tool_export"),
            *("operations", "catalog_upfront", "catalog_compare", "catalog_yaml"),
            *("runs_storage", "runs_compare"),
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
        ],
        CURATOR,
    ),
    **dict.fromkeys(["run_fork", "run_import_add", "run_import"], PRESENTER),
    **dict.fromkeys(["chat_models", "chat_model_edit", "server_sign_in", "server_sign_in_callback"], ADMIN),
}
POST_BY = {
    **dict.fromkeys(
        ["access_tokens", "access_token_revoke", "view_save", "view_delete", "runs_compare_choose"], VIEWER
    ),
    **dict.fromkeys(
        ["run_start", "run_stop", "run_fork", "run_import_add", "run_import", "thread_go_on", "thread_clear"], PRESENTER
    ),
    **dict.fromkeys(["runs_tag", "runs_untag", "runs_delete"], PRESENTER),
    **dict.fromkeys(
        [
            *("server_add", "server_edit", "server_switch", "server_delete", "server_session_close"),
            "server_test",
            *("import_read", "import_upload", "import_apply", "import_discard"),
            *("operations_choose", "configuration_add", "configuration", "configuration_discard"),
            *("tool_edit", "catalog_add", "catalog_edit", "catalog_delete", "catalog_servers", "catalog_tool"),
            *("catalog_pick", "catalog_upfront_place", "catalog_clone", "catalog_import"),
            *("catalog_engine", "catalog_engine_undo"),
            "catalog_mode_keep",
            *("catalog_policy_rule", "catalog_policy_act", "catalog_policy_keep", "catalog_policy_undo"),
            *("agent_add", "agent_edit", "agent_delete"),
            *("bring_in", "bring_in_undo"),
            *("tool_preview", "tool_undo", "bulk_edit_plan", "bulk_edit_apply", "bulk_edit_undo"),
            *("drift_decide", "drift_rewordings", "tool_looked_at", "tool_revert"),
            *("thread_clear_all", "thread_clean_up"),
            *("lint_look", "finding_aside", "finding_reopen"),
            *("tool_call", "tool_call_arguments"),
        ],
        CURATOR,
    ),
    **dict.fromkeys(["server_approve", "chat_models", "chat_model_edit", "chat_model_delete"], ADMIN),
    **dict.fromkeys(["server_sign_in", "server_sign_out"], ADMIN),
}
FOR_PROGRAMS = {"search_json"}
"""Refuse those who are not signed in in JSON, and take an access token for a sign-in."""
BY_TOKEN = {"app"}
"""Take an access token with a scope and nothing else, whoever is signed in: tests/catalog/test_apps.py has who."""
PARTS = {
    "slug": "team",
    "kind": "file",
    "pk": 1,
    "token": "x",
    "server": "team",
    "name": "notify_user",
    "run_id": "00000000-0000-0000-0000-000000000000",
    "thread_id": "00000000-0000-0000-0000-000000000000",
    "file": "tool_1_x.txt",
}


@pytest.fixture(autouse=True)
def nothing_in_the_background(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who may ask for an import is the question here; its work would outlive the test's rows."""
    monkeypatch.setattr(background, "submit", lambda work: None)
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


def test_every_address_is_in_the_tables() -> None:
    assert set(ROUTES) == OPEN | BY_TOKEN | set(GET_BY) | set(POST_BY)


@pytest.mark.parametrize("name", sorted((set(GET_BY) | set(POST_BY)) - FOR_PROGRAMS))
def test_nobody_gets_in_without_signing_in(db: None, name: str) -> None:
    for method in (Client().get, Client().post):
        answer = method(address(name))
        assert answer.status_code in (302, 405)
        if answer.status_code == 302:
            assert answer["Location"].startswith("/sign-in/")


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


@pytest.mark.parametrize("role", list(Role))
@pytest.mark.parametrize("name", sorted(GET_BY))
def test_who_may_look(team: Catalog, client_as: Callable[[Role], Client], name: str, role: Role) -> None:
    status = client_as(role).get(address(name)).status_code
    assert (status == 403) == (role < GET_BY[name])


@pytest.mark.parametrize("role", list(Role))
@pytest.mark.parametrize("name", sorted(POST_BY))
def test_who_may_change(team: Catalog, client_as: Callable[[Role], Client], name: str, role: Role) -> None:
    status = client_as(role).post(address(name)).status_code
    assert (status == 403) == (role < POST_BY[name])


@pytest.mark.parametrize("name", sorted(POST_BY))
def test_no_change_without_the_token_of_a_form(team: Catalog, person: Callable[[Role], object], name: str) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(person(ADMIN))  # type: ignore[arg-type]
    assert client.post(address(name), headers={"HX-Request": "true"}).status_code == 403


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
