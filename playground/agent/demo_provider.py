"""The scripted demo model as a provider of LiteLLM, and the library with it."""

import asyncio
from collections.abc import AsyncGenerator
from functools import cache
from typing import Any

from catalog.litellm_library import litellm_library
from catalog.prompt_size import estimate_messages
from playground.agent.chunks import demo_chunks
from playground.agent.scripted_model import reply

DEMO = "demo"
"""The provider of the scripted model, `demo/scripted`."""
PACE = 0.015
"""Seconds between the demo model's words, so that one sees it write."""


@cache
def litellm_with_demo() -> Any:
    """The library, with the demo provider registered. Takes seconds at first."""
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
