"""OpenAI's tool search over the Responses API: what is sent, what is read, and where it goes, over real HTTP."""

import asyncio
import json
from collections.abc import Iterable, Sequence
from contextlib import aclosing
from functools import partial
from typing import Any

import httpx
import pytest

from catalog.outbound import http_transport
from catalog.search import ENGINES
from catalog.search.engine import Corpus
from catalog.tools import ToolPool, ToolSpec
from playground.agent.chat_model import CallPiece, Finished, ModelFailed, Piece, TextPiece
from playground.agent.events import CallMade, ModelAnswered, OfferMade, RunEnded, SearchAnswered, ToolsLoaded
from playground.agent.litellm_model import LiteLLMModel
from playground.agent.loop import run_agent
from playground.agent.openai_search import SearchParts
from playground.agent.wire_names import wire_name
from playground.modes.eino import DEFAULTS, TOOL_SEARCH
from playground.modes.eino_native import EinoNative, EinoNativeClient
from playground.modes.protocol import Session
from playground.transcript import ProviderSearch
from tests.conformance.recorded import NO_INDEX
from tests.model_endpoint import ECHOED_KEY, ModelEndpoint, patience_with
from tests.playground.agent.doubles import PlayedTools, collect, of_kind, seconds_to_cancel, unpriced
from tests.playground.agent.office import office_pool, play
from tests.responses_endpoint import GOOD_RESPONSE

MODEL = "openai/gpt-5.4"
KEY = "sk-mine0123456789abcdefgh"
FLIGHTS = "Search flights from Berlin to Madrid on 2027-01-18."
HELLO = [{"role": "user", "content": "Hello"}]
CITY = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
ASK = ToolSpec("ask_user", "Ask the person.")
WEATHER = ToolSpec("weather.get", "Weather of a city.", CITY, server="weather")
FORECAST = ToolSpec("get_forecast", "Weather of the next days.", CITY, server="weather")
MAIL = ToolSpec("send_mail", "Send an email.")
HANDED = (WEATHER, FORECAST, MAIL)
DOTTED = wire_name(WEATHER.name)

FUNCTION_OF_WEATHER = {
    "type": "function",
    "name": DOTTED,
    "description": "Weather of a city.",
    "parameters": CITY,
    "strict": False,
    "defer_loading": True,
}
FUNCTION_OF_FORECAST = {**FUNCTION_OF_WEATHER, "name": "get_forecast", "description": "Weather of the next days."}
NAMESPACE = {
    "type": "namespace",
    "name": "weather",
    "description": f"Tools of weather: {DOTTED}, get_forecast",
    "tools": [FUNCTION_OF_WEATHER, FUNCTION_OF_FORECAST],
}
FUNCTION_OF_MAIL = {
    "type": "function",
    "name": "send_mail",
    "description": "Send an email.",
    "parameters": {"type": "object", "properties": {}},
    "strict": False,
    "defer_loading": True,
}


def as_handed(tools: Iterable[ToolSpec]) -> list[dict[str, Any]]:
    return [{**tool.as_function(), "server": tool.server} for tool in tools]


def ask(model: LiteLLMModel, messages: Sequence[Any] = HELLO, handed: Sequence[ToolSpec] = HANDED) -> list[Piece]:
    async def drain() -> list[Piece]:
        async with aclosing(model.stream(messages, [ASK.as_function()], as_handed(handed))) as stream:
            return [piece async for piece in stream]

    return asyncio.run(drain())


def model_in(endpoint: ModelEndpoint, mood: str) -> LiteLLMModel:
    return LiteLLMModel(MODEL, endpoint.url(mood), KEY, patience_with(mood))


def test_it_is_sent_the_search_and_the_tools_of_a_server_as_a_namespace(model_endpoint: ModelEndpoint) -> None:
    ask(model_in(model_endpoint, "ok"))
    _, headers, body = model_endpoint.requests[0]
    assert body == {
        "model": "gpt-5.4",
        "input": HELLO,
        "tools": [
            {
                "type": "function",
                "name": "ask_user",
                "description": "Ask the person.",
                "parameters": {"type": "object", "properties": {}},
                "strict": False,
            },
            {"type": "tool_search"},
            NAMESPACE,
            FUNCTION_OF_MAIL,
        ],
        "store": False,
        "stream": True,
    }
    assert headers["authorization"] == f"Bearer {KEY}"


