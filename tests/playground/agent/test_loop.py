"""The agent loop: which events a run gives, in which order, and how it ends."""

import asyncio
import time
from collections.abc import Sequence
from contextlib import aclosing
from datetime import date
from typing import Any

import pytest

from catalog.prompt_size import estimate_messages
from catalog.tools import ToolPool, ToolSpec
from playground.agent.chat_model import CallPiece, Finished, ModelFailed, TextPiece
from playground.agent.events import (
    CallFinished,
    CallMade,
    CallSent,
    Event,
    ModelAnswered,
    ModelRetried,
    OfferMade,
    PromptPrefix,
    RunEnded,
    RunLimits,
    RunStarted,
    SearchAnswered,
    TextStreamed,
    ToolsLoaded,
)
from playground.agent.limits import Limits
from playground.agent.loop import run_agent
from playground.agent.spending import Prices
from playground.agent.tool_runner import ToolResult
from playground.modes.eino import Eino
from playground.modes.eino_native import EinoNative
from playground.modes.mcpagent import Mcpagent
from playground.modes.protocol import Session
from playground.transcript import AssistantMessage, ProviderSearch, ToolCall, ToolMessage, Transcript, UserMessage
from tests.playground.agent.doubles import (
    PlannedModel,
    PlayedTools,
    Turn,
    ask_for,
    collect,
    of_kind,
    say,
    seconds_to_cancel,
)
from tests.playground.modes.conftest import WordEngine

POOL = ToolPool(
    (
        ToolSpec("get_weather", "Weather now.", server="weather"),
        ToolSpec("ask_human", "Ask the person.", server="chat", category="human"),
        ToolSpec("list_files", "List files.", server="files"),
    ),
    ("ask_human", "list_files"),
)
LOOK = ("search_tools", '{"query": "weather"}')
ADD = ("add_tool", '{"tool_names": ["get_weather"]}')
QUICK = Limits(backoff=0.01)


def run(
    *turns: Turn, tools: PlayedTools | None = None, limits: Limits = QUICK, history: Transcript = (), **options: Any
) -> list[Event]:
    return run_with(PlannedModel(turns), tools or PlayedTools(), limits=limits, history=history, **options)


def run_with(model: PlannedModel, tools: PlayedTools, **options: Any) -> list[Event]:
    mode = Mcpagent(POOL, WordEngine(POOL))
    return collect(run_agent(mode, model, tools, "Do it", catalog="office", engine="word", **options))


def kinds(events: Sequence[Event]) -> list[str]:
    return [event.kind for event in events]


def test_a_run_searches_loads_calls_and_ends() -> None:
    events = run(ask_for(LOOK), ask_for(ADD), ask_for(("get_weather", "{}")), say("Sunny."))
    assert kinds(events) == [
        "run_started",
        *("offer_made", "model_answered", "call_made", "search_answered", "call_finished"),
        *("offer_made", "model_answered", "call_made", "tools_loaded", "call_finished"),
        *("offer_made", "model_answered", "call_made", "call_sent", "call_finished"),
        *("offer_made", "text_streamed", "model_answered", "run_ended"),
    ]
    assert events[-1] == RunEnded("completed")


def test_a_run_says_what_it_is_made_of() -> None:
    started = run(say("Hi."))[0]
    assert isinstance(started, RunStarted)
    assert (started.task, started.catalog, started.mode, started.engine) == ("Do it", "office", "mcpagent", "word")
    assert (started.model, started.scripted, started.tools_all) == ("planned", True, 3)
    assert started.tokens_all > 50


def test_an_offer_tells_why_each_tool_is_in_view() -> None:
    offers = of_kind(run(ask_for(ADD), say("Done.")), OfferMade)
    causes = {tool.name: (tool.cause, tool.call_id) for tool in offers[1].tools}
    assert causes["search_tools"] == ("meta-tool", "")
    assert causes["ask_human"] == ("special category", "")
    assert causes["list_files"] == ("pre-discovered", "")
    assert causes["get_weather"] == ("loaded", "id-0")


