"""The agent: a model, a discovery mode and a tool runner taking turns until the task is done, as a stream of events."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import AbstractAsyncContextManager, aclosing, nullcontext
from datetime import date
from itertools import count

from catalog.policy import ALLOW_ALL, Denial, Policy
from catalog.prompt_size import estimate_tools
from playground.agent.budget import Share
from playground.agent.call_round import CallRound
from playground.agent.chat_model import ChatModel, ModelFailed
from playground.agent.denials import tell_denials
from playground.agent.draft import Draft
from playground.agent.events import Event, RunEnded, RunLimits, RunStarted
from playground.agent.limits import Deadline, LimitReached, Limits
from playground.agent.messages import system_text
from playground.agent.model_turn import Question, ask
from playground.agent.offers import Sent, every_tool, make_offer
from playground.agent.person import ASKS_NOBODY, Asking
from playground.agent.provider_searches import tell_searches
from playground.agent.spending import Spending
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
    instructions: str = "",
    version: str = "",
    asking: Asking = ASKS_NOBODY,
    edited: tuple[str, ...] = (),
    above: Deadline | None = None,
    share: Share | None = None,
) -> AsyncGenerator[Event, None]:
    """One run. `history` holds the thread's earlier messages: the tools that they loaded are in view from the start.

    `policy` is the one that the mode was made under; it is asked again before each call goes out. Without a
    `task` the model is asked to go on from where the history ends. `instructions` are those of the agent that the run
    is of, ahead of the mode's. `version` is that of the catalog, for the record; so are the `edited` calls of the history.
    Calls of the kinds that `asking` names wait for a person. `above` is the deadline of the run that this one is nested
    in, and `share` the run's part in what several runs may spend together.

    The last event is RunEnded, save when the iterating task is cancelled or something unexpected is raised: then the
    caller writes it. A caller that stops early closes the generator (`aclosing`).
    """
    pool = await asyncio.to_thread(every_tool, mode)
    tokens = await asyncio.to_thread(estimate_tools, pool)
    said = () if task is None else (UserMessage(task),)
    about = (catalog, mode.slug, engine, model.name, model.scripted)
    most = RunLimits(limits.turns, limits.calls, limits.tokens, limits.seconds, limits.dollars)
    yield RunStarted(
        task, *about, len(pool), tokens, dict(policy.context), len(history), most, version=version, edited=edited
    )
    deadline = Deadline(limits.seconds, above)
    transcript = (*history, *said)
    run = _Run(mode, model, tools, limits, transcript, today, policy, tokens, instructions, deadline, asking, share)
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
        tokens_all: int,
        instructions: str,
        deadline: Deadline,
        asking: Asking,
        share: Share | None,
    ) -> None:
        self._mode = mode
        self._model = model
        self._tools = tools
        self._limits = limits
        self._transcript = transcript
        self._today = today
        self._policy = policy
        self._denied: tuple[Denial, ...] = ()
        self._instructions = instructions
        self._deadline = deadline
        self._asking = asking
        self._share = share
        self._tokens_all = tokens_all
        self._spending = Spending(limits)
        self._sent: Sent | None = None
        self._broken_in_a_row = 0

    async def turns(self) -> AsyncGenerator[Event, None]:
        for turn in count(1):
            offer, sent = await asyncio.to_thread(self._offer, turn)
            self._spending.begin(turn, sent.prompt.tokens)
            draft = Draft(self._limits.answer_characters)
            async with (
                self._within_budget(sent, draft) as most,
                aclosing(self._answer(turn, offer, sent, draft, most)) as events,
            ):
                async for event in events:
                    yield event
            self._spending.spend(draft.used, 0.0 if self._model.scripted else draft.cost)
            answer = draft.to_message(turn, self._taken_ids())
            for event in tell_searches(turn, answer.searches, offer.handed):
                yield event
            if ending := self._ending(answer, draft.finish_reason, most):
                yield ending
                return
            async with aclosing(self._perform(turn, offer, answer, draft.finish_reason)) as events:
                async for event in events:
                    yield event
            if self._broken_in_a_row > self._limits.broken_answers:
                raise ModelFailed("bad stream", f"{self._broken_in_a_row} answers in a row held broken calls")

    async def _answer(
        self, turn: int, offer: Offer, sent: Sent, draft: Draft, most: int | None
    ) -> AsyncGenerator[Event, None]:
        """The offer, what the policy kept from it, and the answer as it comes, of at most so many tokens."""
        yield sent.made
        if offer.denials != self._denied:
            self._denied = offer.denials
            for denied in tell_denials(turn, "", offer.denials):
                yield denied
        async with aclosing(self._ask(turn, offer, sent, draft, most)) as events:
            async for event in events:
                yield event

    def _within_budget(self, sent: Sent, draft: Draft) -> AbstractAsyncContextManager[int | None]:
        """Gives the tokens that the answer may have, where a budget bounds them."""
        if self._share is None:
            return nullcontext()
        return self._share.call(sent.prompt.tokens, draft, self._deadline)

    def _offer(self, turn: int) -> tuple[Offer, Sent]:
        """What the next call sends, which is compared with the last one from then on. Not for the event loop."""
        offer = self._mode.offer(self._transcript)
        self._sent = make_offer(turn, offer, self._sent, self._mode.meta_tools, self._transcript, self._system(offer))
        return offer, self._sent

    def _system(self, offer: Offer) -> str:
        return system_text(offer, self._today, self._instructions)

    def _ask(self, turn: int, offer: Offer, sent: Sent, draft: Draft, most: int | None) -> AsyncGenerator[Event, None]:
        handed = [{**tool.as_function(), "server": tool.server} for tool in offer.handed]
        question = Question(turn, sent.prompt, handed, sent.prompt.message_tokens + self._tokens_all, most)
        return ask(self._model, question, draft, self._limits, self._deadline)

    async def _perform(
        self, turn: int, offer: Offer, answer: AssistantMessage, finish_reason: str
    ) -> AsyncGenerator[Event, None]:
        cut_off = finish_reason == "length"
        parts = (self._tools, self._limits, self._deadline, cut_off, self._policy, self._asking)
        calls = CallRound(turn, self._mode, offer, *parts)
        self._transcript += (answer,)
        async with aclosing(calls.perform(answer.calls, self._transcript)) as events:
            async for event in events:
                yield event
        self._transcript += calls.replies(answer.calls)
        self._broken_in_a_row = self._broken_in_a_row + 1 if calls.broken else 0

    def _taken_ids(self) -> set[str]:
        answers = (message for message in self._transcript if isinstance(message, AssistantMessage))
        return {told for answer in answers for told in answer.ids}

    def _ending(self, answer: AssistantMessage, finish_reason: str, most: int | None) -> RunEnded | None:
        """How the run ends with this answer, if it does; `most` are the tokens that a budget allowed it."""
        if finish_reason == "content_filter":
            return RunEnded("failed", "The provider withheld the answer (content filter).")
        if not answer.calls:
            if finish_reason == "length":
                bound = f" of {most:,} tokens, for which the cap was set aside" if most else ""
                return RunEnded("limit", f"The answer reached its length limit{bound}.")
            return RunEnded("completed", "" if answer.text.strip() else "The model returned no text.")
        self._spending.call(len(answer.calls))
        return None
