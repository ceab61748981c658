"""Tools with texts in several languages: which a model reads, and that all of them are found."""

import pytest
from django.test import Client

from catalog.importing import import_listing
from catalog.indexing import exposure_of
from catalog.models import Catalog, CatalogServer, Server, Tool
from catalog.sources import tool_file
from tests.catalog.pages import text_of
from tests.forms import send

pytestmark = pytest.mark.django_db
DECLARED = """tools:
  send_mail:
    display: {en: Send mail, de: Brief senden}
    desc: {en: Writes to somebody, de: Schreibt an jemanden, zh-CN: 给某人写信}
"""


@pytest.fixture
def server() -> Server:
    server = Server.objects.create(slug="mail", title="Mail", kind=Server.Kind.FILE)
    import_listing(server, tool_file.read(DECLARED.encode()))
    return server


@pytest.fixture
def catalog(server: Server) -> Catalog:
    catalog = Catalog.objects.create(slug="letters", title="Letters")
    CatalogServer.objects.create(catalog=catalog, server=server)
    return catalog


def read_by_models(server: Server) -> tuple[str, str]:
    spec = Tool.objects.get(server=server).to_spec()
    return spec.title, spec.description


def test_a_model_reads_the_language_of_the_server_and_else_what_the_source_puts_first(server: Server) -> None:
    assert read_by_models(server) == ("Send mail", "Writes to somebody")
    for language, texts in {
        "de": ("Brief senden", "Schreibt an jemanden"),
        "zh-CN": ("Send mail", "给某人写信"),
        "fr": ("Send mail", "Writes to somebody"),
    }.items():
        Server.objects.update(language=language)
        assert read_by_models(server) == texts


def test_a_person_has_the_last_word(server: Server) -> None:
    Server.objects.update(language="de")
    Tool.objects.update(own_description="Sends.")
    assert read_by_models(server) == ("Brief senden", "Sends.")


def test_the_other_languages_are_searched_and_never_sent(server: Server) -> None:
    spec = Tool.objects.get().to_spec()
    assert spec.other_languages.splitlines() == ["Brief senden", "Schreibt an jemanden", "给某人写信"]
    assert "Schreibt" not in str(spec.as_function())


@pytest.mark.parametrize("query", ["jemanden", "somebody", "给某人写信"])
def test_a_query_in_any_language_finds_the_tool(viewer: Client, catalog: Catalog, query: str) -> None:
    found = viewer.get("/catalogs/letters/search.json", {"q": query}).json()
    assert [hit["name"] for hit in found["hits"]] == ["mail__send_mail"]


def test_another_language_is_read_by_the_next_search(curator: Client, catalog: Catalog) -> None:
    assert exposure_of(catalog).pool.tools[0].description == "Writes to somebody"
    given = {"title": "Mail", "slug": "mail", "name_rule": "prefixed", "language": "de"}
    assert send(curator, "/servers/mail/edit/", given).status_code == 302
    assert exposure_of(catalog).pool.tools[0].description == "Schreibt an jemanden"
    assert "A model reads <code>de</code>" in text_of(curator, "/tools/mail/send_mail/")
