"""The example of docs/sdk-apps.md, run for real: it registers, is approved, is called, and unregisters when it is stopped."""

import asyncio
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import pytest
from django.test import Client

from catalog.models import AccessToken, Server, Tool
from playground.runs.executing import start
from playground.runs.nested import AgentRuns
from playground.runs.tool_calls import CatalogTools
from tests.conftest import Served

EXAMPLE = Path(__file__).parents[2] / "docs" / "examples" / "sdk_app.py"
ADDRESS = "/servers/weather-desk/"


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.fixture
def example(served: Served) -> "Iterator[subprocess.Popen[str]]":
    """The example as its document says to start it, once it has registered."""
    token = AccessToken.make(served.admin, "the example", may_register=True)
    environment = {"PATH": os.defpath, "PEGBOARD_URL": served.url, "PEGBOARD_TOKEN": token}
    line = [sys.executable, "-I", str(EXAMPLE), str(free_port())]
    with subprocess.Popen(line, env=environment, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "registered\n"
        yield process
        process.kill()


@pytest.fixture
def admin(served: Served) -> Client:
    client = Client()
    client.force_login(served.admin)
    return client


def call(tool: str, **arguments: str) -> tuple[str, bool]:
    spec = Tool.objects.get(server__slug="weather-desk", name=tool).to_spec()
    result = asyncio.run(CatalogTools("a-run", (), AgentRuns(uuid4(), start)).run(spec, arguments))
    return result.content, result.is_error


def test_the_example_registers_is_called_and_unregisters(example: "subprocess.Popen[str]", admin: Client) -> None:
    assert "must approve" in call("get_forecast", city="Oslo")[0]
    config_hash = Server.objects.get(slug="weather-desk").config_hash
    admin.post(f"{ADDRESS}approve/", {"config_hash": config_hash})
    assert call("get_forecast", city="Oslo") == ("Oslo: 3 °C, light rain", False)
    assert call("order_balloon", city="Oslo") == ("no balloon is left for Oslo", True)
    example.send_signal(signal.SIGTERM)
    assert example.wait(10) == 0
    assert "is not connected" in call("get_forecast", city="Oslo")[0]
    assert "The app is not connected." in admin.get(ADDRESS).content.decode()


def test_the_example_takes_no_call_that_pegboard_did_not_sign(example: "subprocess.Popen[str]", admin: Client) -> None:
    server = Server.objects.get(slug="weather-desk")
    admin.post(f"{ADDRESS}approve/", {"config_hash": server.config_hash})
    server.app.renew_key()
    server.app.save()
    assert call("get_forecast", city="Oslo") == ("The app refused the call with the HTTP status 401.", True)
