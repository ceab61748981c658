"""What every answer carries, and what no page of another origin can do (T14, T15, T19)."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.contrib.auth.models import User
from django.core.checks import run_checks
from django.test import Client, override_settings
from django.test.client import MULTIPART_CONTENT

from catalog import background
from catalog.models import Catalog
from catalog.roles import Role
from playground.models import Run, Thread
from tests.playground.sockets import BrowserSocket
from tests.product.test_access import GET_BY, OPEN, POST_BY, address

ROOT = Path(__file__).parents[3]
STRICT = {
    "default-src": "'self'",
    "object-src": "'none'",
    "base-uri": "'none'",
    "frame-ancestors": "'none'",
    "form-action": "'self'",
    "img-src": "'self' data:",
}


def nonce_of(answer: Any) -> str:
    """The nonce of the answer's policy, which must be strict; empty where no script of the page itself is let in."""
    told = answer.get("Content-Security-Policy", "")
    directives = (part.strip().partition(" ") for part in told.split(";"))
    policy = {name: values.strip() for name, _, values in directives}
    assert policy.items() >= STRICT.items()
    assert "unsafe" not in told and "*" not in told
    scripts = re.findall(r"<script\b([^>]*)>", answer.content.decode())
    nonce = "".join(re.findall(r"^'nonce-([^']+)'$", policy["script-src"]))
    assert nonce or policy["script-src"] in ("", "'self'")  # Django's admin has its scripts in files of its own
    assert not nonce or all(f'nonce="{nonce}"' in script or "application/json" in script for script in scripts)
    assert not re.search(r"<[^>]+\s(?:on\w+|style)=", answer.content.decode())
    assert (answer["X-Frame-Options"], answer["X-Content-Type-Options"]) == ("DENY", "nosniff")
    return nonce


@pytest.mark.threat("T14")
def test_every_page_has_a_strict_policy_with_a_nonce_of_its_own(
    team: Catalog, client_as: Callable[[Role], Client]
) -> None:
    admin = client_as(Role.ADMIN)
    admin.raise_request_exception = False
    answers = [admin.get(address(name)) for name in sorted({*GET_BY, *OPEN} - {"search_json"})]
    answers += [admin.get(address(name)) for name in sorted(POST_BY)[:5]]
    answers += [
        admin.get("/nowhere/"),
        admin.get("/admin/"),
        admin.get("/admin/catalog/tool/"),
        Client().get("/sign-in/"),
    ]
    answers += [Client(enforce_csrf_checks=True).post("/sign-in/"), Client(headers={"host": "evil.test"}).get("/")]
    pages = [answer for answer in answers if "html" in answer.get("Content-Type", "") and answer.content]
    nonces = [nonce_of(page) for page in pages]
    assert len(pages) > 50
    given = [nonce for nonce in nonces if nonce]
    assert len(set(given)) == len(given) > 50
    assert min(map(len, given)) >= 22


