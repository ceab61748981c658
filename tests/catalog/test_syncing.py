"""Servers read again by schedule: once each, with what changes meaning held back, and failures told once."""

import json
import sys
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone

from catalog.models import Drift, Import, Server
from catalog.syncing import claim_due, sync
from tests.approving import approve

NOW = timezone.now()
CHANGING = Path(__file__).parents[1] / "mcp_servers" / "changing_server.py"


def tool(description: str = "Find a thing.", kind: str = "string") -> dict[str, Any]:
    schema = {"type": "object", "properties": {"name": {"type": kind}}}
    return {"name": "find", "description": description, "inputSchema": schema}


@pytest.fixture
def tools(tmp_path: Path) -> Path:
    """What the server offers from now on."""
    path = tmp_path / "tools.json"
    path.write_text(json.dumps([tool()]))
    return path


@pytest.fixture
def server(transactional_db: None, tools: Path) -> Server:
    """A real MCP server, approved, to be read every hour."""
    server = Server.objects.create(
        slug="stock",
        title="Stock",
        kind=Server.Kind.MCP,
        transport=Server.Transport.STDIO,
        command=sys.executable,
        args=[str(CHANGING), str(tools)],
        sync_every=Server.Interval.HOUR,
    )
    approve(server)
    return server


def test_a_sync_brings_new_tools_and_holds_a_change_of_meaning(server: Server, tools: Path) -> None:
    sync(server)
    tools.write_text(
        json.dumps([tool("Find anything.", "integer"), {"name": "new", "inputSchema": {"type": "object"}}])
    )
    sync(server)
    assert [row.plan["added"] for row in Import.objects.order_by("pk")] == [["find"], ["new"]]
    assert Drift.objects.waiting().get().kinds == ["wording", "parameters"]
    assert server.tools.get(name="find").description == "Find a thing."


def test_a_sync_without_news_leaves_no_import_behind(server: Server) -> None:
    sync(server)
    sync(server)
    assert Import.objects.count() == 1
    server.refresh_from_db()
    assert server.synced_at is not None
    assert server.synced_at > Import.objects.get().ended_at  # type: ignore[operator]


def test_a_server_that_fails_keeps_its_tools_and_is_told_once(server: Server, tools: Path) -> None:
    sync(server)
    tools.write_text("[]")
    for _ in range(2):
        sync(server)
    assert server.tools.here().count() == 1
    assert [row.state for row in Import.objects.order_by("pk")] == ["applied", "failed"]
    server.refresh_from_db()
    assert "no tool" in server.sync_problem
    tools.write_text(json.dumps([tool()]))
    sync(server)
    server.refresh_from_db()
    assert server.sync_problem == ""


def at(minutes: float) -> datetime:
    return NOW + timedelta(minutes=minutes)


def test_a_server_is_due_at_once_and_then_after_its_interval(server: Server) -> None:
    assert claim_due(NOW) == [server]
    assert claim_due(at(59)) == []
    assert claim_due(at(61)) == [server]


def test_one_that_was_just_read_by_hand_is_not_due(server: Server) -> None:
    Server.objects.update(synced_at=NOW)
    assert claim_due(at(59)) == []


@pytest.mark.parametrize("change", [{"enabled": False}, {"sync_every": 0}, {"command": "/bin/other"}])
def test_one_that_is_off_or_not_approved_as_it_stands_is_never_due(server: Server, change: dict[str, Any]) -> None:
    Server.objects.update(**change)
    assert claim_due(at(1_000_000)) == []