def test_without_handed_tools_nothing_of_a_search_is_sent(model_endpoint: ModelEndpoint) -> None:
    ask(model_in(model_endpoint, "ok"), handed=())
    assert [tool["name"] for tool in model_endpoint.requests[0][2]["tools"]] == ["ask_user"]


def test_an_earlier_search_and_its_calls_go_back_as_the_parts_that_they_were(model_endpoint: ModelEndpoint) -> None:
    call = {"id": "call_2", "type": "function", "function": {"name": WEATHER.name, "arguments": '{"city": "Oslo"}'}}
    search = {
        "id": "tsc_0",
        "query": "weather",
        "names": [WEATHER.name, "gone"],
        "problem": "",
        "arguments": '{"paths": ["weather"]}',
    }
    said = {"role": "assistant", "content": "I look it up.", "tool_calls": [call], "searches": [search]}
    ask(model_in(model_endpoint, "ok"), [*HELLO, said, {"role": "tool", "tool_call_id": "call_2", "content": "sunny"}])
    made = {"execution": "server", "call_id": None, "status": "completed"}
    assert model_endpoint.requests[0][2]["input"] == [
        *HELLO,
        {"type": "tool_search_call", **made, "arguments": {"paths": ["weather"]}},
        {"type": "tool_search_output", **made, "tools": [{**NAMESPACE, "tools": [FUNCTION_OF_WEATHER]}]},
        {"role": "assistant", "content": "I look it up."},
        {
            "type": "function_call",
            "call_id": "call_2",
            "name": DOTTED,
            "arguments": '{"city": "Oslo"}',
            "namespace": "weather",
        },
        {"type": "function_call_output", "call_id": "call_2", "output": "sunny"},
    ]


def test_a_call_of_a_function_that_stands_alone_names_itself_as_its_namespace(model_endpoint: ModelEndpoint) -> None:
    call = {"id": "call_2", "type": "function", "function": {"name": "send_mail", "arguments": "{}"}}
    ask(model_in(model_endpoint, "ok"), [*HELLO, {"role": "assistant", "content": None, "tool_calls": [call]}])
    assert model_endpoint.requests[0][2]["input"][1]["namespace"] == "send_mail"


def test_a_search_of_another_provider_goes_back_by_what_it_loaded(model_endpoint: ModelEndpoint) -> None:
    search = {"id": "srvtoolu_1", "query": "mail", "names": ["send_mail"], "problem": "", "arguments": ""}
    ask(model_in(model_endpoint, "ok"), [*HELLO, {"role": "assistant", "content": None, "searches": [search]}])
    _, asked, told = model_endpoint.requests[0][2]["input"]
    assert asked["arguments"] == {"paths": ["send_mail"]}
    assert told["tools"] == [FUNCTION_OF_MAIL]


def test_text_searches_and_calls_are_read_as_pieces(model_endpoint: ModelEndpoint) -> None:
    pieces = ask(model_in(model_endpoint, f"cut-{len(GOOD_RESPONSE)}"))
    texts = [piece.text for piece in pieces if isinstance(piece, TextPiece)]
    calls = [piece for piece in pieces if isinstance(piece, CallPiece)]
    searches = [piece for piece in pieces if isinstance(piece, ProviderSearch)]
    assert len(texts) > 3 and "".join(texts) == "All is well. " * 12
    assert (calls[0].id, calls[0].name) == ("call_3", "get_forecast")
    assert "".join(call.arguments for call in calls) == '{"city": "Oslo"}' and len(calls) == 3
    asked = json.dumps({"paths": ["get_forecast"], "query": "weather forecast"})
    assert searches == [ProviderSearch("tsc_0", "weather forecast", ("get_forecast",), "", asked)]
    assert unpriced(pieces[-1]) == Finished("tool_calls", 120, 8, 64)


def test_arguments_that_come_only_with_the_end_of_a_call_are_read(model_endpoint: ModelEndpoint) -> None:
    pieces = ask(model_in(model_endpoint, "silent-arguments"))
    assert [piece.arguments for piece in pieces if isinstance(piece, CallPiece)] == ["", '{"city": "Oslo"}']