def test_an_offer_is_compared_with_the_one_before() -> None:
    first, second, third = of_kind(run(ask_for(ADD), ask_for(LOOK), say("Done.")), OfferMade)
    assert first.added == tuple(tool.name for tool in first.tools)
    assert (second.added, second.removed, second.prefix_kept) == (("get_weather",), (), True)
    assert (third.added, third.removed, third.prefix_kept) == ((), (), True)
    assert second.tokens > first.tokens == sum(tool.tokens for tool in first.tools)


def test_a_search_is_told_with_its_hits() -> None:
    answered = of_kind(run(ask_for(LOOK), say("Done.")), SearchAnswered)[0]
    assert (answered.query, answered.engine, answered.matched) == ("weather", "word", 1)
    assert [(hit.rank, hit.name, hit.server, hit.cut_by) for hit in answered.hits] == [
        (1, "get_weather", "weather", "")
    ]


def test_what_a_call_loaded_is_told() -> None:
    loaded = of_kind(run(ask_for(ADD), say("Done.")), ToolsLoaded)
    assert loaded == [ToolsLoaded(1, "id-0", ("get_weather",))]


def test_the_model_is_told_what_its_calls_answered() -> None:
    model = PlannedModel([ask_for(("list_files", '{"folder": "/"}')), say("Done.")])
    run_with(model, PlayedTools())
    system, user, assistant, tool = model.asked[1][0]
    assert (system["role"], user["content"]) == ("system", "Do it")
    assert assistant["tool_calls"][0]["function"] == {"name": "list_files", "arguments": '{"folder": "/"}'}
    assert tool == {"role": "tool", "tool_call_id": "id-0", "content": "list_files done"}


def test_the_model_is_given_the_day() -> None:
    model = PlannedModel([say("Hi.")])
    run_with(model, PlayedTools(), today=date(2026, 11, 21))
    assert "Saturday, 2026-11-21" in model.asked[0][0][0]["content"]


def test_a_thread_keeps_what_its_earlier_runs_loaded() -> None:
    history = (UserMessage("Before"), ToolMessage("id-9", "add_tool", "", loaded=("get_weather",)))
    tools = PlayedTools()
    run(ask_for(("get_weather", "{}")), say("Sunny."), tools=tools, history=history)
    assert tools.calls == [("get_weather", {})]


def test_a_call_of_a_tool_that_is_not_in_view_is_refused() -> None:
    tools = PlayedTools()
    events = run(ask_for(("get_weather", "{}"), ("made_up", "{}")), say("Sorry."), tools=tools)
    finished = of_kind(events, CallFinished)
    assert [call.outcome for call in finished] == ["refused", "refused"]
    assert "search_tools" in finished[0].content
    assert tools.calls == [] and not of_kind(events, CallSent)


def test_a_tool_loaded_in_the_same_answer_is_not_in_view_yet() -> None:
    outcomes = [call.outcome for call in of_kind(run(ask_for(ADD, ("get_weather", "{}")), say("Hm.")), CallFinished)]
    assert sorted(outcomes) == ["ok", "refused"]


def test_two_loads_in_one_answer_know_of_each_other() -> None:
    contents = [call.content for call in of_kind(run(ask_for(ADD, ADD), say("Done.")), CallFinished)]
    assert contents == ["Added tools: get_weather", "Already available: get_weather"]


def test_a_providers_search_is_told_like_any_other_and_its_tools_can_be_called_at_once() -> None:
    search = ProviderSearch("s-1", "weather", ("get_weather", "made_up"))
    turn = (search, CallPiece(0, "id-0", "get_weather", "{}"), Finished("tool_calls"))
    model, tools = PlannedModel([turn, say("Sunny.")], most_handed=9), PlayedTools()
    mode = EinoNative(POOL, WordEngine(POOL), session=Session(most_handed=model.most_handed))
    events = collect(run_agent(mode, model, tools, "Do it", catalog="office", engine="word"))
    assert kinds(events)[1:10] == [
        *("offer_made", "model_answered", "call_made", "search_answered", "tools_loaded", "call_finished"),
        *("call_made", "call_sent", "call_finished"),
    ]
    (answered,) = of_kind(events, SearchAnswered)
    assert [(hit.name, hit.server) for hit in answered.hits] == [("get_weather", "weather")]
    assert (answered.query, answered.matched, answered.searched, answered.scored) == ("weather", 1, 1, False)
    assert [tool["function"]["name"] for tool in model.handed[1]] == ["get_weather"]
    assert model.asked[1][0][3]["searches"][0]["query"] == "weather"
    assert tools.calls == [("get_weather", {})]
    assert of_kind(events, OfferMade)[1].added == ("get_weather",)


