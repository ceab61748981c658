"""Forms sent as a browser sends them: opened first, so that they say which version they were made from."""

import re
from collections.abc import Mapping
from typing import Any

from django.http import HttpResponse
from django.test import Client

VERSION = re.compile(r'name="began_from"[^>]* value="([^"]+)"')


def began_from(client: Client, page: str) -> str:
    """The version that the form on a page carries; of several forms, the first one's."""
    found = VERSION.search(client.get(page).content.decode())
    assert found, f"{page} has no form that says what it was made from"
    return found[1]


def send(client: Client, page: str, filled: Mapping[str, Any], to: str = "", **options: Any) -> HttpResponse:
    """Fill in the form on a page and send it, `to` another address if the form says so."""
    filled = {"began_from": began_from(client, page), **filled}
    return client.post(to or page, filled, **options)  # type: ignore[return-value]
