"""One call that goes out: run within its time, and told with what a person changed of it."""

import asyncio
from contextlib import AbstractAsyncContextManager
from dataclasses import replace

from playground.agent.agent_call import AGENT_CALL, AgentCall
from playground.agent.limits import Deadline, Limits
from playground.agent.person import with_change
from playground.agent.tool_runner import ToolResult, ToolRunner
from playground.agent.verdict import ForTool


async def run_call(
    tools: ToolRunner,
    verdict: ForTool,
    limits: Limits,
    deadline: Deadline,
    agent: AgentCall | None = None,
    changed_to: str = "",
) -> ToolResult:
    """What came of it, also where that did not come in time. To be awaited in a task of the call's own.

    A call of an `agent` has the time that the run has left, any other the seconds of a call. `changed_to` are the
    arguments as JSON text, where a person changed them.
    """
    seconds = deadline.left if agent else min(limits.tool_seconds, deadline.left)
    bound: AbstractAsyncContextManager[asyncio.Timeout] = deadline.bound() if agent else asyncio.timeout(seconds)
    if agent:
        AGENT_CALL.set(agent)
    try:
        async with bound as patience:
            result = await tools.run(verdict.tool, verdict.arguments)
    except TimeoutError:
        if not patience.expired():
            raise
        result = ToolResult(f"The tool did not answer within {seconds:,.3g} seconds.", is_error=True)
    return replace(result, content=with_change(result.content, changed_to)) if changed_to else result