def test_figures_are_told_only_where_the_provider_gave_them(model_endpoint: ModelEndpoint) -> None:
    assert unpriced(ask(model_in(model_endpoint, "nousage"))[-1]) == Finished("stop")
    assert unpriced(ask(model_in(model_endpoint, "ok"))[-1]) == Finished("stop", 120, 8, 64)


@pytest.mark.parametrize(
    ("frames", "expected"),
    [
        ([{"paths": ["crm", "mail"]}], "crm, mail"),
        ([{"paths": ["crm"], "query": "open orders"}], "open orders"),
        (["not what is documented"], ""),
        ([None], ""),
    ],
)
def test_what_was_looked_for_is_told_in_words(frames: list[Any], expected: str) -> None:
    assert found_with(frames[0], {"tools": []}) == [(expected, (), "")]


@pytest.mark.parametrize(
    ("told", "names", "problem"),
    [
        ({"tools": [{"type": "namespace", "name": "crm", "tools": [{"name": "a"}, {"name": "b"}]}]}, ("a", "b"), ""),
        ({"tools": [{"type": "function", "name": "a"}, "strange", {"name": 5}]}, ("a",), ""),
        ({"tools": None}, (), ""),
        ({"tools": [], "status": "incomplete"}, (), "incomplete"),
    ],
)
def test_what_a_search_loaded_is_read_whatever_its_form(
    told: dict[str, Any], names: tuple[str, ...], problem: str
) -> None:
    assert found_with({}, told) == [("", names, problem)]


def found_with(arguments: Any, told: dict[str, Any]) -> list[tuple[str, tuple[str, ...], str]]:
    parts = SearchParts()
    for part in ({"type": "tool_search_call", "arguments": arguments}, {"type": "tool_search_output", **told}):
        parts.take({"type": "response.output_item.done", "item": part})
    return [(search.query, search.names, search.problem) for search in parts.found]


@pytest.mark.parametrize(
    ("model", "searches"),
    [
        ("openai/gpt-5.4", True),
        ("openai/gpt-5.4-mini-2026-03-17", True),
        ("openai/gpt-5.10", True),
        ("openai/gpt-6-astra", True),
        ("openai/gpt-5", False),
        ("openai/gpt-5.3-codex", False),
        ("openai/gpt-4.1", False),
        ("openai/gpt-35-turbo", False),
        ("openrouter/gpt-5.4", False),
    ],
)
def test_which_models_have_a_search_of_their_own(model: str, searches: bool) -> None:
    assert LiteLLMModel(model).most_handed == (1_000 if searches else 0)


ENDS = {
    "failed": ("bad stream", "the endpoint sent an error amid the answer: the model broke"),
    "errmid": ("bad stream", "the endpoint sent an error amid the answer: overloaded"),
    "badjson": ("bad stream", "the endpoint sent a frame that is not JSON"),
    "trunc": ("truncated", "the connection ended before the answer did"),
    "html": ("truncated", "the endpoint sent text/html where an answer was due"),
    "rst": ("truncated", "the connection ended before the answer did"),
    "hang": ("timeout", "nothing arrived for 0.5 seconds"),
    "hangmid": ("timeout", "nothing arrived for 0.5 seconds"),
    "400": ("rejected", "the endpoint answered 400: no ••••"),
    "401": ("rejected", "the endpoint refused the key (401): no ••••"),
    "503": ("refused", "the endpoint answered 503: no ••••"),
}


@pytest.mark.parametrize("mood", ENDS)
def test_an_answer_that_does_not_come_whole_fails(model_endpoint: ModelEndpoint, mood: str) -> None:
    with pytest.raises(ModelFailed) as failed:
        ask(model_in(model_endpoint, mood))
    assert (failed.value.kind, str(failed.value)) == ENDS[mood]
    assert len(model_endpoint.requests) == 1
    assert ECHOED_KEY not in str(failed.value)


@pytest.mark.parametrize(("mood", "reason"), [("length", "length"), ("filter", "content_filter")])
def test_an_answer_that_its_provider_ends_early_says_why(model_endpoint: ModelEndpoint, mood: str, reason: str) -> None:
    assert unpriced(ask(model_in(model_endpoint, mood))[-1]) == Finished(reason, 120, 8, 64)


