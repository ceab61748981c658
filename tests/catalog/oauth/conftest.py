"""A server that wants to be signed in to, its row, and an admin who signs in as a browser would."""

import re
from collections.abc import Iterator
from html import unescape
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from catalog.models import Server
from tests.catalog.oauth.strangers import Strangers, listening
from tests.protected import Protected, protected_server


@pytest.fixture
def protected() -> Iterator[Protected]:
    with protected_server() as protected:
        yield protected


@pytest.fixture
def strangers() -> Iterator[Strangers]:
    with listening() as strangers:
        yield strangers


@pytest.fixture
def notes(transactional_db: None, protected: Protected) -> Server:
    """The row of the protected server."""
    return reached(protected.url)


def reached(url: str) -> Server:
    """A server at an address, which an admin approved."""
    server = Server(slug="notes", title="Notes", kind=Server.Kind.MCP, transport=Server.Transport.HTTP)
    server.url = url
    server.approve(User.objects.create_user("who-approved"), timezone.now())
    server.save()
    return server


def errand(client: Client) -> str:
    """The address to which the page sends people."""
    page = client.get("/servers/notes/oauth/").content.decode()
    found = re.search(r'href="(http[^"]+)"', page)
    assert found, page
    return unescape(found[1])


def sent_back(address: str) -> str:
    """Where the authorization server sends people, who agree to everything."""
    parts = urlsplit(httpx.get(address).headers["location"])
    return f"{parts.path}?{parts.query}"


def asked_for(address: str) -> dict[str, str]:
    return {name: values[0] for name, values in parse_qs(urlsplit(address).query).items()}


def sign_in(client: Client, **fields: str) -> str:
    """The page that follows on signing in."""
    client.post("/servers/notes/oauth/", fields)
    return client.get(sent_back(errand(client)), follow=True).content.decode()