def test_a_search_that_the_provider_refused_is_told_as_failed() -> None:
    turn = (ProviderSearch("s-1", "(", (), "invalid_pattern"), TextPiece("Sorry."), Finished("stop"))
    mode = EinoNative(POOL, WordEngine(POOL), session=Session(most_handed=9))
    model = PlannedModel([turn], most_handed=9)
    events = collect(run_agent(mode, model, PlayedTools(), "Do it", catalog="office", engine="word"))
    assert of_kind(events, SearchAnswered)[0].problem == "invalid_pattern"
    assert [(call.outcome, call.content) for call in of_kind(events, CallFinished)] == [("failed", "invalid_pattern")]
    assert not of_kind(events, ToolsLoaded)
    assert events[-1] == RunEnded("completed")


def test_calls_of_one_answer_run_side_by_side_once_all_are_on_record() -> None:
    tools = PlayedTools(seconds=0.05)
    events = run(ask_for(("list_files", "{}"), ("ask_human", "{}")), say("Done."), tools=tools)
    assert tools.most_running == 2
    assert kinds(events)[3:9] == ["call_made"] * 2 + ["call_sent"] * 2 + ["call_finished"] * 2
    assert [call.tool for call in of_kind(events, CallFinished)] == ["list_files", "ask_human"]


def test_no_call_goes_out_before_its_event_was_taken() -> None:
    tools = PlayedTools()
    mode = Mcpagent(POOL, WordEngine(POOL))
    model = PlannedModel([ask_for(("list_files", "{}"))])

    async def until_sent() -> None:
        async with aclosing(run_agent(mode, model, tools, "Do it", catalog="c", engine="e")) as events:
            async for event in events:
                if isinstance(event, CallSent):
                    break

    asyncio.run(until_sent())
    assert tools.calls == []


def test_a_failing_tool_is_told_to_the_model_and_the_run_goes_on() -> None:
    tools = PlayedTools(lambda tool, _: ToolResult("disk full", is_error=True))
    events = run(ask_for(("list_files", "{}")), say("Sorry."), tools=tools)
    assert [(call.outcome, call.content) for call in of_kind(events, CallFinished)] == [("failed", "disk full")]
    assert events[-1] == RunEnded("completed")


def test_a_tool_that_does_not_answer_fails_after_its_time() -> None:
    events = run(
        ask_for(("list_files", "{}")), say("Sorry."), tools=PlayedTools(seconds=5), limits=Limits(tool_seconds=0.05)
    )
    assert [call.outcome for call in of_kind(events, CallFinished)] == ["failed"]


def agent_pool() -> ToolPool:
    return ToolPool((ToolSpec("agents__clerk", server="agents", capability="agent"),), ("agents__clerk",))


def test_an_agent_has_the_time_of_the_run_and_its_own_run_is_named_before_it_begins() -> None:
    tools = PlayedTools(seconds=0.2)
    mode = Mcpagent(agent_pool(), WordEngine(agent_pool()))
    model = PlannedModel([ask_for(("agents__clerk", "{}"), ("agents__clerk", "{}")), say("Done.")])
    limits = Limits(tool_seconds=0.01)
    events = collect(run_agent(mode, model, tools, "Do it", catalog="c", engine="e", limits=limits))
    assert [call.outcome for call in of_kind(events, CallFinished)] == ["ok", "ok"]
    assert len({call.nested for call in of_kind(events, CallSent)} - {None}) == 2


def test_the_call_of_an_agent_is_given_up_when_the_time_of_the_run_is_over() -> None:
    mode = Mcpagent(agent_pool(), WordEngine(agent_pool()))
    model = PlannedModel([ask_for(("agents__clerk", "{}")), (5.0, *say("Too late."))])
    limits = Limits(seconds=0.3)
    events = collect(run_agent(mode, model, PlayedTools(seconds=30), "Do it", catalog="c", engine="e", limits=limits))
    assert [call.outcome for call in of_kind(events, CallFinished)] == ["failed"]
    assert isinstance(events[-1], RunEnded) and events[-1].outcome == "limit"


