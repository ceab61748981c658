"""How names of tools stand in addresses."""

from urllib.parse import unquote

import pytest
from django.test import Client
from django.urls import resolve, reverse
from django.utils import timezone

from catalog.models import Catalog, Server, Tool
from tests.catalog.pages import text_of

NAMES = [
    "get_weather",
    "invoices/edit",
    "edit",
    "a/undo/7",
    "a/call/arguments",
    "..",
    ".",
    "~2F",
    "a~/b",
    "-",
    "发/票 ?#&",
]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("route", ["tool", "tool_edit", "tool_call"])
def test_an_address_leads_to_the_tool_that_it_was_made_for(name: str, route: str) -> None:
    address = reverse(route, args=["team", name])
    assert "/./" not in address and "/../" not in address
    found = resolve(unquote(address))
    assert (found.url_name, found.kwargs) == (route, {"server": "team", "name": name})


def test_a_slash_that_stands_as_such_is_read_too(viewer: Client, team: Catalog) -> None:
    server = Server.objects.get(slug="team")
    Tool.objects.create(server=server, name="invoices/list", last_seen_at=timezone.now())
    assert "invoices/list" in text_of(viewer, "/tools/team/invoices/list/")
