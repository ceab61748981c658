"""Tools handed over hidden: what providers are sent, what they say of their own searches, and the demo provider's."""

import asyncio
import json
from collections.abc import Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import pytest

from catalog.search import ENGINES
from catalog.search.engine import Corpus
from catalog.tools import ToolSpec
from playground.agent.anthropic_search import SEARCH_TOOL, SearchBlocks
from playground.agent.chat_model import CallPiece, Finished, ModelFailed, Piece, TextPiece
from playground.agent.events import CallMade, ModelAnswered, OfferMade, RunEnded, SearchAnswered, ToolsLoaded
from playground.agent.litellm_model import LiteLLMModel
from playground.agent.loop import run_agent
from playground.agent.wire_names import wire_name
from playground.modes.eino import DEFAULTS, TOOL_SEARCH
from playground.modes.eino_native import EinoNative
from playground.modes.protocol import Session
from playground.transcript import ProviderSearch
from tests.conformance.recorded import NO_INDEX
from tests.model_endpoint import ModelEndpoint
from tests.playground.agent.doubles import PlayedTools, collect, of_kind, unpriced
from tests.playground.agent.office import office_pool, play

DOTTED = "weather.get"
FLIGHTS = "Search flights from Berlin to Madrid on 2027-01-18."
ASK = ToolSpec("ask_user", "Ask the person.")
WEATHER = ToolSpec(
    DOTTED, "Weather of a city.", {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
)
MAIL = ToolSpec("send_mail", "Send an email.")
QUESTION = [{"role": "user", "content": "Weather in Oslo?"}]
SEARCH = ProviderSearch("srvtoolu_01", "weather", (DOTTED,))
ANSWER: list[dict[str, Any]] = [
    {
        "type": "message_start",
        "message": {
            "id": "msg_1",
            "type": "message",
            "role": "assistant",
            "model": "claude-sonnet-4-5",
            "content": [],
            "usage": {"input_tokens": 9, "output_tokens": 1},
        },
    },
    {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
    {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "I look for a tool."}},
    {"type": "content_block_stop", "index": 0},
    {
        "type": "content_block_start",
        "index": 1,
        "content_block": {
            "type": "server_tool_use",
            "id": "srvtoolu_01",
            "name": "tool_search_tool_bm25",
            "input": {},
        },
    },
    {
        "type": "content_block_delta",
        "index": 1,
        "delta": {"type": "input_json_delta", "partial_json": '{"query": "wea'},
    },
    {"type": "content_block_delta", "index": 1, "delta": {"type": "input_json_delta", "partial_json": 'ther"}'}},
    {"type": "content_block_stop", "index": 1},
    {
        "type": "content_block_start",
        "index": 2,
        "content_block": {
            "type": "tool_search_tool_result",
            "tool_use_id": "srvtoolu_01",
            "content": {
                "type": "tool_search_tool_search_result",
                "tool_references": [{"type": "tool_reference", "tool_name": wire_name(DOTTED)}],
            },
        },
    },
    {"type": "content_block_stop", "index": 2},
    {
        "type": "content_block_start",
        "index": 3,
        "content_block": {"type": "tool_use", "id": "toolu_01", "name": wire_name(DOTTED), "input": {}},
    },
    {
        "type": "content_block_delta",
        "index": 3,
        "delta": {"type": "input_json_delta", "partial_json": '{"city": "Oslo"}'},
    },
    {"type": "content_block_stop", "index": 3},
    {
        "type": "message_delta",
        "delta": {"stop_reason": "tool_use"},
        "usage": {"output_tokens": 30, "server_tool_use": {"tool_search_requests": 1}},
    },
    {"type": "message_stop"},
]


@dataclass
class Anthropic(httpx.AsyncBaseTransport):
    """Answers every request with these frames, unless others are planned first; keeps the requests."""

    frames: Sequence[dict[str, Any]]
    first: list[Sequence[dict[str, Any]]] = field(default_factory=list)
    asked: list[httpx.Request] = field(default_factory=list)

    @property
    def body(self) -> Any:
        return json.loads(self.asked[-1].content)

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        self.asked.append(request)
        frames = self.first.pop(0) if self.first else self.frames
        raw = b"".join(f"event: {frame['type']}\ndata: {json.dumps(frame)}\n\n".encode() for frame in frames)
        return httpx.Response(200, content=raw, request=request)


def ask(
    gate: httpx.AsyncBaseTransport,
    messages: Sequence[Any] = QUESTION,
    handed: Sequence[ToolSpec] = (WEATHER, MAIL),
    model: str = "anthropic/claude-sonnet-4-5",
) -> list[Piece]:
    async def drain() -> list[Piece]:
        asked = LiteLLMModel(model, api_key="a-secret-key", open_transport=lambda: gate)
        hidden = [tool.as_function() for tool in handed]
        async with aclosing(asked.stream(messages, [ASK.as_function()], hidden)) as stream:
            return [piece async for piece in stream]

    return asyncio.run(drain())


def test_anthropic_is_sent_its_search_tool_and_each_handed_tool_as_deferred() -> None:
    gate = Anthropic(ANSWER)
    ask(gate)
    assert gate.body["tools"] == [
        {
            "type": "custom",
            "name": "ask_user",
            "description": "Ask the person.",
            "input_schema": {"type": "object", "properties": {}},
        },
        {"type": "tool_search_tool_bm25_20251119", "name": "tool_search_tool_bm25"},
        {
            "type": "custom",
            "name": wire_name(DOTTED),
            "description": "Weather of a city.",
            "input_schema": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
            "defer_loading": True,
        },
        {
            "type": "custom",
            "name": "send_mail",
            "description": "Send an email.",
            "input_schema": {"type": "object", "properties": {}},
            "defer_loading": True,
        },
    ]
    assert gate.asked[0].headers["anthropic-beta"] == "advanced-tool-use-2025-11-20"


def test_without_handed_tools_nothing_of_a_search_is_sent() -> None:
    gate = Anthropic(ANSWER)
    ask(gate, handed=())
    assert [tool["name"] for tool in gate.body["tools"]] == ["ask_user"]


def test_what_the_provider_loaded_is_told_and_its_search_is_no_call_for_us() -> None:
    pieces = ask(Anthropic(ANSWER))
    assert [piece for piece in pieces if isinstance(piece, ProviderSearch)] == [SEARCH]
    assert {piece.name for piece in pieces if isinstance(piece, CallPiece)} <= {DOTTED, ""}
    arguments = "".join(piece.arguments for piece in pieces if isinstance(piece, CallPiece))
    assert (arguments, pieces[0]) == ('{"city": "Oslo"}', TextPiece("I look for a tool."))
    assert unpriced(pieces[-1]) == Finished("tool_calls", 9, 30, 0)


def test_an_earlier_search_goes_back_as_the_blocks_that_it_was() -> None:
    gate = Anthropic(ANSWER)
    call = {"id": "toolu_01", "type": "function", "function": {"name": DOTTED, "arguments": '{"city": "Oslo"}'}}
    search = {"id": "srvtoolu_01", "query": "weather", "names": [DOTTED], "problem": ""}
    said = {"role": "assistant", "content": "I look for a tool.", "tool_calls": [call], "searches": [search]}
    ask(gate, [*QUESTION, said, {"role": "tool", "tool_call_id": "toolu_01", "content": "sunny"}])
    text, used, result, asked = gate.body["messages"][1]["content"]
    assert text == {"type": "text", "text": "I look for a tool."}
    assert used == {**ANSWER[4]["content_block"], "input": {"query": "weather"}}
    assert result == ANSWER[8]["content_block"]
    assert (asked["type"], asked["name"]) == ("tool_use", wire_name(DOTTED))


def test_a_search_that_failed_says_why_there_and_back() -> None:
    refused = {"type": "tool_search_tool_result_error", "error_code": "too_many_requests"}
    block = {"type": "tool_search_tool_result", "tool_use_id": "srvtoolu_01", "content": refused}
    frames = [*ANSWER[:8], {**ANSWER[8], "content_block": block}, *ANSWER[9:]]
    searches = [piece for piece in ask(Anthropic(frames)) if isinstance(piece, ProviderSearch)]
    assert searches == [ProviderSearch("srvtoolu_01", "weather", (), "too_many_requests")]
    gate = Anthropic(ANSWER)
    told = {"id": "srvtoolu_01", "query": "weather", "names": [], "problem": "too_many_requests"}
    ask(gate, [*QUESTION, {"role": "assistant", "content": None, "searches": [told]}, *QUESTION])
    assert gate.body["messages"][1]["content"][1] == block


@pytest.mark.parametrize(
    "content",
    [{}, {"tool_references": None}, {"tool_references": ["x", {"tool_name": 5}]}],
    ids=["empty", "none", "strange"],
)
def test_a_strange_answer_of_a_search_names_nothing(content: dict[str, Any]) -> None:
    blocks = SearchBlocks()
    blocks.take({"content_block": {"type": "tool_search_tool_result", "tool_use_id": "s", "content": content}})
    assert blocks.found == [ProviderSearch("s", "")]


@pytest.mark.parametrize(
    ("model", "searches"),
    [
        ("anthropic/claude-sonnet-4-5", True),
        ("anthropic/claude-opus-4-5-20251101", True),
        ("anthropic/claude-sonnet-5", True),
        ("anthropic/claude-opus-4-20250514", False),
        ("anthropic/claude-3-5-sonnet-20241022", False),
        ("anthropic/claude-instant-1.2", False),
        ("openai/gpt-5.3", False),
        ("ollama_chat/llama3", False),
        ("demo/scripted", True),
    ],
)
def test_which_models_have_a_search_of_their_own(model: str, searches: bool) -> None:
    assert LiteLLMModel(model).most_handed == (10_000 if searches else 0)


class Refusing(Anthropic):
    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        self.asked.append(request)
        return httpx.Response(401, json={"error": {"message": "no"}}, request=request)


def test_a_model_that_litellm_would_send_elsewhere_goes_out_over_the_gate() -> None:
    gate = Refusing(())
    with pytest.raises(ModelFailed, match="refused the key"):
        ask(gate, handed=(), model="openai/gpt-5.3-codex")
    assert [request.url.host for request in gate.asked] == ["api.openai.com"]
    assert gate.body["tools"] == [ASK.as_function()]


@pytest.mark.parametrize("task", [FLIGHTS, "提交一笔报销 200 元"])
def test_the_demo_provider_searches_what_it_is_handed_and_calls_what_it_loaded(task: str) -> None:
    pool = office_pool()
    model = LiteLLMModel("demo/scripted")
    engine = ENGINES["eino-keyword"](Corpus(pool.searchable, NO_INDEX))
    mode = EinoNative(pool, engine, DEFAULTS, Session(most_handed=model.most_handed))
    events = collect(run_agent(mode, model, PlayedTools(play), task, catalog="office-agent", engine="eino-keyword"))
    first, second = of_kind(events, OfferMade)
    (found,) = of_kind(events, SearchAnswered)
    (loaded,) = of_kind(events, ToolsLoaded)
    real = [call.tool for call in of_kind(events, CallMade) if not call.meta]
    assert (first.path, first.handed) == ("provider", len(pool.deferred))
    assert (found.engine, tuple(hit.name for hit in found.hits)) == ("provider’s search", loaded.names)
    assert set(real) <= set(loaded.names) and len(real) == 1
    assert second.added == loaded.names and second.prefix_kept
    assert {tool.call_id for tool in second.tools if tool.cause == "loaded"} == {loaded.call_id}
    assert all(answer.prompt_tokens for answer in of_kind(events, ModelAnswered))
    assert events[-1] == RunEnded("completed")


def test_an_openai_endpoint_is_sent_tool_search_and_what_it_found_and_nothing_deferred(
    model_endpoint: ModelEndpoint, tmp_path: Path
) -> None:
    pool = office_pool()
    model = LiteLLMModel("openai/some-model", model_endpoint.url())
    engine = ENGINES["eino-keyword"](Corpus(pool.searchable, tmp_path))
    mode = EinoNative(pool, engine, DEFAULTS, Session(most_handed=model.most_handed))
    events = collect(run_agent(mode, model, PlayedTools(play), FLIGHTS, catalog="office-agent", engine="eino-keyword"))
    (loaded,) = of_kind(events, ToolsLoaded)
    first, second, _ = (body for _, _, body in model_endpoint.requests)
    given = [tool.as_function() for tool in (*pool.upfront, TOOL_SEARCH)]
    found = [pool.by_name[name].as_function() for name in loaded.names]
    assert first["tools"] == given
    assert second["tools"] == [*given, *found]
    answer = json.loads(second["messages"][-1]["content"])
    assert answer == {"type": "tool_search_result", "tools": [tool["function"] for tool in found]}
    assert {offer.path for offer in of_kind(events, OfferMade)} == {"client"}
    assert events[-1] == RunEnded("completed")


PAUSE = {"type": "message_delta", "delta": {"stop_reason": "pause_turn"}, "usage": {"output_tokens": 12}}
PAUSED = [*ANSWER[:8], PAUSE, ANSWER[-1]]
"""Ends amid its search."""
REST = [ANSWER[0], *({**frame, "index": frame["index"] - 2} for frame in ANSWER[8:13]), *ANSWER[13:]]
"""Begins with what the search found."""


def test_a_paused_answer_is_gone_on_with_by_sending_back_what_it_said() -> None:
    gate = Anthropic(REST, [PAUSED])
    pieces = ask(gate)
    paused, resumed = (json.loads(request.content) for request in gate.asked)
    text, used = {"type": "text", "text": "I look for a tool."}, ANSWER[4]["content_block"]
    said = {"role": "assistant", "content": [text, {**used, "input": {"query": "weather"}}]}
    assert resumed["messages"] == [*paused["messages"], said]
    assert resumed["tools"] == paused["tools"]
    assert "".join(piece.text for piece in pieces if isinstance(piece, TextPiece)) == "I look for a tool."
    assert [piece for piece in pieces if isinstance(piece, ProviderSearch)] == [SEARCH]
    assert "".join(piece.arguments for piece in pieces if isinstance(piece, CallPiece)) == '{"city": "Oslo"}'
    assert unpriced(pieces[-1]) == Finished("tool_calls", 9 + 9, 12 + 30, 0)


def test_an_answer_that_pauses_for_ever_is_given_up() -> None:
    gate = Anthropic(PAUSED)
    with pytest.raises(ModelFailed, match="paused its answer 9 times"):
        ask(gate)
    assert len(gate.asked) == 9
    assert len(gate.body["messages"][1]["content"]) == 8 * 2


def test_an_answer_that_breaks_off_after_a_pause_fails() -> None:
    gate = Anthropic(REST[:-1], [PAUSED])
    with pytest.raises(ModelFailed, match="the connection ended before the answer did"):
        ask(gate)


def test_a_search_of_another_provider_is_not_sent_to_anthropic() -> None:
    gate = Anthropic(ANSWER)
    search = {"id": "tsc_1", "query": "weather", "names": [DOTTED], "problem": "", "arguments": ""}
    ask(gate, [*QUESTION, {"role": "assistant", "content": "I look.", "searches": [search]}, *QUESTION])
    assert gate.body["messages"][1]["content"] == [{"type": "text", "text": "I look."}]


def test_the_search_tool_is_never_deferred() -> None:
    assert "defer_loading" not in SEARCH_TOOL
