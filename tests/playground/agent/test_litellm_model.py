"""The LiteLLM adapter when all goes well: providers, names on the wire, the demo model, and where requests go out."""

import asyncio
import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import aclosing
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest

from catalog.outbound import http_transport
from catalog.search import ENGINES
from catalog.search.engine import Corpus
from catalog.tools import ToolSpec
from playground.agent.chat_model import CallPiece, Finished, ModelFailed, Piece, TextPiece
from playground.agent.events import CallMade, CallSent, ModelAnswered, RunEnded
from playground.agent.litellm_model import OVER_HTTP, OVER_SDK, LiteLLMModel, longest_answer
from playground.agent.loop import run_agent
from playground.agent.wire_names import wire_name
from playground.modes.mcpagent import Mcpagent
from tests.model_endpoint import ModelEndpoint
from tests.playground.agent.doubles import PlayedTools, collect, of_kind
from tests.playground.agent.office import office_pool, play

HELLO = [{"role": "user", "content": "Hello"}]
TASK = "Search flights from Berlin to Madrid on 2027-01-18."
DOTTED = "cluster.pods.list"


class Recording(httpx.AsyncBaseTransport):
    """Answers every request with 401, and keeps it."""

    def __init__(self) -> None:
        self.requests: list[httpx.Request] = []

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(request)
        return httpx.Response(401, json={"error": {"message": "no"}}, request=request)


def ask(
    model: LiteLLMModel, messages: Sequence[Mapping[str, Any]], tools: Sequence[Mapping[str, Any]] = ()
) -> list[Piece]:
    async def drain() -> list[Piece]:
        async with aclosing(model.stream(messages, tools)) as stream:
            return [piece async for piece in stream]

    return asyncio.run(drain())


@pytest.mark.parametrize("provider", sorted(OVER_SDK | OVER_HTTP))
def test_every_provider_goes_out_as_it_is_told_and_with_no_key_of_the_environment(
    provider: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("OPENAI_API_KEY", f"{provider.upper()}_API_KEY"):
        monkeypatch.setenv(name, "sk-of-the-operator")
    gate = Recording()
    model = LiteLLMModel(f"{provider}/some-model", "http://model.example/v1", open_transport=lambda: gate)
    with pytest.raises(ModelFailed, match="refused the key"):
        ask(model, HELLO, [ToolSpec("ping", "Ping.").as_function()])
    assert {request.url.host for request in gate.requests} == {"model.example"}
    assert "sk-of-the-operator" not in " ".join(f"{request.url} {request.headers.raw}" for request in gate.requests)


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("openai/gpt-5-mini", "max_completion_tokens"),
        ("openai/gpt-5.4", "max_output_tokens"),
        ("openai/a-model-of-ones-own", "max_tokens"),
        ("anthropic/claude-sonnet-4-5", "max_tokens"),
        ("mistral/mistral-large-latest", "max_tokens"),
    ],
)
def test_a_provider_is_told_how_long_its_answer_may_be(name: str, told: str) -> None:
    gate = Recording()
    model = LiteLLMModel(name, "http://model.example/v1", open_transport=lambda: gate)

    async def drain() -> None:
        async with aclosing(model.stream(HELLO, [], most_tokens=1_234)) as stream:
            async for _ in stream:
                pass

    with pytest.raises(ModelFailed, match="refused the key"):
        asyncio.run(drain())
    assert json.loads(gate.requests[0].content)[told] == 1_234


def test_the_longest_answer_is_that_of_the_price_table() -> None:
    assert longest_answer("openai/gpt-4o-mini", "") == 16_384
    assert longest_answer("openai/gpt-4o-mini", "http://model.example/v1") is None
    assert longest_answer("openai/a-model-of-ones-own", "") is None


def test_an_unknown_provider_is_rejected_before_anything_goes_out() -> None:
    gate = Recording()
    with pytest.raises(ModelFailed, match="no provider 'cohere_chat' is known"):
        ask(LiteLLMModel("cohere_chat/some-model", open_transport=lambda: gate), HELLO)
    assert gate.requests == []