def test_other_tools_are_no_runs() -> None:
    events = run(ask_for(("list_files", "{}")), say("Done."))
    assert [call.nested for call in of_kind(events, CallSent)] == [None]


def test_an_agents_instructions_come_first() -> None:
    model = PlannedModel([say("Done.")])
    mode = Mcpagent(POOL, WordEngine(POOL))
    collect(
        run_agent(mode, model, PlayedTools(), "Do it", catalog="c", engine="e", instructions="You are the trip desk.")
    )
    assert model.asked[0][0][0]["content"].startswith("You are the trip desk.\n\n")


def test_an_unexpected_exception_of_a_runner_is_not_swallowed() -> None:
    def crash(tool: ToolSpec, arguments: Any) -> ToolResult:
        raise ZeroDivisionError

    with pytest.raises(ExceptionGroup) as raised:
        run(ask_for(("list_files", "{}")), tools=PlayedTools(crash))
    assert raised.group_contains(ZeroDivisionError)


def test_broken_arguments_are_told_twice_and_then_end_the_run() -> None:
    half = ask_for(("list_files", '{"folder": '))
    events = run(half, half, half, tools=(tools := PlayedTools()))
    assert [call.outcome for call in of_kind(events, CallFinished)] == ["refused"] * 3
    assert events[-1] == RunEnded("failed", "Model bad stream: 3 answers in a row held broken calls")
    assert tools.calls == []


def test_broken_arguments_are_forgiven_after_a_good_answer() -> None:
    half, whole = ask_for(("list_files", "{")), ask_for(("list_files", "{}"))
    assert run(half, half, whole, half, half, say("Done."))[-1] == RunEnded("completed")


def test_broken_arguments_go_back_to_the_model_as_an_empty_object() -> None:
    model = PlannedModel([ask_for(("list_files", '{"a')), say("Sorry.")])
    run_with(model, PlayedTools())
    assert model.asked[1][0][2]["tool_calls"][0]["function"]["arguments"] == "{}"


def test_an_answer_cut_off_at_its_length_sends_no_call() -> None:
    events = run(ask_for(("list_files", "{}"), reason="length"), say("Sorry."), tools=(tools := PlayedTools()))
    assert [call.outcome for call in of_kind(events, CallFinished)] == ["refused"]
    assert tools.calls == []


@pytest.mark.parametrize(
    ("turn", "outcome", "reason"),
    [
        ((Finished("stop"),), "completed", "The model returned no text."),
        ((TextPiece(" \n"), Finished("stop")), "completed", "The model returned no text."),
        ((TextPiece("I"), Finished("length")), "limit", "The answer reached its length limit."),
        ((Finished("content_filter"),), "failed", "The provider withheld the answer (content filter)."),
        ((TextPiece("I"),), "failed", "Model truncated: the answer stopped before its end"),
        ((ModelFailed("rejected", "no key"),), "failed", "Model rejected: no key"),
    ],
)
def test_how_a_run_ends(turn: Turn, outcome: str, reason: str) -> None:
    ended = run(turn)[-1]
    assert isinstance(ended, RunEnded)
    assert (ended.outcome, ended.reason) == (outcome, reason)


@pytest.mark.parametrize(
    ("limits", "word"),
    [
        (Limits(turns=2), "2 turns; it used"),
        (Limits(calls=3), "3 calls: 2 were made"),
        (Limits(tokens=2_000), "2,000 tokens: it used"),
        (Limits(calls_per_answer=1), "2 calls at once"),
        (Limits(seconds=0.05), "longer than"),
    ],
)
def test_limits_end_a_run(limits: Limits, word: str) -> None:
    turn: Turn = (0.03, *ask_for(("list_files", "{}"), ("list_files", "{}")))
    ended = run(turn, turn, turn, turn, limits=limits)[-1]
    assert isinstance(ended, RunEnded)
    assert ended.outcome == "limit" and word in ended.reason


def test_a_model_that_says_nothing_is_left_when_the_runs_time_is_up() -> None:
    started = time.monotonic()
    assert run((60.0,), limits=Limits(seconds=0.05))[-1] == RunEnded("limit", "The run took longer than 0.05 seconds.")
    assert time.monotonic() - started < 30


