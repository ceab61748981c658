"""Calling an agent: the call is a run of its own, recorded as any other, whose last words are the result."""

import asyncio
from collections.abc import Callable, Mapping
from typing import Any, Protocol
from uuid import UUID

from django.db import transaction

from catalog.models import Agent
from catalog.owners import this_process
from catalog.person_kinds import PersonKind
from catalog.redaction import Redactor
from catalog.sources.arguments import check_arguments
from catalog.tools import ToolSpec
from playground.agent.agent_call import AGENT_CALL, AgentCall
from playground.agent.events import CallMade, RunEnded
from playground.agent.limits import Deadline
from playground.agent.tool_runner import ToolResult
from playground.models import ChatModel, Run, RunEvent, Thread
from playground.runs.database import read, write
from playground.runs.editions import edition_of_run
from playground.runs.family import MOST_DEPTH, ancestors, descendants
from playground.runs.held_kinds import held_kinds
from playground.runs.reading import state_at
from playground.runs.secrets import secrets_of_run
from playground.runs.steps import Said

MOST_NESTED = 20
"""Runs nested in one run, at any depth."""
MOST_CALLS = 200
"""Calls of a run and all that is nested in it. Agents at work at the same time each begin with what was left then."""
END_WITHIN = 10.0
"""Seconds that a nested run is waited for when the call is given up."""
GIVEN_UP = RunEnded("stopped", "The run that called the agent ended, or gave the call up.")
_ENDINGS = {"stopped": "was stopped", "failed": "failed", "limit": "stopped at a limit", "interrupted": "was cut off"}


class CannotNestError(Exception):
    """The agent is not run; the message says why, in words for the model that called it."""


class Executed(Protocol):
    """A run under way in this process."""

    task: "asyncio.Task[None]"

    def cut_short(self, ending: RunEnded) -> None:
        """Have it end as said."""
        ...


class AgentRuns:
    """The calls of agents in one run. `start` executes a run that is in the database, under the deadline of the one above."""

    def __init__(self, parent: UUID, start: Callable[[Run, Deadline], Executed]) -> None:
        self._parent = parent
        self._start = start

    async def run(self, tool: ToolSpec, arguments: Mapping[str, Any]) -> ToolResult:
        """To be awaited in the task of the call, in which AGENT_CALL is set. If that is cancelled, the nested run is stopped."""
        if problems := check_arguments(arguments, tool.parameters):
            return ToolResult("The arguments do not fit: " + "; ".join(problems), is_error=True)
        try:
            child = await write(_create, self._parent, tool, arguments["task"], AGENT_CALL.get())
        except CannotNestError as reason:
            return ToolResult(str(reason), is_error=True)
        await _ended(self._start(child, AGENT_CALL.get().deadline))
        return await read(_result, child.pk)


async def _ended(nested: Executed) -> None:
    try:
        await asyncio.wait({nested.task})
    except asyncio.CancelledError:
        nested.cut_short(GIVEN_UP)
        await asyncio.wait({nested.task}, timeout=END_WITHIN)
        raise


def calls_left(run: Run) -> int:
    """Calls that a run and all that belongs together with it may still make."""
    return max(0, MOST_CALLS - _calls_made(_family(run)))


@transaction.atomic
def _create(parent_id: UUID, tool: ToolSpec, task: str, call: AgentCall) -> Run:
    parent = Run.objects.select_related("catalog", "chat_model", "agent").get(pk=parent_id)
    agent = Agent.objects.select_related("catalog").filter(name=tool.upstream_name).first()
    if agent is None:
        raise CannotNestError(f"The agent {tool.upstream_name} was deleted while this ran.")
    _check_room(parent, agent)
    clean = Redactor(secrets_of_run(parent)).text(task)
    return Run.objects.create(
        pk=call.nested,
        thread=Thread.objects.create(title=clean[:200], by=parent.by),
        catalog=agent.catalog,
        chat_model=_chat_model(agent, parent),
        task=clean,
        owner=this_process().id,
        by=parent.by,
        parent=parent,
        parent_call=call.call_id[:200],
        agent=agent,
        context=parent.context,
        limits=parent.limits,
        ask_person=_held_above(parent),
    )


def _held_above(parent: Run) -> list[PersonKind]:
    """What waits in the parent waits in what it calls, whatever the agent's own catalog says."""
    return held_kinds(parent, edition_of_run(parent, parent.catalog)) if parent.catalog else []


def _check_room(parent: Run, agent: Agent) -> None:
    above = [run for run in (parent, *ancestors(parent)) if run.parent_id is not None]
    if len(above) >= MOST_DEPTH:
        path = [run.agent.name if run.agent else "a deleted agent" for run in reversed(above)]
        cycle = f" {agent.name} calls itself, directly or by way of others." if agent.name in path else ""
        raise CannotNestError(
            f"The agent {agent.name} was not run: {MOST_DEPTH} agents are at work within each other already "
            f"({' → '.join(path)}), and no more are allowed.{cycle} Do the task with other tools, or say what is missing."
        )
    family = _family(parent)
    if len(family) > MOST_NESTED:
        raise CannotNestError(f"The agent {agent.name} was not run: agents were called {MOST_NESTED} times already.")
    if _calls_made(family) >= MOST_CALLS:
        raise CannotNestError(f"The agent {agent.name} was not run: {MOST_CALLS} calls were made in all already.")


def _chat_model(agent: Agent, parent: Run) -> ChatModel | None:
    if not agent.chat_model:
        return parent.chat_model
    model = ChatModel.objects.filter(name=agent.chat_model, enabled=True).first()
    if model is None:
        raise CannotNestError(f"The agent {agent.name} was not run: its chat model {agent.chat_model} is not there.")
    return model


def _family(run: Run) -> list[UUID]:
    """The run at the top, and all that is nested in it."""
    top = (run, *ancestors(run))[-1]
    return [top.pk, *(nested.pk for nested in descendants(top.pk))]


def _calls_made(runs: list[UUID]) -> int:
    return RunEvent.objects.filter(run__in=runs, kind=CallMade.kind).count()


def _result(run_id: UUID) -> ToolResult:
    """The last words of a run that ended; of one that did not complete, why not. Secrets are out of it, as of any record."""
    state = state_at(run_id)
    status = state.summary.status
    if status != "completed":
        ending = _ENDINGS.get(status, "was cut off")
        return ToolResult(f"The agent’s run {ending}. {state.summary.reason}".strip(), is_error=True)
    said = next((step.text for step in reversed(state.steps) if isinstance(step, Said)), "")
    return ToolResult(said.strip() or "The agent completed its task and returned no text.")
