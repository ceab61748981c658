"""What a run makes of a model endpoint that misbehaves, over real HTTP and through LiteLLM."""

import asyncio
import time
from contextlib import aclosing

import pytest

from catalog.tools import ToolPool, ToolSpec
from playground.agent.chat_model import Finished, ModelFailed, Piece, TextPiece
from playground.agent.events import CallFinished, CallMade, CallSent, Event, ModelRetried, RunEnded, TextStreamed
from playground.agent.limits import Limits
from playground.agent.litellm_model import LiteLLMModel
from playground.agent.loop import run_agent
from playground.modes.mcpagent import Mcpagent
from tests.model_endpoint import ECHOED_KEY, GOOD_STREAM, MOODS, ModelEndpoint, patience_with
from tests.playground.agent.doubles import PlayedTools, collect, of_kind, seconds_to_cancel
from tests.playground.modes.conftest import WordEngine

KEY = "sk-mine0123456789abcdefgh"
POOL = ToolPool(tuple(ToolSpec(name, "A tool.", server="s") for name in ("send_mail", "first", "second", "ping")))
POOL = ToolPool(POOL.tools, tuple(POOL.by_name))
LIMITS = Limits(backoff=0.01, turns=3)


def model_in(endpoint: ModelEndpoint, mood: str, silence: float = 0.5) -> LiteLLMModel:
    return LiteLLMModel("openai/some-model", endpoint.url(mood), KEY, patience_with(mood, silence))


def run(endpoint: ModelEndpoint, mood: str, tools: PlayedTools | None = None) -> list[Event]:
    mode = Mcpagent(POOL, WordEngine(POOL))
    model = model_in(endpoint, mood)
    return collect(run_agent(mode, model, tools or PlayedTools(), "Do it", catalog="c", engine="e", limits=LIMITS))


def pieces(endpoint: ModelEndpoint, mood: str) -> list[Piece]:
    async def drain() -> list[Piece]:
        async with aclosing(model_in(endpoint, mood).stream([{"role": "user", "content": "Hi"}], [])) as stream:
            return [piece async for piece in stream]

    return asyncio.run(drain())


ENDS = {
    "ok": ("completed", ""),
    "empty": ("completed", "The model returned no text."),
    "nodone": ("completed", ""),
    "nul": ("completed", ""),
    "surrogate": ("completed", ""),
    "split": ("completed", ""),
    "hang": ("failed", "Model timeout: nothing arrived for 0.5 seconds"),
    "hangmid": ("failed", "Model timeout: nothing arrived for 0.5 seconds"),
    "429long": ("failed", "Model refused: the endpoint answered 429: no ••••"),
    "500": ("failed", "Model refused: the endpoint answered 500: no ••••"),
    "503": ("failed", "Model refused: the endpoint answered 503: no ••••"),
    "400": ("failed", "Model rejected: the endpoint answered 400: no ••••"),
    "401": ("failed", "Model rejected: the endpoint refused the key (401): no ••••"),
    "404": ("failed", "Model rejected: the endpoint answered 404: no ••••"),
    "html": ("failed", "Model truncated: the endpoint sent text/html where an answer was due"),
    "trunc": ("failed", "Model truncated: the connection ended before the answer did"),
    "truncheld": ("failed", "Model truncated: the connection ended before the answer did"),
    "rst": ("failed", "Model truncated: the connection ended before the answer did"),
    "badjson": ("failed", "Model bad stream: the endpoint sent a frame that is not JSON"),
    "errmid": ("failed", "Model bad stream: the endpoint sent an error amid the answer: overloaded"),
    "flood": ("failed", "Model bad stream: the answer is longer than 2,000,000 characters"),
    "halftool": ("failed", "Model bad stream: 3 answers in a row held broken calls"),
    "halftool_len": ("failed", "Model bad stream: 3 answers in a row held broken calls"),
    "verbose": ("limit", "The answer reached its length limit."),
    "noid": ("limit", "The run reached its limit of 3 turns; it used"),
    "dupidx": ("limit", "The run reached its limit of 3 turns; it used"),
    "toolstorm": ("limit", "The model asked for 500 calls at once; at most 16 are allowed, so none was made."),
}


def has_ended_as(event: Event, outcome: str, reason: str) -> bool:
    """What a run used up at a limit is left out of account."""
    told = event.reason if isinstance(event, RunEnded) else ""
    cut = told[: len(reason)] if reason.endswith("it used") else told
    return isinstance(event, RunEnded) and (event.outcome, cut) == (outcome, reason)


def test_every_mood_of_the_endpoint_is_tried() -> None:
    assert ENDS.keys() | {"obedient", "429"} == MOODS.keys()


@pytest.mark.parametrize("mood", ENDS)
def test_how_a_run_ends(model_endpoint: ModelEndpoint, mood: str) -> None:
    ended = run(model_endpoint, mood)[-1]
    assert has_ended_as(ended, *ENDS[mood])


@pytest.mark.parametrize("mood", ["hangmid", "trunc", "rst", "badjson", "errmid"])
def test_what_arrived_of_a_broken_answer_is_kept(model_endpoint: ModelEndpoint, mood: str) -> None:
    text = "".join(piece.text for piece in of_kind(run(model_endpoint, mood), TextStreamed))
    assert text.startswith("hel")


