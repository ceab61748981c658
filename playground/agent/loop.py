"""The agent: a model, a discovery mode and a tool runner taking turns until the task is done, as a stream of events."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing
from datetime import date

from catalog.policy import ALLOW_ALL, Denial, Policy
from playground.agent.call_round import CallRound
from playground.agent.chat_model import ChatModel, ModelFailed
from playground.agent.denials import tell_denials
from playground.agent.draft import Draft
from playground.agent.events import Event, OfferMade, RunEnded, RunStarted
from playground.agent.limits import Deadline, LimitReached, Limits
from playground.agent.messages import system_text, to_chat
from playground.agent.model_turn import Question, ask
from playground.agent.offers import compare_offers, every_tool
from playground.agent.prompt_size import estimate_tools
from playground.agent.provider_searches import tell_searches
from playground.agent.tool_runner import ToolRunner
from playground.modes.protocol import CannotOfferError, DiscoveryMode, Offer
from playground.transcript import AssistantMessage, Transcript, UserMessage

DEFAULT_LIMITS = Limits()


async def run_agent(
    mode: DiscoveryMode,
    model: ChatModel,
    tools: ToolRunner,
    task: str | None,
    *,
    catalog: str,
    engine: str,
    limits: Limits = DEFAULT_LIMITS,
    history: Transcript = (),
    today: date | None = None,
    policy: Policy = ALLOW_ALL,
) -> AsyncGenerator[Event, None]:
    """One run. `history` holds the thread's earlier messages: the tools that they loaded are in view from the start.

    `policy` is the one that the mode was made under; it is asked again before each call goes out. Without a
    `task` the model is asked to go on from where the history ends.

    The last event is RunEnded, save when the iterating task is cancelled or something unexpected is raised: then the
    caller writes it. A caller that stops early closes the generator (`aclosing`).
    """
    pool = await asyncio.to_thread(every_tool, mode)
    tokens = await asyncio.to_thread(estimate_tools, pool)
    said = () if task is None else (UserMessage(task),)
    about = (catalog, mode.slug, engine, model.name, model.scripted)
    yield RunStarted(task, *about, len(pool), tokens, dict(policy.context), len(history))
    run = _Run(mode, model, tools, limits, (*history, *said), today, policy)
    try:
        async with aclosing(run.turns()) as events:
            async for event in events:
                yield event
    except ModelFailed as failure:
        yield RunEnded("failed", f"Model {failure.kind}: {failure}")
    except CannotOfferError as failure:
        yield RunEnded("failed", f"The mode ended the run, as its system does: {failure}")
    except LimitReached as limit:
        yield RunEnded("limit", str(limit))


class _Run:
    def __init__(
        self,
        mode: DiscoveryMode,
        model: ChatModel,
        tools: ToolRunner,
        limits: Limits,
        transcript: Transcript,
        today: date | None,
        policy: Policy,
    ) -> None:
        self._mode = mode
        self._model = model
        self._tools = tools
        self._limits = limits
        self._transcript = transcript
        self._today = today
        self._policy = policy
        self._denied: tuple[Denial, ...] = ()
        self._deadline = Deadline.after(limits.seconds)
        self._in_view: tuple[str, ...] = ()
        self._calls_made = 0
        self._broken_in_a_row = 0

    async def turns(self) -> AsyncGenerator[Event, None]:
        for turn in range(1, self._limits.turns + 1):
            offer = await asyncio.to_thread(self._mode.offer, self._transcript)
            yield self._compare(turn, offer)
            if offer.denials != self._denied:
                self._denied = offer.denials
                for denied in tell_denials(turn, "", offer.denials):
                    yield denied
            draft = Draft(self._limits.answer_characters)
            async with aclosing(self._ask(turn, offer, draft)) as events:
                async for event in events:
                    yield event
            answer = draft.to_message(turn, self._taken_ids())
            for event in tell_searches(turn, answer.searches, offer.handed):
                yield event
            if ending := self._ending(answer, draft.finish_reason):
                yield ending
                return
            async with aclosing(self._perform(turn, offer, answer, draft.finish_reason)) as events:
                async for event in events:
                    yield event
            if self._broken_in_a_row > self._limits.broken_answers:
                raise ModelFailed("bad stream", f"{self._broken_in_a_row} answers in a row held broken calls")
        raise LimitReached(f"The run reached its limit of {self._limits.turns} turns.")

    def _compare(self, turn: int, offer: Offer) -> OfferMade:
        made = compare_offers(turn, offer, self._in_view, self._mode.meta_tools, self._transcript)
        self._in_view = tuple(tool.name for tool in made.tools)
        return made

    def _ask(self, turn: int, offer: Offer, draft: Draft) -> AsyncGenerator[Event, None]:
        handed_names = {tool.name for tool in offer.handed}
        messages = to_chat(system_text(offer, self._today), self._transcript, offer.reminder, handed_names)
        tools = [tool.as_function() for tool in offer.tools]
        handed = [{**tool.as_function(), "server": tool.server} for tool in offer.handed]
        question = Question(turn, messages, tools, handed)
        return ask(self._model, question, draft, self._limits, self._deadline)

    async def _perform(
        self, turn: int, offer: Offer, answer: AssistantMessage, finish_reason: str
    ) -> AsyncGenerator[Event, None]:
        cut_off = finish_reason == "length"
        calls = CallRound(turn, self._mode, offer, self._tools, self._limits, self._deadline, cut_off, self._policy)
        self._transcript += (answer,)
        async with aclosing(calls.perform(answer.calls, self._transcript)) as events:
            async for event in events:
                yield event
        self._transcript += calls.replies(answer.calls)
        self._broken_in_a_row = self._broken_in_a_row + 1 if calls.broken else 0

    def _taken_ids(self) -> set[str]:
        answers = (message for message in self._transcript if isinstance(message, AssistantMessage))
        return {told for answer in answers for told in answer.ids}

    def _ending(self, answer: AssistantMessage, finish_reason: str) -> RunEnded | None:
        """How the run ends with this answer, if it does."""
        if finish_reason == "content_filter":
            return RunEnded("failed", "The provider withheld the answer (content filter).")
        if not answer.calls:
            if finish_reason == "length":
                return RunEnded("limit", "The answer reached its length limit.")
            return RunEnded("completed", "" if answer.text.strip() else "The model returned no text.")
        asked, limits = len(answer.calls), self._limits
        if asked > limits.calls_per_answer:
            most = limits.calls_per_answer
            raise LimitReached(
                f"The model asked for {asked} calls at once; at most {most} are allowed, so none was made."
            )
        self._calls_made += asked
        if self._calls_made > limits.calls:
            raise LimitReached(f"The run reached its limit of {limits.calls} calls.")
        return None