def test_the_products_gate_keeps_requests_from_private_addresses(model_endpoint: ModelEndpoint) -> None:
    with pytest.raises(ModelFailed, match=r"cannot be reached: 127\.0\.0\.1") as failed:
        ask(LiteLLMModel("openai/some-model", model_endpoint.url("ok"), open_transport=http_transport), HELLO)
    assert failed.value.kind == "unreachable"
    assert model_endpoint.requests == []


def test_the_products_gate_lets_through_what_it_may(model_endpoint: ModelEndpoint) -> None:
    gate = partial(http_transport, allow_private=True)
    model = LiteLLMModel("openai/some-model", model_endpoint.url("ok"), open_transport=gate)
    assert ask(model, HELLO)[-1] == Finished("stop", 12, 2, 0)


def test_names_that_providers_refuse_are_replaced_on_the_wire_only(model_endpoint: ModelEndpoint) -> None:
    spec = ToolSpec(DOTTED, "List pods.", {"type": "object", "properties": {}})
    model = LiteLLMModel("openai/some-model", model_endpoint.url())
    messages = [{"role": "user", "content": "List the pods"}]
    call = next(piece for piece in ask(model, messages, [spec.as_function()]) if isinstance(piece, CallPiece))
    assert call.name == DOTTED
    assert model_endpoint.requests[0][2]["tools"][0]["function"]["name"] == wire_name(DOTTED)


@pytest.mark.parametrize("name", ["get_weather", "a-b_C9", "x" * 64])
def test_a_name_that_will_do_stays(name: str) -> None:
    assert wire_name(name) == name


@pytest.mark.parametrize("name", ["a.b", "a/b", "天气", "x" * 65, "a b"])
def test_any_other_name_becomes_one_that_will_do(name: str) -> None:
    assert 0 < len(wire_name(name)) <= 64
    assert wire_name(name).replace("_", "").replace("-", "").isalnum() and wire_name(name).isascii()


def test_like_names_stay_apart_on_the_wire() -> None:
    assert len({wire_name(name) for name in ("a.b", "a/b", "a b", "a_b")}) == 4


def test_the_demo_model_streams_words_and_calls_in_pieces() -> None:
    tools = [ToolSpec("get_forecast", "Weather forecast for a city.", {"type": "object", "properties": {"city": {}}})]
    pieces = ask(
        LiteLLMModel("demo/scripted"), [{"role": "user", "content": "Forecast for Oslo?"}], [tools[0].as_function()]
    )
    texts = [piece.text for piece in pieces if isinstance(piece, TextPiece)]
    assert len(texts) > 3 and "".join(texts).startswith("Step 1 of 1")
    assert len([piece for piece in pieces if isinstance(piece, CallPiece)]) == 2
    end = pieces[-1]
    assert isinstance(end, Finished) and end.reason == "tool_calls" and end.prompt_tokens


def test_the_demo_model_says_that_it_is_scripted() -> None:
    assert LiteLLMModel("demo/scripted").scripted
    assert not LiteLLMModel("openai/gpt-5").scripted


@pytest.mark.parametrize("over_http", [False, True], ids=["demo provider", "over HTTP"])
def test_a_whole_run_through_litellm(model_endpoint: ModelEndpoint, tmp_path: Path, over_http: bool) -> None:
    pool = office_pool()
    mode = Mcpagent(pool, ENGINES["mcpagent"](Corpus(pool.searchable, tmp_path)))
    model = LiteLLMModel("openai/some-model", model_endpoint.url()) if over_http else LiteLLMModel("demo/scripted")
    events = collect(run_agent(mode, model, PlayedTools(play), TASK, catalog="office-agent", engine="mcpagent"))
    assert [call.tool for call in of_kind(events, CallMade)] == ["search_tools", "add_tool", "travel__search_flights"]
    assert of_kind(events, CallSent)[0].server == "travel"
    assert all(answer.prompt_tokens for answer in of_kind(events, ModelAnswered))
    assert events[-1] == RunEnded("completed")


def test_neither_the_loop_nor_the_adapter_imports_litellm_before_a_model_is_asked() -> None:
    code = (
        "import sys, playground.agent.loop, playground.agent.litellm_model, catalog.prompt_size as size;"
        "from catalog.tools import ToolSpec; size.estimate_tool(ToolSpec('a'));"
        "print('litellm' in sys.modules, 'openai' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout.strip() == "False False"