@pytest.mark.threat("T14")
def test_a_page_that_fails_has_the_policy_too(
    client_as: Callable[[Role], Client], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise RuntimeError("CANARY")

    monkeypatch.setattr("playground.views.home.render", fail)
    client = client_as(Role.VIEWER)
    client.raise_request_exception = False
    answer = client.get("/")
    assert answer.status_code == 500
    nonce_of(answer)
    assert "CANARY" not in answer.content.decode() and "Traceback" not in answer.content.decode()


@pytest.mark.threat("T14")
def test_htmx_may_neither_evaluate_nor_run_scripts_nor_ask_others(client_as: Callable[[Role], Client]) -> None:
    page = client_as(Role.VIEWER).get("/").content.decode()
    (told,) = re.findall(r"<meta name=\"htmx-config\" content='([^']+)'>", page)
    wanted = {"allowEval": False, "allowScriptTags": False, "selfRequestsOnly": True, "includeIndicatorStyles": False}
    assert json.loads(told).items() >= wanted.items()


@pytest.fixture
def run(transactional_db: None) -> Run:
    return Run.objects.create(thread=Thread.objects.create(title="t"), task="t")


@pytest.fixture
def viewer(transactional_db: None, client_as: Callable[[Role], Client]) -> Client:
    return client_as(Role.VIEWER)


FOREIGN = [
    b"http://evil.test", b"null", b"", None, b"https://localhost", b"http://localhost:3000", b"http://127.0.0.1",
    b"http://localhost.evil.test", b"http://evillocalhost", b"http://xn--lcalhost-9kg", "http://lоcalhost".encode(),
    b"file://", b"http://localhost@evil.test", b"http://localhost/", b"http://evil.test#http://localhost", b"localhost",
]  # fmt: skip


@pytest.mark.threat("T15")
@pytest.mark.parametrize("origin", FOREIGN)
async def test_a_page_of_any_other_origin_gets_no_socket(run: Run, viewer: Client, origin: bytes | None) -> None:
    assert not await BrowserSocket(run.pk, viewer, origin).connect()


@pytest.mark.threat("T15")
async def test_a_name_that_leads_here_is_no_origin_of_ours(run: Run, viewer: Client) -> None:
    assert not await BrowserSocket(run.pk, viewer, b"http://evil.test", b"evil.test").connect()


@pytest.mark.threat("T15")
async def test_ones_own_origin_and_one_that_was_named_get_a_socket(run: Run, viewer: Client) -> None:
    for origin, host in ((b"http://localhost", b"localhost"), (b"http://127.0.0.1:8000", b"127.0.0.1:8000")):
        one = BrowserSocket(run.pk, viewer, origin, host)
        assert await one.connect()
        await one.leave()
    with override_settings(CSRF_TRUSTED_ORIGINS=["https://localhost", "https://*.localhost:444"]):
        for origin in (b"https://localhost", b"https://a.localhost:444"):
            one = BrowserSocket(run.pk, viewer, origin, b"inner:8000")
            assert await one.connect() == (origin == b"https://localhost")
            await one.leave()


@pytest.mark.threat("T15")
def test_a_server_for_every_host_does_not_start() -> None:
    with override_settings(ALLOWED_HOSTS=["*"], DEBUG=False):
        assert any("PEGBOARD_HOSTS must not be *" in problem.msg for problem in run_checks())


FORM = "application/x-www-form-urlencoded"
ATTEMPTS: dict[str, tuple[str, dict[str, str]]] = {
    "none": (FORM, {}),
    "a wrong one": (FORM, {"X-CSRFToken": "x" * 64}),
    "by htmx": (FORM, {"HX-Request": "true"}),
    "JSON as text": ("text/plain", {}),
    "another method within": (FORM, {"X-HTTP-Method-Override": "PUT"}),
    "another origin": (MULTIPART_CONTENT, {"Origin": "http://evil.test"}),
}


def counted() -> dict[str, int]:
    return {
        model.__name__: model._default_manager.count() for model in apps.get_models() if model.__name__ != "Session"
    }


@pytest.mark.threat("T19")
def test_nothing_changes_without_the_token_of_a_form(
    team: Catalog, person: Callable[[Role], User], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(background, "submit", lambda work: None)
    monkeypatch.setattr(background, "A_MOMENT", 0)
    client, other = (Client(enforce_csrf_checks=True) for _ in range(2))
    admin = person(Role.ADMIN)
    for one in (client, other):
        one.force_login(admin)
    other.get("/sign-in/")
    before = counted()
    for name in sorted({*POST_BY, "sign_in", "sign_out"}):
        for what, (kind, headers) in ATTEMPTS.items():
            answer = client.generic("POST", address(name), b"title=x&_method=PUT", kind, headers=headers)
            assert answer.status_code == 403, (name, what)
        of_another = {"csrfmiddlewaretoken": "A" * 64, "title": "x"}
        client.cookies["csrftoken"] = "B" * 32
        assert client.post(address(name), of_another).status_code == 403, name
    assert counted() == before
    assert client.get("/").status_code == 200


@pytest.mark.threat("T19")
def test_no_view_is_exempt_but_the_one_that_takes_no_cookie() -> None:
    files = [path for folder in ("catalog", "playground", "config") for path in (ROOT / folder).rglob("*.py")]
    found = [path.relative_to(ROOT).as_posix() for path in files if "csrf_exempt" in path.read_text()]
    assert found == ["catalog/views/apps.py"]
