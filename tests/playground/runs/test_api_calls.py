"""Calls of a run that go to an API over HTTP."""

import json
from collections.abc import Iterator
from uuid import uuid4

import pytest
from django.utils import timezone

from catalog.api_documents import chosen_listing, take_document
from catalog.importing import import_listing
from catalog.models import Catalog, Server
from catalog.redaction import Redactor
from catalog.shaping import place_server
from catalog.tools import ToolSpec
from playground.runs.database import read
from playground.runs.executing import start
from playground.runs.nested import AgentRuns
from playground.runs.secrets import secrets_of
from playground.runs.tool_calls import CatalogTools, simulated_servers
from tests.api_server import Api, served_api
from tests.approving import approve

pytestmark = pytest.mark.django_db(transaction=True)
PATHS = {
    "/days/{day}": {
        "get": {"operationId": "day", "parameters": [{"name": "day", "in": "path", "schema": {"type": "integer"}}]}
    }
}
SCHEMES = {"key": {"type": "apiKey", "in": "query", "name": "key"}}
SECRET = {"place": "query", "parameter": "key", "form": "key", "secret": "CANARY-key-0123456789"}


@pytest.fixture
def api() -> Iterator[Api]:
    with served_api() as api:
        yield api


@pytest.fixture
def days(transactional_db: None, api: Api) -> Server:
    """An API with one operation and a key, which nobody approved yet."""
    server = Server.objects.create(
        slug="days",
        title="Days",
        kind=Server.Kind.OPENAPI,
        transport=Server.Transport.HTTP,
        url=api.address,
    )
    server.credentials = {"key": SECRET}
    server.save()
    parts = {"paths": PATHS, "security": [{"key": []}], "components": {"securitySchemes": SCHEMES}}
    take_document(server, json.dumps({"openapi": "3.1.0", **parts}).encode(), "days.json")
    server.operations.update(is_chosen=True)
    import_listing(server, chosen_listing(server))
    return server


def spec(server: Server) -> ToolSpec:
    return server.tools.get().to_spec()


async def test_an_api_that_no_admin_approved_is_not_called(days: Server, api: Api) -> None:
    result = await CatalogTools("a-run", (), AgentRuns(uuid4(), start)).run(await read(spec, days), {"day": 7})
    assert result.is_error
    assert "approved by an admin" in result.content
    assert api.received == []


async def test_an_approved_api_is_called_with_its_own_secret(days: Server, api: Api) -> None:
    await read(approve, days)
    result = await CatalogTools("a-run", (), AgentRuns(uuid4(), start)).run(await read(spec, days), {"day": 7})
    assert not result.is_error
    assert api.last.target == "/days/7?key=CANARY-key-0123456789"


async def test_what_an_api_objects_to_is_an_answer(days: Server, api: Api) -> None:
    await read(approve, days)
    api.answers["/days/7"] = (404, {"Content-Type": "text/plain"}, b"there is no such day")
    result = await CatalogTools("a-run", (), AgentRuns(uuid4(), start)).run(await read(spec, days), {"day": 7})
    assert (result.content, result.is_error) == ("HTTP status 404 Not Found.\nthere is no such day", True)
    misfit = await CatalogTools("a-run", (), AgentRuns(uuid4(), start)).run(await read(spec, days), {"day": "seven"})
    assert "day: “seven” is not a whole number" in misfit.content


async def test_a_tool_that_went_while_a_run_goes_on_is_not_called(days: Server, api: Api) -> None:
    await read(approve, days)
    tool = await read(spec, days)
    await read(lambda server: server.tools.update(gone_at=timezone.now()), days)
    result = await CatalogTools("a-run", (), AgentRuns(uuid4(), start)).run(tool, {"day": 7})
    assert (result.content, result.is_error) == ("day was removed while this ran.", True)
    assert api.received == []


def test_its_secrets_are_kept_out_of_the_record(days: Server) -> None:
    catalog = Catalog.objects.create(slug="c", title="C")
    place_server(catalog, days, "everything")
    assert "CANARY" not in Redactor(secrets_of(catalog, None)).text("GET /days/7?key=CANARY-key-0123456789")
    assert simulated_servers(catalog) == frozenset()


@pytest.mark.threat("T24")
async def test_an_operation_that_leads_elsewhere_since_the_run_began_is_not_called(days: Server, api: Api) -> None:
    await read(approve, days)
    offered, tools = await read(spec, days), CatalogTools("a-run", (), AgentRuns(uuid4(), start))
    await read(lead_elsewhere, days)
    result = await tools.run(offered, {"day": 7})
    assert "The server changed what days__day means while this ran (wording, how it is called)" in result.content
    assert result.is_error and result.route and "held back" in result.route.hops[-1].note
    assert api.received == []
    assert not (await CatalogTools("next", (), AgentRuns(uuid4(), start)).run(offered, {"day": 7})).is_error


def lead_elsewhere(server: Server) -> None:
    """The document puts the operation at another path, and a person accepts that."""
    paths = {"/deletions/{day}": PATHS["/days/{day}"]}
    parts = {"paths": paths, "security": [{"key": []}], "components": {"securitySchemes": SCHEMES}}
    take_document(server, json.dumps({"openapi": "3.1.0", **parts}).encode(), "days.json")
    server.operations.update(is_chosen=True)
    import_listing(server, chosen_listing(server), accept_meaning=True)