def test_a_refusal_is_tried_three_times_and_the_named_time_is_waited(model_endpoint: ModelEndpoint) -> None:
    started = time.monotonic()
    events = run(model_endpoint, "429")
    assert [retry.wait >= 1.0 for retry in of_kind(events, ModelRetried)] == [True, True]
    assert time.monotonic() - started >= 2.0
    assert len(model_endpoint.requests) == 3


@pytest.mark.parametrize("mood", ["401", "400", "trunc", "badjson", "hangmid"])
def test_what_cannot_pass_is_asked_once(model_endpoint: ModelEndpoint, mood: str) -> None:
    run(model_endpoint, mood)
    assert len(model_endpoint.requests) == 1


@pytest.mark.parametrize("mood", ["401", "429long", "500"])
def test_no_key_is_told_not_even_one_that_the_endpoint_echoes(model_endpoint: ModelEndpoint, mood: str) -> None:
    told = repr(run(model_endpoint, mood))
    assert KEY not in told and ECHOED_KEY not in told
    assert model_endpoint.requests[0][1]["authorization"] == f"Bearer {KEY}"


@pytest.mark.parametrize("mood", ["halftool", "halftool_len", "noid", "toolstorm", "truncheld"])
def test_no_call_goes_out_that_was_not_whole(model_endpoint: ModelEndpoint, mood: str) -> None:
    tools = PlayedTools()
    events = run(model_endpoint, mood, tools)
    assert tools.calls == [] and not of_kind(events, CallSent)
    assert {call.outcome for call in of_kind(events, CallFinished)} <= {"refused"}


def test_two_calls_at_one_index_stay_two(model_endpoint: ModelEndpoint) -> None:
    made = of_kind(run(model_endpoint, "dupidx"), CallMade)
    assert [(call.call_id, call.tool) for call in made[:2]] == [("t1", "first"), ("t2", "second")]


def test_a_call_without_id_is_given_one(model_endpoint: ModelEndpoint) -> None:
    run(model_endpoint, "noid")
    _, _, body = model_endpoint.requests[1]
    assert body["messages"][2]["tool_calls"][0]["id"] == body["messages"][3]["tool_call_id"] == "call_1_1"


def test_a_text_in_single_bytes_arrives_whole(model_endpoint: ModelEndpoint) -> None:
    assert pieces(model_endpoint, "split") == [TextPiece("héllo 😀"), Finished("stop")]


def test_the_providers_figures_are_told_and_none_made_up(model_endpoint: ModelEndpoint) -> None:
    assert pieces(model_endpoint, "ok")[-1] == Finished("stop", 12, 2, 0)
    assert pieces(model_endpoint, "nodone")[-1] == Finished("stop")


@pytest.mark.parametrize("part", range(0, 10))
def test_a_stream_is_whole_if_and_only_if_its_terminal_frame_arrived(model_endpoint: ModelEndpoint, part: int) -> None:
    terminal = GOOD_STREAM.index(b'"finish_reason": "tool_calls"')
    end_of_frame = GOOD_STREAM.index(b"\n\n", terminal) + 2
    for size in range(part * 100, len(GOOD_STREAM), 1_000):
        try:
            pieces(model_endpoint, f"cut-{size}")
            came_whole = True
        except ModelFailed as failure:
            assert failure.kind in ("truncated", "bad stream")
            came_whole = False
        assert came_whole == (size >= end_of_frame)


def test_cancelling_a_silent_model_takes_no_second(model_endpoint: ModelEndpoint) -> None:
    model = LiteLLMModel("openai/some-model", model_endpoint.url("hangmid"), KEY)
    arrived = asyncio.Event()

    async def listen() -> None:
        async for _ in model.stream([{"role": "user", "content": "Hi"}], []):
            arrived.set()

    assert asyncio.run(seconds_to_cancel(listen(), arrived)) < 1


def test_an_endpoint_that_is_not_there_is_unreachable() -> None:
    model = LiteLLMModel("openai/some-model", "http://127.0.0.1:9/v1", KEY)
    with pytest.raises(ModelFailed, match="cannot be reached") as failed:
        asyncio.run(anext(model.stream([{"role": "user", "content": "Hi"}], [])))
    assert failed.value.kind == "unreachable"


def test_runs_of_a_good_model_go_on_beside_every_faulty_one(model_endpoint: ModelEndpoint) -> None:
    """All moods at once, in one process; each run ends as it does alone."""

    async def one(mood: str) -> tuple[str, Event]:
        mode = Mcpagent(POOL, WordEngine(POOL))
        model = model_in(model_endpoint, mood, silence=4.0)
        run = run_agent(mode, model, PlayedTools(), "Do it", catalog="c", engine="e", limits=LIMITS)
        async with aclosing(run) as events:
            return mood, [event async for event in events][-1]

    async def all_at_once() -> list[tuple[str, Event]]:
        return await asyncio.gather(*(one(mood) for mood in (*ENDS, "obedient", "ok", "obedient")))

    for mood, ended in asyncio.run(all_at_once()):
        outcome, reason = ENDS.get(mood, ("completed", ""))
        assert has_ended_as(ended, outcome, reason.replace("0.5 seconds", "4 seconds")), (mood, ended)