def test_a_refusal_is_tried_again_after_a_while() -> None:
    busy = (ModelFailed("refused", "the endpoint answered 503"),)
    events = run(busy, busy, say("Here I am."))
    retries = of_kind(events, ModelRetried)
    assert [(retry.attempt, retry.reason) for retry in retries] == [(1, str(busy[0])), (2, str(busy[0]))]
    assert retries[0].wait < retries[1].wait
    assert events[-1] == RunEnded("completed")


def test_a_refusal_is_not_tried_a_fourth_time() -> None:
    busy = (ModelFailed("refused", "the endpoint answered 503"),)
    assert run(busy, busy, busy)[-1] == RunEnded("failed", "Model refused: the endpoint answered 503")


@pytest.mark.parametrize(
    "turn",
    [
        (TextPiece("Hel"), ModelFailed("refused", "busy")),
        (CallPiece(0, "id", "list_files"), ModelFailed("refused", "busy")),
        (ModelFailed("truncated", "cut off"),),
        (ModelFailed("refused", "busy", retry_after=300.0),),
    ],
    ids=["after text", "after a call", "not refused", "told to wait too long"],
)
def test_what_is_not_tried_again(turn: Turn) -> None:
    events = run(turn)
    assert not of_kind(events, ModelRetried)
    assert isinstance(ended := events[-1], RunEnded) and ended.outcome == "failed"


def test_a_named_waiting_time_is_kept() -> None:
    busy = (ModelFailed("refused", "busy", retry_after=0.1),)
    assert 0.1 <= of_kind(run(busy, say("Hi.")), ModelRetried)[0].wait < 0.2


def test_a_flood_of_text_is_cut_off() -> None:
    flood: Turn = (*(TextPiece("x" * 400) for _ in range(5)), Finished("stop"))
    ended = run(flood, limits=Limits(answer_characters=1_000))[-1]
    assert ended == RunEnded("failed", "Model bad stream: the answer is longer than 1,000 characters")


def test_tokens_are_the_providers_own() -> None:
    answered = of_kind(run((TextPiece("Hi"), Finished("stop", 120, 8, 64))), ModelAnswered)[0]
    assert (answered.prompt_tokens, answered.completion_tokens, answered.cached_tokens) == (120, 8, 64)


def test_an_offer_tells_the_tokens_of_all_that_is_sent() -> None:
    model = PlannedModel([ask_for(LOOK), say("Done.")])
    first, second = of_kind(run_with(model, PlayedTools()), OfferMade)
    assert [offer.message_tokens for offer in (first, second)] == [estimate_messages(asked) for asked, _ in model.asked]
    assert second.prefix == PromptPrefix(first.tokens + first.message_tokens)


def test_the_reminder_counts_and_stands_in_the_prefix() -> None:
    mode = Eino(POOL, WordEngine(POOL))
    model = PlannedModel([ask_for(("tool_search", '{"query": "weather"}')), say("Done.")])
    first, second = of_kind(collect(run_agent(mode, model, PlayedTools(), "Do it", catalog="c", engine="e")), OfferMade)
    assert "available-deferred-tools" in model.asked[0][0][1]["content"]
    assert first.message_tokens == estimate_messages(model.asked[0][0])
    assert second.prefix == PromptPrefix(first.tokens, appended=1)


def test_a_run_says_what_it_may_use_up() -> None:
    started = run(say("Hi."), limits=Limits(turns=3, calls=4, tokens=9_000, seconds=5.0))[0]
    assert isinstance(started, RunStarted) and started.limits == RunLimits(3, 4, 9_000, 5.0)


def test_tokens_are_counted_by_the_provider_where_it_counts_and_estimated_where_it_does_not() -> None:
    call = ("list_files", "{}")
    told = (*ask_for(call)[:-1], Finished("tool_calls", 1_900, 50))
    assert run(told, say("Done."), limits=Limits(tokens=2_000))[-1].reason.startswith(  # type: ignore[union-attr]
        "The run reached its limit of 2,000 tokens: it used 1,950 tokens and 1 call,"
    )
    assert run(ask_for(call), say("Done."), limits=Limits(tokens=20_000))[-1] == RunEnded("completed")