@pytest.mark.parametrize("part", range(0, 10))
def test_an_answer_is_whole_if_and_only_if_its_last_event_arrived(model_endpoint: ModelEndpoint, part: int) -> None:
    terminal = GOOD_RESPONSE.index(b'"type": "response.completed"')
    end_of_frame = GOOD_RESPONSE.index(b"\n\n", terminal)
    for size in range(part * 100, len(GOOD_RESPONSE) + 1, 1_000):
        try:
            ask(model_in(model_endpoint, f"cut-{size}"))
            came_whole = True
        except ModelFailed as failure:
            assert failure.kind in ("truncated", "bad stream")
            came_whole = False
        assert came_whole == (size >= end_of_frame)


def test_cancelling_a_silent_model_takes_no_second(model_endpoint: ModelEndpoint) -> None:
    model = LiteLLMModel(MODEL, model_endpoint.url("hang"), KEY)
    began = asyncio.Event()

    async def listen() -> None:
        asyncio.get_running_loop().call_later(0.3, began.set)
        async for _ in model.stream(HELLO, []):
            pass

    assert asyncio.run(seconds_to_cancel(listen(), began)) < 1


class Gate(httpx.AsyncBaseTransport):
    """Answers with these bytes; keeps the requests."""

    def __init__(self, raw: bytes) -> None:
        self.raw, self.asked, self.closed = raw, list[httpx.Request](), 0

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        self.asked.append(request)
        return httpx.Response(200, headers={"content-type": "text/event-stream"}, content=self.raw, request=request)

    async def aclose(self) -> None:
        self.closed += 1


def test_every_byte_goes_over_the_transport_that_is_handed_in(monkeypatch: pytest.MonkeyPatch) -> None:
    """No socket is opened, and neither a key nor an address is taken from the environment."""

    def refuse(*_: Any, **__: Any) -> None:
        pytest.fail("a connection past the gate")

    monkeypatch.setattr("socket.socket.connect", refuse)
    monkeypatch.setattr("asyncio.base_events.BaseEventLoop.create_connection", refuse)
    for name, value in {"OPENAI_API_KEY": "sk-of-the-operator", "OPENAI_BASE_URL": "http://elsewhere.example"}.items():
        monkeypatch.setenv(name, value)
    gate = Gate(GOOD_RESPONSE)
    assert unpriced(ask(LiteLLMModel(MODEL, open_transport=lambda: gate))[-1]) == Finished("tool_calls", 120, 8, 64)
    assert [str(request.url) for request in gate.asked] == ["https://api.openai.com/v1/responses"]
    assert "sk-of-the-operator" not in str(gate.asked[0].headers.raw)
    assert gate.closed


def test_the_products_gate_keeps_requests_from_private_addresses(model_endpoint: ModelEndpoint) -> None:
    with pytest.raises(ModelFailed, match=r"cannot be reached: 127\.0\.0\.1"):
        ask(LiteLLMModel(MODEL, model_endpoint.url("ok"), open_transport=http_transport))
    assert model_endpoint.requests == []
    allowed = partial(http_transport, allow_private=True)
    assert unpriced(ask(LiteLLMModel(MODEL, model_endpoint.url("ok"), open_transport=allowed))[-1]) == Finished(
        "stop", 120, 8, 64
    )


def native(pool: ToolPool, model: LiteLLMModel) -> EinoNative:
    engine = ENGINES["eino-keyword"](Corpus(pool.searchable, NO_INDEX))
    return EinoNative(pool, engine, DEFAULTS, Session(most_handed=model.most_handed))


def test_a_whole_run_in_which_the_provider_searches(model_endpoint: ModelEndpoint) -> None:
    """The endpoint refuses what is not of the documented form, so that the run ends well only if all of it is."""
    pool, model = office_pool(), model_in(model_endpoint, "obedient")
    tools = PlayedTools(play)
    events = collect(
        run_agent(native(pool, model), model, tools, FLIGHTS, catalog="office-agent", engine="eino-keyword")
    )
    first, second = of_kind(events, OfferMade)
    (found,) = of_kind(events, SearchAnswered)
    (loaded,) = of_kind(events, ToolsLoaded)
    assert (first.path, first.handed) == ("provider", len(pool.deferred))
    assert (found.engine, tuple(hit.name for hit in found.hits)) == ("provider’s search", loaded.names)
    assert [call.tool for call in of_kind(events, CallMade) if not call.meta] == ["travel__search_flights"]
    assert second.added == loaded.names and second.prefix_kept
    assert [name for name, _ in tools.calls] == ["travel__search_flights"]
    assert all(answer.prompt_tokens == 120 for answer in of_kind(events, ModelAnswered))
    assert events[-1] == RunEnded("completed")
    kinds = [part.get("type", part.get("role")) for part in model_endpoint.requests[1][2]["input"]]
    assert kinds[-5:] == [
        "tool_search_call",
        "tool_search_output",
        "assistant",
        "function_call",
        "function_call_output",
    ]


