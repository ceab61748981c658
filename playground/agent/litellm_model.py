"""The chat models that LiteLLM reaches, and the scripted demo model among them.

What LiteLLM makes of a stream is believed only where the wire agrees.
"""

import asyncio
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import AsyncExitStack, aclosing, asynccontextmanager
from dataclasses import fields, replace
from typing import Any

import httpx

from catalog.litellm_library import connection_over, price_entry
from catalog.redaction import Redactor
from playground.agent import anthropic_search, openai_search
from playground.agent.anthropic_pause import MOST_PAUSES
from playground.agent.chat_model import ChatMessage, Finished, ModelFailed, Piece
from playground.agent.chunks import ChunkReader
from playground.agent.demo_exchange import DemoExchange
from playground.agent.demo_provider import DEMO, litellm_with_demo
from playground.agent.exchange import Keep, keep_nothing
from playground.agent.frames import FrameReader
from playground.agent.model_fault import read_fault
from playground.agent.responses import ResponseReader
from playground.agent.spending import Prices, prices_in
from playground.agent.wire import Patience, WatchingTransport
from playground.agent.wire_names import messages_on_the_wire, names_by_wire_name, tools_on_the_wire

NO_KEY = "no-key"
"""Sent where no key is set, so that none is taken from the environment and sent to a stranger's address."""

OVER_SDK = frozenset(
    "openai custom_openai cerebras dashscope deepinfra github hyperbolic litellm_proxy llamafile lm_studio moonshot nebius"
    " novita nvidia_nim perplexity sambanova volcengine zai".split()
)
"""Providers that LiteLLM reaches through the OpenAI client that it is handed."""
OVER_HTTP = frozenset(
    "anthropic azure_ai databricks deepseek fireworks_ai gemini groq hosted_vllm huggingface mistral ollama ollama_chat"
    " openrouter together_ai xai".split()
)
"""Providers that LiteLLM reaches through the HTTP handler that it is handed; others would get connections of its own."""

DEFAULT_PATIENCE = Patience()


def known_prices(name: str, base_url: str, written: Prices | None) -> Prices | None:
    """Those that somebody wrote down, else those of LiteLLM's table, which knows nothing of endpoints at addresses of one's own."""
    if written or base_url:
        return written
    entry = price_entry(name)
    return prices_in(entry) if entry else None


def longest_answer(name: str, base_url: str) -> int | None:
    """Tokens that an answer can have by LiteLLM's table; None where it does not know."""
    entry = None if base_url else price_entry(name)
    told = (entry.get("max_output_tokens") or entry.get("max_tokens")) if entry else None
    return told if isinstance(told, int) and told > 0 else None


