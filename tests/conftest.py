"""What every test knows by heart: people by role, one small catalog, and the product served to a real browser."""

import asyncio
import os
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
import pytest_asyncio
import uvicorn
from django.conf import settings
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from playwright.async_api import Browser, BrowserContext, ConsoleMessage, Page, async_playwright
from pytest_django import DjangoDbBlocker

from catalog.importing import import_listing
from catalog.models import Catalog, Server
from catalog.roles import Role, give_role
from catalog.serving import listen
from catalog.shaping import place_server, show_upfront
from catalog.sources.listing import read_listing
from playground.models.chat_model import SCRIPTED, ChatModel
from tests.prepare import chromium
from tests.sample_rows import put_sample

COMPLETE = bool(os.environ.get("PEGBOARD_TESTS_COMPLETE"))
"""Set in CI: a test that lacks its part fails instead of being skipped."""
SHARED = Path(settings.PEGBOARD_SHARED)
CHROMIUM_FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
]
TEAM_TOOLS = [
    {"name": "notify_user", "description": "Send a direct message to one person.", "tags": ["chat"]},
    {"name": "notify_channel", "description": "Post a message to a channel, visible to the whole team."},
    {"name": "getWeather", "description": "Current weather in a city.", "category": "weather"},
    {"name": "list-invoices", "description": "列出发票 List invoices of a customer."},
    {"name": "ask_human", "description": "Ask the person a question.", "category": "human"},
]


def lacking(part: str) -> None:
    """Skip the test for want of `part`; in CI, fail it."""
    (pytest.fail if COMPLETE else pytest.skip)(f"{part} is not here; `make test` says how to get it")


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> None:
    """Without the trigger that keeps the audit: after a test with threads, Django empties every table."""
    with django_db_blocker.unblock(), connection.cursor() as cursor:
        cursor.execute("DROP TRIGGER audit_no_delete")


@pytest.fixture
def shared() -> Path:
    if not SHARED.is_dir():
        pytest.skip(f"the recorded results and test sets are not at {SHARED} (PEGBOARD_SHARED)")
    return SHARED


@pytest.fixture
def person(db: None) -> Callable[[Role], User]:
    """A person who holds a role."""

    def make(role: Role) -> User:
        user = User.objects.create_user(f"a-{role.word}")
        give_role(user, role)
        return user

    return make


@pytest.fixture
def client_as(person: Callable[[Role], User]) -> Callable[[Role], Client]:
    """A signed-in client of a person who holds a role."""

    def make(role: Role) -> Client:
        client = Client()
        client.force_login(person(role))
        return client

    return make


@pytest.fixture
def team(db: None) -> Catalog:
    """The small catalog: one server `team` with five tools, `ask_human` and `notify_user` in view from the start."""
    server = Server.objects.create(slug="team", title="Team", kind=Server.Kind.FILE)
    import_listing(server, read_listing(TEAM_TOOLS, curated=True))
    catalog = Catalog.objects.create(slug="team-agent", title="Team agent")
    place_server(catalog, server, "everything")
    show_upfront(catalog, server.tools.get(name="notify_user"))
    return catalog


@pytest.fixture
def sample(db: None) -> Catalog:
    """The sample that ships, and of it the office agent."""
    put_sample()
    return Catalog.objects.get(slug="office-agent")


@dataclass(frozen=True)
class Served:
    """The product, served on loopback, and an admin who owns it."""

    url: str
    admin: User


@pytest.fixture
def served(transactional_db: None) -> Iterator[Served]:
    with serving() as served:
        yield served


@contextmanager
def serving() -> Iterator[Served]:
    """Serve the product until the end of the block."""
    from config.asgi import application

    admin = User.objects.create_user("owner")
    give_role(admin, Role.ADMIN)
    listener = listen("127.0.0.1", 0)
    config = uvicorn.Config(application, log_level="warning", lifespan="on", ws="websockets-sansio")
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    while not server.started and thread.is_alive():
        thread.join(0.02)
    yield Served(f"http://127.0.0.1:{listener.getsockname()[1]}", admin)
    server.should_exit = True
    thread.join(15)
    listener.close()


@pytest.fixture
def demo_model(served: Served) -> ChatModel:
    """The demo model, which is flushed with the other rows before a test that uses threads."""
    return ChatModel.objects.get_or_create(name=SCRIPTED, defaults={"title": "Demo model"})[0]


@pytest_asyncio.fixture(loop_scope="session", scope="session")
async def browser() -> AsyncIterator[Browser]:
    path = await asyncio.to_thread(chromium)
    if path is None:
        lacking("A Chromium browser")
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=path, args=CHROMIUM_FLAGS)
        yield browser
        await browser.close()


@pytest_asyncio.fixture(loop_scope="session")
async def context(browser: Browser, served: Served) -> AsyncIterator[BrowserContext]:
    async with profile(browser, served) as context:
        yield context


@asynccontextmanager
async def profile(browser: Browser, served: Served) -> AsyncIterator[BrowserContext]:
    """A browser profile in which the owner is signed in."""
    context = await browser.new_context(viewport={"width": 1440, "height": 900}, base_url=served.url)
    client = Client()
    await asyncio.to_thread(client.force_login, served.admin)
    cookie = client.cookies[settings.SESSION_COOKIE_NAME].value
    await context.add_cookies([{"name": settings.SESSION_COOKIE_NAME, "value": cookie, "url": served.url}])
    yield context
    await context.close()


# What htmx logs of a request that a newer one replaced, or that was under way when its page was left. Its other
# failures (sendError, timeout, responseError …) are logged under their own names beside afterRequest.
ABANDONED = ("htmx:afterRequest", "htmx:sendAbort")


@pytest_asyncio.fixture(loop_scope="session")
async def page(context: BrowserContext, served: Served) -> AsyncIterator[Page]:
    """A page that must not throw, log an error, or ask another origin for anything."""
    page = await context.new_page()
    faults: list[str] = []
    own = (served.url, served.url.replace("http", "ws", 1), "data:")
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("console", lambda message: faults.append(message.text) if is_fault(message) else None)
    page.on("request", lambda request: None if request.url.startswith(own) else faults.append(request.url))
    yield page
    await page.close()
    assert faults == []


def is_fault(message: ConsoleMessage) -> bool:
    return message.type == "error" and not message.text.startswith(ABANDONED)