def test_a_whole_run_in_which_the_client_searches(model_endpoint: ModelEndpoint) -> None:
    """What was loaded goes back in the answer of the search and is not among the tools: their list never changes."""
    pool, model = office_pool(), model_in(model_endpoint, "obedient")
    mode = EinoNativeClient(pool, ENGINES["eino-keyword"](Corpus(pool.searchable, NO_INDEX)))
    events = collect(run_agent(mode, model, PlayedTools(play), FLIGHTS, catalog="office-agent", engine="eino-keyword"))
    (loaded,) = of_kind(events, ToolsLoaded)
    assert [call.tool for call in of_kind(events, CallMade)] == ["tool_search", "travel__search_flights"]
    assert {offer.path for offer in of_kind(events, OfferMade)} == {"client"}
    assert events[-1] == RunEnded("completed")
    first, second, third = (body for _, _, body in model_endpoint.requests)
    search = {key: TOOL_SEARCH.as_function()["function"][key] for key in ("description", "parameters")}
    assert first["tools"][0] == {"type": "tool_search", "execution": "client", **search}
    assert [tool["name"] for tool in first["tools"][1:]] == list(pool.upfront_names)
    assert first["tools"] == second["tools"] == third["tools"]
    asked, told = second["input"][-2:]
    made = {"execution": "client", "call_id": asked["call_id"], "status": "completed"}
    assert asked == {"type": "tool_search_call", **made, "arguments": asked["arguments"]}
    assert {key: told[key] for key in made} == made
    definitions = [pool.by_name[name].as_function()["function"] for name in loaded.names]
    assert told["tools"] == [
        {"type": "function", **function, "strict": False, "defer_loading": True} for function in definitions
    ]
    assert third["input"][-2]["namespace"] == "travel__search_flights"


def test_a_search_of_the_client_is_a_call_for_us_and_none_of_the_providers(model_endpoint: ModelEndpoint) -> None:
    async def drain() -> list[Piece]:
        tools = [{**TOOL_SEARCH.as_function(), "searches": True}]
        async with aclosing(model_in(model_endpoint, "client-search").stream(HELLO, tools)) as stream:
            return [piece async for piece in stream]

    assert asyncio.run(drain()) == [
        CallPiece(0, "call_0", "tool_search", '{"query": "weather"}'),
        Finished("tool_calls", 120, 8, 64),
    ]


def test_an_answer_that_loads_nothing_goes_back_empty(model_endpoint: ModelEndpoint) -> None:
    call = {"id": "call_1", "type": "function", "function": {"name": "tool_search", "arguments": '{"query": ""}'}}
    messages: list[dict[str, Any]] = [
        *HELLO,
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "call_1", "content": "query is required"},
    ]

    async def drain() -> None:
        tools = [{**TOOL_SEARCH.as_function(), "searches": True}, ASK.as_function()]
        async with aclosing(model_in(model_endpoint, "ok").stream(messages, tools)) as stream:
            assert [piece async for piece in stream]

    asyncio.run(drain())
    assert model_endpoint.requests[0][2]["input"][-1]["tools"] == []


def test_where_no_tool_is_marked_tool_search_is_a_function_like_any_other(model_endpoint: ModelEndpoint) -> None:
    async def drain() -> None:
        async with aclosing(model_in(model_endpoint, "ok").stream(HELLO, [TOOL_SEARCH.as_function()])) as stream:
            assert [piece async for piece in stream]

    asyncio.run(drain())
    (tool,) = model_endpoint.requests[0][2]["tools"]
    assert (tool["type"], tool["name"]) == ("function", "tool_search")
