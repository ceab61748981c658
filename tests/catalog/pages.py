"""What the tests of pages share: the text of a page, and an import that waits to be applied."""

import html
import re

from django.test import Client

from catalog.importing import stage
from catalog.models import Import, Server
from catalog.sources.listing import Listing


def text_of(client: Client, address: str, **headers: str) -> str:
    response = client.get(address, headers=headers)
    assert response.status_code == 200, address
    return response.content.decode()


def said(page: str) -> str:
    """The words of a page, without its tags."""
    return " ".join(html.unescape(re.sub(r"<[^>]*>", " ", page)).split())


def plan_for(server: Server, listing: Listing) -> Import:
    importation = Import.objects.create(server=server, source="ledger\u202e.json")
    stage(importation, listing)
    return importation
