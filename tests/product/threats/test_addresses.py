"""Nobody is sent to an inner address: by no spelling, at no place where an address is written, by no redirect (T07 to T09)."""

import http.server
import json
import threading
from collections.abc import Awaitable, Callable, Iterator
from contextlib import suppress
from functools import partial
from typing import Any

import anyio
import pytest
from django.test import Client

from catalog import background
from catalog.embedding.embedder import EmbeddingFailedError
from catalog.embedding.litellm_embedder import LiteLLMEmbedder
from catalog.models import ApiDocument, Configuration, Server
from catalog.outbound import http_transport
from catalog.roles import Role
from catalog.sources import mcp
from catalog.sources.addresses import url_problem
from catalog.sources.app_calls import AppAddress, call_app
from catalog.sources.errors import SourceError
from catalog.sources.mcp_servers import read as read_configuration
from catalog.sources.openapi.base_addresses import base_addresses
from catalog.sources.openapi.calling import send
from catalog.sources.openapi.fetching import fetch
from catalog.sources.openapi.request import ApiConnection, Request
from catalog.sources.sdk import UnfitRegistrationError, read_registration
from playground.agent.chat_model import ModelFailed
from playground.agent.litellm_model import LiteLLMModel
from playground.models import ChatModel
from tests.catalog.test_outbound import HOSTS

