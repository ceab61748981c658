"""Calling a tool by hand: over the same links as a run's calls, with no model and no run, and kept for whoever made it."""

import asyncio
from collections.abc import Mapping
from typing import Any

from asgiref.sync import async_to_sync
from django.contrib.auth.models import User
from django.db import transaction

from catalog.auditing.recording import Act, record
from catalog.models import Server, Tool
from catalog.redaction import Redactor
from catalog.sessions.current import session_pool
from catalog.tools import ToolSpec
from playground.agent.chain import UNKNOWN, Chain, Link
from playground.agent.tool_runner import ToolResult
from playground.models import HandCall
from playground.runs.links.apps import Apps
from playground.runs.links.built_in import BuiltIn
from playground.runs.links.http_apis import HttpApis
from playground.runs.links.mcp_sessions import McpSessions
from playground.runs.links.skills import Skills
from playground.runs.secrets import secrets_of_server

KEPT = 20
"""Calls that are kept, of a person and a tool."""
MOST_RESULT = 128 * 1024
"""Characters of a result that are kept."""
CALL_WITHIN = 75.0
"""Seconds; every link gives up before."""


def why_not(tool: Tool) -> str:
    """Why the tool cannot be called, as a sentence; empty if it can. Its server must be loaded."""
    server = tool.server
    if tool.capability == Tool.Capability.AGENT:
        return "This is an agent: a call of it is a run of its own. Start it from the playground."
    if tool.gone_at:
        return f"{server.title} no longer lists this tool."
    if not server.enabled:
        return f"The server {server.title} is switched off."
    if server.is_reachable and not server.is_approved:
        return f"An admin must approve {server.title} as it now stands before anything is sent to it."
    return ""


def is_simulated(tool: Tool) -> bool:
    return tool.capability == Tool.Capability.TOOL and tool.server.transport == Server.Transport.NONE


def asks_first(tool: Tool) -> bool:
    """Whether a person must say that it is meant: for all that is sent out and is not known to read only."""
    return tool.server.is_reachable and tool.effective_permission != "read"


def call_by_hand(tool: Tool, arguments: Mapping[str, Any], by: User) -> HandCall:
    """Call it once. The call is on record before it is sent; what could not be done is its result."""
    clean = Redactor(secrets_of_server(tool.server))
    with transaction.atomic():
        call = HandCall.objects.create(tool=tool, by=by, arguments=clean.json(dict(arguments)))
        record(Act.TOOL_CALLED, tool, after={"arguments named": sorted(arguments)}, by=by)
    _forget_older(call)
    result = async_to_sync(_run)(tool.to_spec(), arguments, is_simulated(tool), f"by hand {call.pk}")
    if route := result.route:
        call.seconds, call.start_seconds = route.call_seconds, route.start_seconds
        call.way = clean.text("; ".join(f"{hop.link}: {hop.note}" for hop in route.hops if hop.note))
    else:
        call.seconds = CALL_WITHIN
    call.result, call.is_error = clean.text(result.content)[:MOST_RESULT], result.is_error
    call.pictures = list(result.pictures)
    call.is_simulated = is_simulated(tool)
    call.save()
    return call


async def _run(tool: ToolSpec, arguments: Mapping[str, Any], simulated: bool, name: str) -> ToolResult:
    links: list[Link] = [
        BuiltIn([tool.server] if simulated else []),
        Skills(),
        Apps(name),
        HttpApis(),
        McpSessions(name, session_pool),
    ]
    try:
        async with asyncio.timeout(CALL_WITHIN):
            return await Chain(links).run(tool, arguments)
    except TimeoutError:
        return ToolResult(f"No answer came within {CALL_WITHIN:g} seconds. {UNKNOWN}", is_error=True)
    finally:
        session_pool().leave(name)


def _forget_older(call: HandCall) -> None:
    kept = HandCall.objects.filter(tool=call.tool_id, by=call.by_id)
    kept.exclude(pk__in=list(kept.values_list("pk", flat=True)[:KEPT])).delete()
