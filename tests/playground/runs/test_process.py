"""A serving process that ends, one way or another, while it executes runs."""

import json
import os
import random
import signal
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from django.test import Client

from catalog.api_documents import chosen_listing, take_document
from catalog.importing import import_listing
from catalog.models import Catalog, Server
from catalog.roles import Role
from catalog.shaping import place_server
from playground.models import ChatModel
from tests.api_server import Api, served_api
from tests.approving import approve
from tests.playground.runs.killable import KillableServer, closing_code, killable_server, told_upto

RUNS = 3
KILLS = int(os.environ.get("PEGBOARD_TEST_KILLS", "2"))
"""Random moments at which a process is killed; fifty were tried."""
PATHS = {
    "/days/{day}": {
        "get": {"operationId": "day", "parameters": [{"name": "day", "in": "path", "schema": {"type": "integer"}}]}
    }
}


@pytest.fixture
def chat_model(transactional_db: None) -> ChatModel:
    return ChatModel.objects.create(title="Slow", name="planned/slow")


@pytest.fixture
def api() -> Iterator[Api]:
    with served_api() as api:
        yield api


@pytest.fixture
def days(team: Catalog, api: Api) -> Catalog:
    """The team's tools and one of an API that tells which calls reached it, all with every model call."""
    server = Server.objects.create(slug="days", title="Days", kind="openapi", transport="http", url=api.address)
    take_document(server, json.dumps({"openapi": "3.1.0", "paths": PATHS}).encode(), "days.json")
    server.operations.update(is_chosen=True)
    import_listing(server, chosen_listing(server))
    approve(server)
    place_server(team, server, "everything")
    team.mode = "everything"
    team.save()
    return team


@pytest.fixture
def server(
    chat_model: ChatModel, days: Catalog, client_as: Callable[[Role], Client], tmp_path: Path
) -> Iterator[KillableServer]:
    with killable_server(client_as(Role.PRESENTER), tmp_path) as server:
        yield server


def test_a_killed_process_loses_no_event_and_its_runs_are_interrupted_at_the_next_start(
    server: KillableServer, team: Catalog, chat_model: ChatModel
) -> None:
    acknowledged: dict[str, int] = {}
    for run in [server.begin_run(team, chat_model) for _ in range(RUNS)]:
        with server.watched(run, 0) as one:
            acknowledged[run] = told_upto(one, 12)
    server.end_by(signal.SIGKILL)
    recorded = {run: server.seqs(run) for run in acknowledged}
    assert all(recorded[run] == list(range(1, len(recorded[run]) + 1)) for run in recorded)
    assert all(len(recorded[run]) >= acknowledged[run] for run in recorded)
    server.start()
    assert set(server.rows("SELECT status FROM playground_run")) == {("interrupted",)}
    for run in recorded:
        last = len(recorded[run]) + 1
        assert server.seqs(run) == [*recorded[run], last]
        with server.watched(run, acknowledged[run]) as one:
            assert told_upto(one, last) == last
            assert closing_code(one) == 1000


def test_a_process_that_is_told_to_end_interrupts_its_runs_and_goes(
    server: KillableServer, team: Catalog, chat_model: ChatModel
) -> None:
    run = server.begin_run(team, chat_model)
    with server.watched(run, 0) as one:
        told_upto(one, 10)
        server.end_by(signal.SIGTERM)
        assert closing_code(one) == 1012
    ((kind, body),) = server.rows("SELECT kind, body FROM playground_runevent ORDER BY seq DESC LIMIT 1")
    assert server.rows("SELECT status FROM playground_run") == [("interrupted",)]
    assert kind == "run_ended"
    assert "The server was stopped." in body


def test_wherever_a_process_is_killed_no_call_goes_out_twice_and_every_run_is_interrupted(
    server: KillableServer, days: Catalog, chat_model: ChatModel, api: Api
) -> None:
    moments = random.Random(7)
    for _ in range(KILLS):
        runs = [server.begin_run(days, chat_model, "Call on") for _ in range(RUNS)]
        acknowledged: dict[str, int] = {}
        for run in runs:
            with server.watched(run, 0) as one:
                acknowledged[run] = told_upto(one, moments.randint(1, 12))
        time.sleep(moments.uniform(0, 0.6))
        server.end_by(signal.SIGKILL)
        server.start()
        for run in runs:
            assert server.seqs(run) == list(range(1, len(server.seqs(run)) + 1))
            assert len(server.seqs(run)) > acknowledged[run]
    assert set(server.rows("SELECT status FROM playground_run")) == {("interrupted",)}
    reached = Counter(request.path for request in api.received)
    assert reached and set(reached.values()) == {1}
    assert reached.keys() <= {f"/days/{day}" for day in days_sent(server)}


def days_sent(server: KillableServer) -> set[int]:
    """The days that calls asked for which are on record as sent."""
    query = "SELECT run_id, kind, body FROM playground_runevent WHERE kind IN ('call_made', 'call_sent')"
    events = [(run, kind, json.loads(body)) for run, kind, body in server.rows(query)]
    sent = {(run, body["call_id"]) for run, kind, body in events if kind == "call_sent"}
    made = [(run, body) for run, kind, body in events if kind == "call_made"]
    return {json.loads(body["arguments"])["day"] for run, body in made if (run, body["call_id"]) in sent}
