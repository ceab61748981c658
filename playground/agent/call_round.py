"""The calls of one answer: meta-tools answered, tools in view run, everything else refused with a word to the model."""

import asyncio
import time
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from typing import Literal
from uuid import UUID, uuid4

from catalog.policy import Denial, Policy
from catalog.sources.arguments import check_arguments
from catalog.tools import ToolSpec
from playground.agent.agent_call import AgentCall
from playground.agent.denials import refused_call, tell_denials
from playground.agent.events import (
    CallFinished,
    CallMade,
    CallRouted,
    CallSent,
    Event,
    ToolsLoaded,
)
from playground.agent.limits import Deadline, Limits
from playground.agent.merging import merged
from playground.agent.person import ASKS_NOBODY, Asking, not_made, told_of
from playground.agent.person_events import CallDecided, CallHeld
from playground.agent.running import run_call
from playground.agent.search_events import search_answered
from playground.agent.tool_runner import ToolResult, ToolRunner
from playground.agent.verdict import ForMode, ForTool, Refused, judge
from playground.agent.well_formed import well_formed
from playground.modes.protocol import DiscoveryMode, Offer
from playground.transcript import ToolCall, ToolMessage, Transcript


@dataclass(slots=True)
class CallRound:
    """Performs calls once. `cut_off`: the answer that holds them ended at its length limit.

    Calls that wait for a person do not keep back the others: each goes on by itself.
    """

    turn: int
    mode: DiscoveryMode
    offer: Offer
    tools: ToolRunner
    limits: Limits
    deadline: Deadline
    cut_off: bool
    policy: Policy
    asking: Asking = ASKS_NOBODY
    broken: bool = field(default=False, init=False)
    """A call was not whole."""
    _replies: dict[str, ToolMessage] = field(default_factory=dict, init=False)
    _nested: dict[str, UUID] = field(default_factory=dict, init=False)
    """The run that each call of an agent is to be."""

    async def perform(self, calls: Sequence[ToolCall], transcript: Transcript) -> AsyncGenerator[Event, None]:
        """Every CallSent is yielded before any call goes out, so that a caller who commits each event has it on record."""
        meta_tools = self.mode.meta_tools
        for call in calls:
            yield CallMade(
                self.turn, call.id, call.name, call.arguments, any(call.name == tool.name for tool in meta_tools)
            )
        outgoing: list[tuple[ToolCall, ForTool]] = []
        held: list[tuple[ToolCall, ForTool]] = []
        for call in calls:
            match judge(call, self.offer, meta_tools, cut_off=self.cut_off):
                case Refused() as refused:
                    yield self._refuse(call, refused)
                case ForMode():
                    for event in await self._ask_mode(call, (*transcript, *self._replies.values())):
                        yield event
                case ForTool() as verdict:
                    denial = await self._denial(verdict.tool)
                    if denial is None:
                        (held if self._waits(verdict.tool) else outgoing).append((call, verdict))
                        continue
                    for event in self._deny(call, denial):
                        yield event
        for call, verdict in outgoing:
            yield self._sent(call, verdict)
        streams = [self._run_all(outgoing), *(self._after_person(call, verdict) for call, verdict in held)]
        async with aclosing(merged(streams)) as events:
            async for event in events:
                yield event

    def replies(self, calls: Sequence[ToolCall]) -> tuple[ToolMessage, ...]:
        """What the model is told, in the order of the calls."""
        return tuple(self._replies[call.id] for call in calls)

    async def _denial(self, tool: ToolSpec) -> Denial | None:
        """Asked anew at each call. The run's own aids are no affair of the catalog's policy."""
        if tool in self.offer.aids:
            return None
        return await asyncio.to_thread(self.policy.denial, tool, "active")

    def _deny(self, call: ToolCall, denial: Denial) -> list[Event]:
        told = tell_denials(self.turn, call.id, [denial])
        return [*told, self._refuse(call, Refused(refused_call(denial)))]

    def _waits(self, tool: ToolSpec) -> bool:
        """The run's own aids ask nobody."""
        return tool not in self.offer.aids and self.asking.holds(tool)

    async def _after_person(self, call: ToolCall, verdict: ForTool) -> AsyncGenerator[Event, None]:
        """The call once somebody decided. What was allowed before may be denied by then, so the policy is asked again."""
        held = self.asking.hold(self.turn, call, verdict.tool, verdict.arguments)
        yield held
        started = time.monotonic()
        with self.deadline.standing():
            decided = await self.asking.person.decide(held)
        event = told_of(held, decided, time.monotonic() - started)
        yield event
        if not event.lets_go:
            yield self._without_sending(call, held, event)
            return
        changed = verdict if decided.arguments is None else replace(verdict, arguments=decided.arguments)
        if problems := check_arguments(changed.arguments, changed.tool.parameters) if event.arguments else []:
            yield self._refuse(
                call, Refused(f"What a person made of the arguments does not fit: {'; '.join(problems)}")
            )
            return
        if denial := await self._denial(verdict.tool):
            for told in self._deny(call, denial):
                yield told
            return
        yield self._sent(call, changed)
        for told in await self._run(call, changed, event.arguments):
            yield told

    def _without_sending(self, call: ToolCall, held: CallHeld, decided: CallDecided) -> CallFinished:
        if decided.decision == "answered":
            return self._finish(call, ToolResult(decided.text), time.monotonic() - decided.seconds)
        return self._refuse(call, Refused(well_formed(not_made(decided, held.wait))))

    def _refuse(self, call: ToolCall, refused: Refused) -> CallFinished:
        self.broken = self.broken or refused.broken
        self._replies[call.id] = ToolMessage(call.id, call.name, refused.reason, is_error=True)
        return CallFinished(self.turn, call.id, call.name, "refused", refused.reason, seconds=0.0)

    async def _ask_mode(self, call: ToolCall, transcript: Transcript) -> list[Event]:
        started = time.monotonic()
        self.broken = self.broken or not call.is_whole
        answer = await asyncio.to_thread(self.mode.answer, call, transcript)
        events: list[Event] = []
        if answer.ranking:
            events.append(search_answered(self.turn, call.id, answer.ranking))
        if answer.loaded:
            events.append(ToolsLoaded(self.turn, call.id, answer.loaded))
        events += tell_denials(self.turn, call.id, answer.denials)
        result = ToolResult(answer.content, answer.is_error)
        return [*events, self._finish(call, result, started, loaded=answer.loaded)]

    def _sent(self, call: ToolCall, verdict: ForTool) -> CallSent:
        tool = verdict.tool
        if tool.capability == "agent":
            self._nested[call.id] = uuid4()
        nested = self._nested.get(call.id)
        return CallSent(self.turn, call.id, call.name, tool.server, self.tools.is_simulated(tool), nested)

    async def _run_all(self, outgoing: Sequence[tuple[ToolCall, ForTool]]) -> AsyncGenerator[Event, None]:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(self._run(call, verdict)) for call, verdict in outgoing]
        for task in tasks:
            for event in task.result():
                yield event

    async def _run(self, call: ToolCall, verdict: ForTool, changed_to: str = "") -> list[Event]:
        """`changed_to` are the arguments as JSON text, where a person changed them."""
        started = time.monotonic()
        nested = self._nested.get(call.id)
        agent = AgentCall(call.id, nested, self.deadline) if nested else None
        result = await run_call(self.tools, verdict, self.limits, self.deadline, agent, changed_to)
        finished = self._finish(call, result, started, simulated=self.tools.is_simulated(verdict.tool))
        if (route := result.route) is None:
            return [finished]
        return [CallRouted(self.turn, call.id, route.hops, route.call_seconds, route.start_seconds), finished]

    def _finish(
        self,
        call: ToolCall,
        result: ToolResult,
        started: float,
        *,
        loaded: tuple[str, ...] = (),
        simulated: bool = False,
    ) -> CallFinished:
        content = well_formed(result.content)
        self._replies[call.id] = ToolMessage(call.id, call.name, content, loaded, result.is_error)
        outcome: Literal["ok", "failed"] = "failed" if result.is_error else "ok"
        seconds = time.monotonic() - started
        return CallFinished(self.turn, call.id, call.name, outcome, content, seconds, simulated, result.kept)
