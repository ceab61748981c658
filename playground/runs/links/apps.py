"""The link of apps that registered their tools: a call is a signed request to the app's callback address."""

import secrets
import time
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.utils import timezone

from catalog.models import App, Server
from catalog.sources.app_calls import AppAddress, NotSentError, call_app
from catalog.sources.errors import SourceError
from catalog.tools import ToolSpec
from playground.agent.chain import UNKNOWN, Ran
from playground.agent.tool_runner import ToolResult
from playground.runs.database import read
from playground.runs.links.promises import HELD_BACK, why_not_as_offered


class Apps:
    """For the calls of one run."""

    title = "SDK apps"

    def __init__(self, run: str) -> None:
        self._run = run
        self._since = timezone.now()

    async def run(self, tool: ToolSpec, arguments: Mapping[str, Any]) -> Ran | None:
        try:
            address = await read(_address, tool, self._since)
        except SourceError as problem:
            return Ran(ToolResult(str(problem), is_error=True), "not connected: nothing was sent")
        if isinstance(address, str):
            return Ran(ToolResult(address, is_error=True), HELD_BACK)
        return await self._call(address, tool, arguments) if address else None

    async def _call(self, address: AppAddress, tool: ToolSpec, arguments: Mapping[str, Any]) -> Ran:
        call = secrets.token_hex(8)
        request = {"call": call, "run": self._run, "tool": tool.upstream_name, "arguments": dict(arguments)}
        note = f"app answers at {address.host}, as call {call}"
        try:
            outcome = await call_app(address, request, int(time.time()))
        except NotSentError as problem:
            return Ran(ToolResult(f"{problem} The call was not sent.", is_error=True), f"no answer from {address.host}")
        except SourceError as problem:
            return Ran(ToolResult(f"{problem} {UNKNOWN}", is_error=True), f"sent to {address.host}, as call {call}")
        return Ran(ToolResult(outcome.content_text, outcome.is_error), note)


def _address(tool: ToolSpec, since: datetime) -> AppAddress | str | None:
    """None where the server is no app, a sentence where the tool is not what was offered.

    Raises SourceError where the app cannot or may not be called.
    """
    app = App.objects.select_related("server").filter(server__slug=tool.server).first()
    if app is None:
        return None
    server: Server = app.server
    if not server.enabled:
        raise SourceError(f"The app {server.title} was switched off.")
    if not app.is_registered:
        raise SourceError(f"The app {server.title} is not connected: it unregistered. Start it, and call again.")
    if not server.is_approved:
        raise SourceError(f"An admin must approve the callback address of {server.title} before it is called.")
    if not app.signing_key:
        raise SourceError(f"The signing key of {server.title} cannot be read. Have the app register with a new one.")
    row = server.tools.filter(name=tool.upstream_name).first()
    return why_not_as_offered(tool, row, since) or AppAddress(server.url, app.signing_key)
