"""The calls of one answer: meta-tools answered, tools in view run, everything else refused with a word to the model."""

import asyncio
import time
from collections.abc import AsyncGenerator, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal
from uuid import UUID, uuid4

from catalog.policy import Denial, Policy
from catalog.search.ranking import Hit, Ranking
from catalog.tools import ToolSpec
from playground.agent.agent_call import AGENT_CALL, AgentCall
from playground.agent.denials import refused_call, tell_denials
from playground.agent.events import (
    CallFinished,
    CallMade,
    CallRouted,
    CallSent,
    Event,
    HitFound,
    SearchAnswered,
    ToolsLoaded,
)
from playground.agent.limits import Deadline, Limits
from playground.agent.tool_runner import ToolResult, ToolRunner
from playground.agent.verdict import ForMode, ForTool, Refused, judge
from playground.agent.well_formed import well_formed
from playground.modes.protocol import DiscoveryMode, Offer
from playground.transcript import ToolCall, ToolMessage, Transcript

MOST_HITS = 50
"""Hits of one search that are recorded."""


@dataclass(slots=True)
class CallRound:
    """Performs calls once. `cut_off`: the answer that holds them ended at its length limit."""

    turn: int
    mode: DiscoveryMode
    offer: Offer
    tools: ToolRunner
    limits: Limits
    deadline: Deadline
    cut_off: bool
    policy: Policy
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
                        outgoing.append((call, verdict))
                        continue
                    for denied in tell_denials(self.turn, call.id, [denial]):
                        yield denied
                    yield self._refuse(call, Refused(refused_call(denial)))
        for call, verdict in outgoing:
            yield self._sent(call, verdict)
        for event in await self._run_all(outgoing):
            yield event

    def replies(self, calls: Sequence[ToolCall]) -> tuple[ToolMessage, ...]:
        """What the model is told, in the order of the calls."""
        return tuple(self._replies[call.id] for call in calls)

    async def _denial(self, tool: ToolSpec) -> Denial | None:
        """Asked anew at each call. The run's own aids are no affair of the catalog's policy."""
        if tool in self.offer.aids:
            return None
        return await asyncio.to_thread(self.policy.denial, tool, "active")

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

    async def _run_all(self, outgoing: Sequence[tuple[ToolCall, ForTool]]) -> list[Event]:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(self._run(call, verdict)) for call, verdict in outgoing]
        return [event for task in tasks for event in task.result()]

    async def _run(self, call: ToolCall, verdict: ForTool) -> list[Event]:
        started = time.monotonic()
        seconds = self.deadline.left
        if call.id in self._nested:
            AGENT_CALL.set(AgentCall(call.id, self._nested[call.id]))
        else:
            seconds = min(self.limits.tool_seconds, seconds)
        try:
            async with asyncio.timeout(seconds) as patience:
                result = await self.tools.run(verdict.tool, verdict.arguments)
        except TimeoutError:
            if not patience.expired():
                raise
            result = ToolResult(f"The tool did not answer within {seconds:,.3g} seconds.", is_error=True)
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


def search_answered(turn: int, call_id: str, ranking: Ranking) -> SearchAnswered:
    hits = tuple(_hits_found(ranking))[:MOST_HITS]
    return SearchAnswered(
        turn,
        call_id,
        well_formed(ranking.reading.sent),
        ranking.engine,
        hits,
        ranking.matched,
        ranking.searched,
        ranking.scored,
        ranking.notes,
        ranking.problem,
    )


def _hits_found(ranking: Ranking) -> Iterator[HitFound]:
    for hit in ranking.hits:
        yield _hit_found(hit)
    for cut in ranking.cuts:
        for hit in cut.hits:
            yield _hit_found(hit, cut.by)


def _hit_found(hit: Hit, cut_by: str = "") -> HitFound:
    return HitFound(hit.rank, hit.tool.name, hit.tool.server, hit.score, cut_by)
