"""Names of tools that meet others, told before a rule of naming is chosen."""

import pytest
from django.test import Client

from catalog.importing import import_listing
from catalog.models import Catalog, CatalogServer, Server
from catalog.naming import meetings
from catalog.sources.listing import read_listing
from tests.catalog.pages import text_of

pytestmark = pytest.mark.django_db
RULES = {"prefixed": "server__tool", "as_is": "tool, as the server names it"}


@pytest.fixture
def desk() -> Server:
    """A server in a catalog with another, whose tools are called as they are; both can find."""
    catalog = Catalog.objects.create(slug="office", title="Office")
    servers = [Server.objects.create(slug=slug, title=slug, kind=Server.Kind.FILE) for slug in ("bare", "desk")]
    for server in servers:
        import_listing(server, read_listing([{"name": "find"}, {"name": f"of_{server.slug}"}]))
        CatalogServer.objects.create(catalog=catalog, server=server, everything=True)
    Server.objects.filter(slug="bare").update(name_rule=Server.NameRule.AS_IS)
    return servers[1]


def test_a_rule_that_makes_two_tools_of_one_name_is_told_by_catalog(desk: Server) -> None:
    [meeting] = meetings(desk, RULES)
    assert (meeting.rule, meeting.catalog.slug, meeting.names) == (RULES["as_is"], "office", ("find",))


def test_servers_of_other_catalogs_do_not_meet(desk: Server) -> None:
    CatalogServer.objects.filter(server__slug="bare").delete()
    assert meetings(desk, RULES) == []


def test_the_form_says_so_before_anything_is_saved(curator: Client, desk: Server) -> None:
    page = text_of(curator, "/servers/desk/edit/")
    assert "meet names of others" in page and '<code class="foreign">find</code>' in page
    assert "meet names of others" not in text_of(curator, "/servers/add/file/")