class LiteLLMModel:
    """`name` as LiteLLM takes it, `provider/model`. Each request opens a transport of its own, by `open_transport`.

    Without `prices` those of `known_prices` count. `keep` is given each exchange once it is over, however it ended.
    """

    def __init__(
        self,
        name: str,
        base_url: str = "",
        api_key: str = "",
        patience: Patience = DEFAULT_PATIENCE,
        open_transport: Callable[[], httpx.AsyncBaseTransport] = httpx.AsyncHTTPTransport,
        prices: Prices | None = None,
        keep: Keep = keep_nothing,
    ) -> None:
        self.name = name
        self._keep = keep
        self.provider, _, self._model = name.partition("/")
        self.scripted = self.provider == DEMO
        self._responds = self.provider == "openai" and openai_search.searches_tools(self._model)
        """Whether it is asked by the Responses API, which alone takes hidden tools."""
        self._base_url = base_url
        self._api_key = api_key or NO_KEY
        self._patience = patience
        self._open_transport = open_transport
        self._prices = prices
        self._redactor = Redactor([api_key] if api_key else [])

    @property
    def most_handed(self) -> int:
        if self._responds:
            return openai_search.MOST_HANDED
        searches = self.scripted or (self.provider == "anthropic" and anthropic_search.searches_tools(self._model))
        return anthropic_search.MOST_HANDED if searches else 0

    async def stream(
        self,
        messages: Sequence[ChatMessage],
        tools: Sequence[Mapping[str, Any]],
        handed: Sequence[Mapping[str, Any]] = (),
        most_tokens: int | None = None,
    ) -> AsyncGenerator[Piece, None]:
        """One answer, which may take several requests where the provider pauses."""
        if not self.scripted and self.provider not in OVER_SDK | OVER_HTTP:
            raise ModelFailed("rejected", f"no provider {self.provider!r} is known: try openai/<model> and a base URL")
        names = names_by_wire_name([*tools, *handed])
        search = next((str(tool["function"]["name"]) for tool in tools if tool.get("searches")), "")
        question = self._question(messages, tools, handed)
        frames, ends = FrameReader(), list[Finished]()
        for _ in range(MOST_PAUSES + 1):
            reader = ResponseReader(names, search) if self._responds else ChunkReader(names)
            bounded = {**question, **self._bound(most_tokens, ends)}
            async with aclosing(self._request(bounded, frames, reader)) as pieces:
                async for piece in pieces:
                    if isinstance(piece, Finished):
                        ends.append(piece)
                    else:
                        yield piece
            if not frames.content.is_paused:
                yield _together(ends)
                return
            said = {"role": "assistant", "content": frames.content.blocks}
            question = {**question, "messages": [*question["messages"], said]}
            frames = FrameReader(frames.content.asked)
        raise ModelFailed("truncated", f"the provider paused its answer {MOST_PAUSES + 1} times without ending it")

    async def _request(
        self, question: Mapping[str, Any], frames: FrameReader, reader: ChunkReader | ResponseReader
    ) -> AsyncGenerator[Piece, None]:
        litellm = await asyncio.to_thread(litellm_with_demo)
        async with (
            self._open_transport() as transport,
            WatchingTransport(transport, self._patience, frames) as wire,
            self._keeping(wire, question) as shown,
            aclosing(self._chunks(litellm, wire, question)) as chunks,
        ):
            async for chunk in chunks:
                shown(chunk)
                for piece in reader.read(chunk):
                    yield piece
        if not self.scripted and not wire.came_whole:
            raise read_fault(wire, None, self._redactor)
        for search in reader.searched(frames.searches):
            yield search
        with_usage = self.scripted or frames.told_usage
        yield reader.finished(
            frames.reason, with_usage=with_usage, prices=known_prices(self.name, self._base_url, self._prices)
        )

    @asynccontextmanager
    async def _keeping(
        self, wire: WatchingTransport, question: Mapping[str, Any]
    ) -> AsyncGenerator[Callable[[Any], None], None]:
        """Have what goes over the wire kept when it is over; of the demo model, which has none, what it is asked and says."""
        demo = DemoExchange(question) if self.scripted else None
        try:
            yield demo.take if demo else _pass_over
        finally:
            if exchange := demo.exchange if demo else wire.exchange:
                self._keep(exchange)

    def _question(
        self,
        messages: Sequence[ChatMessage],
        tools: Sequence[Mapping[str, Any]],
        handed: Sequence[Mapping[str, Any]],
    ) -> dict[str, Any]:
        told, seen, hidden = messages_on_the_wire(messages), tools_on_the_wire(tools), tools_on_the_wire(handed)
        if self._responds:
            client = openai_search.client_search_of(seen, told)
            sent = openai_search.tools_of(client, hidden)
            return {"input": openai_search.input_of(client, hidden), "tools": sent or None, "store": False}
        seen = [_plain(tool) for tool in seen]
        deferred = [{**_plain(tool), "defer_loading": True} for tool in hidden]
        if self.scripted:
            return {"messages": told, "tools": [*seen, *deferred] or None, **_OF_CHAT}
        search = [anthropic_search.SEARCH_TOOL] if deferred else []
        told = [anthropic_search.with_search_blocks(message) for message in told]
        return {"messages": told, "tools": [*seen, *search, *deferred] or None, **_OF_CHAT}

    def _bound(self, most: int | None, before: Sequence[Finished]) -> dict[str, int]:
        """What is left for an answer of which earlier requests brought a part."""
        if most is None or self.scripted:
            return {}
        left = max(1, most - sum(end.completion_tokens or 0 for end in before))
        return {"max_output_tokens" if self._responds else "max_tokens": left}

    async def _chunks(
        self, litellm: Any, wire: WatchingTransport, question: Mapping[str, Any]
    ) -> AsyncGenerator[Any, None]:
        ask = litellm.aresponses if self._responds else litellm.acompletion
        async with AsyncExitStack() as closing:
            try:
                connection = {} if self.scripted else self._connection(wire)
                if client := connection.get("client"):
                    closing.push_async_callback(client.close)
                answer = await ask(model=self.name, **question, **connection, **_ALWAYS)
                if not self._responds:
                    closing.push_async_callback(answer.aclose)
                async for chunk in answer:
                    yield chunk
            except Exception as error:
                if self.scripted:
                    raise
                if not (wire.came_whole and wire.frames.end_in_half_a_frame):
                    raise read_fault(wire, error, self._redactor) from None

    def _connection(self, wire: WatchingTransport) -> dict[str, Any]:
        by_handler = self._responds or self.provider in OVER_HTTP
        url = self._base_url or (openai_search.ADDRESS if self._responds else "")
        return connection_over(wire, self.name, url, self._api_key, by_handler=by_handler)


_ALWAYS = {"stream": True, "drop_params": True, "num_retries": 0, "max_retries": 0, "_skip_mcp_handler": True}
_OF_CHAT = {
    "stream_options": {"include_usage": True},
    "_skip_responses_api_bridge": True,  # it would go out over a connection of its own
}


def _pass_over(chunk: Any) -> None:
    """What the wire shows by itself."""


def _plain(tool: Mapping[str, Any]) -> dict[str, Any]:
    """The tool without the marks that only some providers are told of."""
    return {"type": tool["type"], "function": tool["function"]}


def _together(ends: Sequence[Finished]) -> Finished:
    """The end of an answer that took several requests: the last reason, and the figures of all."""
    if len(ends) == 1:
        return ends[0]
    counted = [field.name for field in fields(Finished) if field.name.endswith("_tokens")]
    told = {name: [figure for end in ends if (figure := getattr(end, name)) is not None] for name in counted}
    figures: dict[str, Any] = {name: sum(given) if given else None for name, given in told.items()}
    return replace(ends[-1], **figures)
