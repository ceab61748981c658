"""Two OpenAPI documents that other people publish, as their npm packages have them: read, picked from, imported, searched."""

from collections.abc import Callable
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from catalog.indexing import ranking_of
from catalog.models import Catalog, Import, Server
from catalog.roles import Role
from catalog.search.choosing import choose
from catalog.shaping import place_server
from tests.conftest import lacking
from tests.prepare import NPM_FOLDER

RCLONE = "rclone-openapi/openapi.json"
SHIPENGINE = "shipengine-openapi/openapi.yaml"


def published(name: str) -> bytes:
    path = NPM_FOLDER / "node_modules" / name
    if not path.exists():
        lacking(name)
    return path.read_bytes()


@pytest.mark.parametrize(
    ("name", "offered", "picked", "query", "found"),
    [
        (RCLONE, 101, "sync", "make the destination identical to the source", "api__syncSync"),
        (SHIPENGINE, 76, "label", "void a shipping label", "api__void_label"),
    ],
)
def test_a_public_document_is_read_picked_from_imported_and_searched(
    client_as: Callable[[Role], Client],
    submitted: list[Callable[[], None]],
    name: str,
    offered: int,
    picked: str,
    query: str,
    found: str,
) -> None:
    curator = client_as(Role.CURATOR)
    file = SimpleUploadedFile(Path(name).name, published(name))
    curator.post("/servers/add/openapi/", {"title": "Api", "name_rule": "prefixed", "file": file})
    submitted.pop()()
    server = Server.objects.get(slug="api")
    assert server.operations.count() == offered
    curator.post(f"/servers/api/operations/choose/?q={picked}", {"action": "all"})
    chosen = sorted(server.operations.filter(is_chosen=True).values_list("name", flat=True))
    assert 0 < len(chosen) < offered
    plan = curator.post("/servers/api/operations/choose/", {"action": "plan"})
    curator.post(f"{plan['Location']}apply/")
    submitted.pop()()
    assert sorted(Import.objects.get(state=Import.State.APPLIED).plan["added"]) == chosen

    catalog = Catalog.objects.create(slug="bench", title="Bench")
    place_server(catalog, server, "everything")
    assert found in [hit.tool.name for hit in ranking_of(catalog, choose("pegboard"), query, 5).hits]