WITH_A_WORD = {"127.0.0.1", "127.1", "2130706433", "0x7f000001", "0177.0.0.1", "localhost", "localhost.", "[::1]"}
WITH_A_WORD |= {"[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "100.64.0.1", "10.0.0.1"}
"""Private ones, which an admin may open."""
NEVER = [host for host in HOSTS if host not in WITH_A_WORD]
SCHEMES = ["javascript:alert(1)", "data:text/html,x", "file:///etc/passwd", "gopher://example.com/", "//example.com/"]


class Trap(http.server.ThreadingHTTPServer):
    """A server on loopback that answers every request with one status, leads on to `onward`, and keeps what came."""

    def __init__(self, onward: str = "") -> None:
        super().__init__(("127.0.0.1", 0), TrapHandler)
        self.onward, self.status = onward, 200
        self.hits: list[tuple[str, dict[str, str]]] = []
        self.url = f"http://127.0.0.1:{self.server_port}"


class TrapHandler(http.server.BaseHTTPRequestHandler):
    server: Trap

    def do_GET(self) -> None:
        self.rfile.read(int(self.headers.get("Content-Length") or 0))
        self.server.hits.append((self.path, {name.lower(): value for name, value in self.headers.items()}))
        self.send_response(self.server.status)
        self.send_header("Location", self.server.onward)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def do_POST(self) -> None:
        self.do_GET()

    def log_message(self, *args: Any) -> None:
        pass


@pytest.fixture
def traps() -> Iterator[tuple[Trap, Trap]]:
    """One that is allowed, and one elsewhere that it leads on to."""
    elsewhere = Trap()
    here = Trap(f"http://localhost:{elsewhere.server_port}/inside")
    for trap in (here, elsewhere):
        threading.Thread(target=trap.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
    yield here, elsewhere
    for trap in (here, elsewhere):
        trap.shutdown()
        trap.server_close()


def configured(url: str) -> bool:
    """Whether a configuration may add a server at the address."""
    found = read_configuration(json.dumps({"mcpServers": {"a": {"url": url}}}).encode())
    return bool(found.servers) and not url_problem(found.servers[0].url, allow_private=True)


def registered(url: str) -> bool:
    with suppress(UnfitRegistrationError):
        return bool(
            read_registration(
                json.dumps({"title": "D", "callback_url": url, "tools": [{"name": "a", "description": "b"}]}).encode()
            )
        )
    return False


def named_by_a_document(url: str) -> bool:
    host = url.removeprefix("http://").split(":8080")[0]
    templated = {"url": "http://{host}:8080/", "variables": {"host": {"default": host}}}
    return bool(base_addresses([{"url": url}, *([templated] if url.startswith("http:") else [])]))


@pytest.mark.threat("T07")
@pytest.mark.parametrize("takes", [registered, named_by_a_document, lambda url: not url_problem(url, True)])
@pytest.mark.parametrize("url", [*(f"http://{host}:8080/" for host in NEVER), *SCHEMES])
def test_an_address_that_no_word_opens_is_taken_nowhere(takes: Callable[[str], bool], url: str) -> None:
    assert not takes(url)


@pytest.mark.threat("T07")
def test_the_same_places_take_an_honest_address() -> None:
    for takes in (registered, named_by_a_document, configured):
        assert takes("http://example.com:8080/")


FORMS = {
    "/servers/add/address/": ("url", {"title": "Far", "name_rule": "prefixed", "sync_every": "0", "session_scope": "shared"}),
    "/servers/add/openapi/": ("document_url", {"title": "Api", "name_rule": "prefixed"}),
    "/chat-models/": ("base_url", {"title": "Own", "name": "openai/own"}),
}  # fmt: skip


@pytest.mark.threat("T07")
@pytest.mark.parametrize("address", FORMS)
def test_no_form_keeps_such_an_address_and_none_says_what_listens(
    client_as: Callable[[Role], Client], address: str
) -> None:
    admin = client_as(Role.ADMIN)
    field, filled = FORMS[address]
    for url in ("http://169.254.169.254/latest", "http://[::ffff:a9fe:a9fe]/", "http://[fd00:ec2::254]/", *SCHEMES):
        page = admin.post(address, {**filled, field: url})
        assert page.status_code == 200
        assert "Nothing was saved yet" in page.content.decode() or 'class="error"' in page.content.decode()
    assert not Server.objects.exists()
    assert not ChatModel.objects.filter(title="Own").exists()
    assert not ApiDocument.objects.exists() and not Configuration.objects.exists()


@pytest.mark.threat("T07")
def test_a_private_address_is_kept_and_not_reached_before_an_admins_word(
    client_as: Callable[[Role], Client], traps: tuple[Trap, Trap], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(background, "submit", lambda work: work())
    curator, (trap, _) = client_as(Role.CURATOR), traps
    for address in list(FORMS)[:2]:
        field, filled = FORMS[address]
        curator.post(address, {**filled, field: f"{trap.url}/mcp"})
    servers = list(Server.objects.all())
    assert len(servers) == 2
    for server in servers:
        for act in ("read", "test", "approve"):
            curator.post(f"/servers/{server.slug}/{act}/", {"config_hash": server.config_hash})
    assert trap.hits == []


SECRETS = {"Authorization": "Bearer CANARY-0123456789", "Cookie": "a=CANARY", "X-Api-Key": "CANARY-0123456789"}
QUICK = mcp.Timeouts(start=5, call=2, close=1)


def over_mcp(url: str) -> Awaitable[object]:
    return mcp.read(mcp.HttpConnection(url, SECRETS, allow_private=True), timeouts=QUICK)


def by_operation(url: str) -> Awaitable[object]:
    return send(Request("GET", url, tuple(SECRETS.items())), ApiConnection(url, SECRETS, allow_private=True))


def by_a_changing_operation(url: str) -> Awaitable[object]:
    return send(Request("POST", url, tuple(SECRETS.items())), ApiConnection(url, SECRETS, allow_private=True))


def for_a_document(url: str) -> Awaitable[object]:
    return fetch(url, ApiConnection(url, SECRETS, allow_private=True))


def to_an_app(url: str) -> Awaitable[object]:
    return call_app(AppAddress(url, "CANARY-0123456789"), {"call": "1"}, 1)


STACKS = [over_mcp, by_operation, by_a_changing_operation, for_a_document, to_an_app]


@pytest.mark.threat("T09")
@pytest.mark.parametrize("ask", STACKS, ids=lambda ask: ask.__name__)
async def test_no_redirect_leads_out_of_an_origin(
    ask: Callable[[str], Awaitable[object]], traps: tuple[Trap, Trap]
) -> None:
    here, elsewhere = traps
    for status in (301, 302, 303, 307, 308):
        for onward in (f"http://localhost:{elsewhere.server_port}/inside", f"{elsewhere.url}/x", "file:///etc/passwd"):
            here.status, here.onward = status, onward
            with suppress(SourceError), anyio.fail_after(10):
                await ask(f"{here.url}/start")
    assert here.hits
    assert elsewhere.hits == []


@pytest.mark.threat("T09")
def test_a_model_that_leads_elsewhere_is_not_followed(traps: tuple[Trap, Trap]) -> None:
    here, elsewhere = traps
    gate = partial(http_transport, allow_private=True)
    for here.status in (302, 307):
        with pytest.raises(EmbeddingFailedError):
            LiteLLMEmbedder("openai/m", f"{here.url}/v1", "CANARY-0123456789", open_transport=gate).embed(["a"])
        with pytest.raises(ModelFailed):
            anyio.run(first_piece, LiteLLMModel("openai/m", f"{here.url}/v1", "CANARY-0123456789", open_transport=gate))
    assert here.hits
    assert elsewhere.hits == []


@pytest.mark.threat("T08")
def test_a_model_is_asked_through_the_gate(traps: tuple[Trap, Trap]) -> None:
    inner, _ = traps
    with pytest.raises(EmbeddingFailedError):
        LiteLLMEmbedder("openai/m", f"{inner.url}/v1", "k", open_transport=http_transport).embed(["a"])
    with pytest.raises(ModelFailed):
        anyio.run(first_piece, LiteLLMModel("openai/m", f"{inner.url}/v1", "k", open_transport=http_transport))
    assert inner.hits == []


async def first_piece(model: LiteLLMModel) -> object:
    return await anext(model.stream([{"role": "user", "content": "Hello"}], []))