def test_an_answer_costs_what_its_tokens_cost_and_all_tools_would_cost_more() -> None:
    end = Finished("stop", 1_000, 10, 600, 100, 4, Prices(3.0, 15.0, 0.3, 4.0))
    events = run((TextPiece("Hi."), end))
    (answered,) = of_kind(events, ModelAnswered)
    assert answered.cost == pytest.approx(300 * 3.0 + 600 * 0.3 + 100 * 4.0 + 10 * 15.0)
    assert (answered.written_tokens, answered.reasoning_tokens) == (100, 4)
    assert answered.cost and answered.cost_all and answered.cost_all >= answered.cost


def test_all_tools_are_priced_as_the_tokens_that_they_would_add() -> None:
    """One upfront tool of many, so that sending the others as well costs more than the meta-tools spare."""
    pool = ToolPool(tuple(ToolSpec(f"tool_{n}", "Does something or other. " * 20) for n in range(100)))
    model = PlannedModel([(TextPiece("Hi."), Finished("stop", prices=Prices(1.0, 0.0, 1.0, 1.0)))])
    events = collect(run_agent(Mcpagent(pool, WordEngine(pool)), model, PlayedTools(), "Do", catalog="c", engine="e"))
    started, offer, answered = events[0], events[1], of_kind(events, ModelAnswered)[0]
    assert isinstance(started, RunStarted) and isinstance(offer, OfferMade)
    assert answered.cost == offer.tokens + offer.message_tokens
    assert answered.cost_all == started.tokens_all + offer.message_tokens


def test_a_run_ends_when_its_dollars_are_spent_and_the_scripted_model_spends_none() -> None:
    turn = (*ask_for(("list_files", "{}"))[:-1], Finished("tool_calls", 100, 1, prices=Prices(0.01, 0.0, 0.01, 0.01)))

    def end(scripted: bool) -> Event:
        model = PlannedModel([turn, turn, say("Done.")], scripted=scripted)
        return run_with(model, PlayedTools(), limits=Limits(dollars=1.5))[-1]

    assert isinstance(spent := end(scripted=False), RunEnded)
    assert spent.outcome == "limit" and "it cost $2.0000" in spent.reason
    assert end(scripted=True) == RunEnded("completed")


def test_without_a_price_there_is_no_cost() -> None:
    (answered,) = of_kind(run((TextPiece("Hi."), Finished("stop", 1_000, 10))), ModelAnswered)
    assert (answered.cost, answered.cost_all) == (None, None)


def test_text_that_no_database_holds_is_made_fit() -> None:
    events = run((TextPiece("a\ud800b\0"), Finished("stop")))
    assert of_kind(events, TextStreamed) == [TextStreamed(1, "a\ufffdb\u2400")]


@pytest.mark.parametrize("stop_at", ["offer_made", "text_streamed", "call_sent"])
def test_cancelling_ends_the_run_at_once_and_leaves_nothing(stop_at: str) -> None:
    model = PlannedModel(
        [(TextPiece("I"), 30.0 if stop_at == "text_streamed" else 0.0, *ask_for(("list_files", "{}")))]
    )
    mode = Mcpagent(POOL, WordEngine(POOL))
    reached = asyncio.Event()

    async def follow() -> None:
        async for event in run_agent(mode, model, PlayedTools(seconds=30), "Do it", catalog="c", engine="e"):
            if event.kind == stop_at:
                reached.set()

    assert asyncio.run(seconds_to_cancel(follow(), reached)) < 1


def test_call_ids_are_unique_in_a_run() -> None:
    nameless: Turn = (
        CallPiece(0, "", "list_files", "{}"),
        CallPiece(1, "", "list_files", "{}"),
        Finished("tool_calls"),
    )
    events = run(ask_for(LOOK), ask_for(LOOK), nameless, say("Done."))
    ids = [call.call_id for call in of_kind(events, CallMade)]
    assert len(set(ids)) == 4 and all(ids)


def test_an_earlier_run_that_was_stopped_in_mid_call_can_be_taken_up() -> None:
    history = (UserMessage("Before"), AssistantMessage("", (ToolCall("id-9", "list_files"),)))
    model = PlannedModel([say("Hi.")])
    run_with(model, PlayedTools(), history=history)
    assert model.asked[0][0][3] == {"role": "tool", "tool_call_id": "id-9", "content": "This call was never finished."}
