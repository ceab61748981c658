"""The chat models that LiteLLM reaches, and the scripted demo model among them.

What LiteLLM makes of a stream is believed only where the wire agrees.
"""

import asyncio
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import AsyncExitStack, aclosing
from functools import cache
from typing import Any

import httpx

from catalog.litellm_library import connection_over, litellm_library
from catalog.redaction import Redactor
from playground.agent.anthropic_search import MOST_HANDED, SEARCH_TOOL, searches_tools, with_search_blocks
from playground.agent.chat_model import ChatMessage, ModelFailed, Piece
from playground.agent.chunks import ChunkReader, demo_chunks
from playground.agent.model_fault import read_fault
from playground.agent.prompt_size import estimate_messages
from playground.agent.scripted_model import reply
from playground.agent.wire import Patience, WatchingTransport
from playground.agent.wire_names import messages_on_the_wire, names_by_wire_name, tools_on_the_wire

DEMO = "demo"
"""The provider of the scripted model, `demo/scripted`."""
NO_KEY = "no-key"
"""Sent where no key is set, so that none is taken from the environment and sent to a stranger's address."""
PACE = 0.015
"""Seconds between the demo model's words, so that one sees it write."""

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


class LiteLLMModel:
    """`name` as LiteLLM takes it, `provider/model`. Each answer opens a transport of its own, by `open_transport`."""

    def __init__(
        self,
        name: str,
        base_url: str = "",
        api_key: str = "",
        patience: Patience = DEFAULT_PATIENCE,
        open_transport: Callable[[], httpx.AsyncBaseTransport] = httpx.AsyncHTTPTransport,
    ) -> None:
        self.name = name
        self.provider = name.partition("/")[0]
        self.scripted = self.provider == DEMO
        self._base_url = base_url
        self._api_key = api_key or NO_KEY
        self._patience = patience
        self._open_transport = open_transport
        self._redactor = Redactor([api_key] if api_key else [])

    @property
    def most_handed(self) -> int:
        searches = self.scripted or (self.provider == "anthropic" and searches_tools(self.name.partition("/")[2]))
        return MOST_HANDED if searches else 0

    async def stream(
        self,
        messages: Sequence[ChatMessage],
        tools: Sequence[Mapping[str, Any]],
        handed: Sequence[Mapping[str, Any]] = (),
    ) -> AsyncGenerator[Piece, None]:
        if not self.scripted and self.provider not in OVER_SDK | OVER_HTTP:
            raise ModelFailed("rejected", f"no provider {self.provider!r} is known: try openai/<model> and a base URL")
        litellm = await asyncio.to_thread(_litellm)
        reader = ChunkReader(names_by_wire_name([*tools, *handed]))
        question = self._question(messages, tools, handed)
        async with (
            self._open_transport() as transport,
            WatchingTransport(transport, self._patience) as wire,
            aclosing(self._chunks(litellm, wire, question)) as chunks,
        ):
            async for chunk in chunks:
                for piece in reader.read(chunk):
                    yield piece
        if not self.scripted and not wire.came_whole:
            raise read_fault(wire, None, self._redactor)
        for search in reader.searched(wire.frames.searches.found):
            yield search
        yield reader.finished(wire.frames.reason, with_usage=self.scripted or wire.frames.told_usage)

    def _question(
        self,
        messages: Sequence[ChatMessage],
        tools: Sequence[Mapping[str, Any]],
        handed: Sequence[Mapping[str, Any]],
    ) -> dict[str, Any]:
        told = messages_on_the_wire(messages)
        hidden = [{**tool, "defer_loading": True} for tool in tools_on_the_wire(handed)]
        if not self.scripted:
            told = [with_search_blocks(message) for message in told]
        search = [SEARCH_TOOL] if hidden and not self.scripted else []
        return {"messages": told, "tools": [*tools_on_the_wire(tools), *search, *hidden] or None}

    async def _chunks(
        self, litellm: Any, wire: WatchingTransport, question: dict[str, Any]
    ) -> AsyncGenerator[Any, None]:
        async with AsyncExitStack() as closing:
            try:
                connection = {} if self.scripted else self._connection(wire)
                if client := connection.get("client"):
                    closing.push_async_callback(client.close)
                answer = await litellm.acompletion(model=self.name, **question, **connection, **_ALWAYS)
                closing.push_async_callback(answer.aclose)
                async for chunk in answer:
                    yield chunk
            except Exception as error:
                if self.scripted:
                    raise
                if not (wire.came_whole and wire.frames.end_in_half_a_frame):
                    raise read_fault(wire, error, self._redactor) from None

    def _connection(self, wire: WatchingTransport) -> dict[str, Any]:
        by_handler = self.provider in OVER_HTTP
        return connection_over(wire, self.name, self._base_url, self._api_key, by_handler=by_handler)


_ALWAYS = {
    "stream": True,
    "stream_options": {"include_usage": True},
    "drop_params": True,
    "num_retries": 0,
    "max_retries": 0,
    "_skip_mcp_handler": True,
    "_skip_responses_api_bridge": True,  # it would go out over a connection of its own
}


@cache
def _litellm() -> Any:
    """The library, with the demo provider registered."""
    library = litellm_library()
    library.custom_provider_map.append({"provider": DEMO, "custom_handler": _demo_provider(library)})
    return library


def _demo_provider(litellm: Any) -> Any:
    class Demo(litellm.CustomLLM):  # type: ignore[misc]
        async def astreaming(self, *_: Any, **request: Any) -> AsyncGenerator[dict[str, Any], None]:
            messages, tools = request["messages"], request["optional_params"].get("tools") or []
            seen = [tool for tool in tools if not tool.get("defer_loading")]
            answer = reply(messages, seen, [tool for tool in tools if tool.get("defer_loading")])
            for chunk in demo_chunks(answer, estimate_messages([*messages, *tools])):
                await asyncio.sleep(PACE)
                yield chunk

    return Demo()
