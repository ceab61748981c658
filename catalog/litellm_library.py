"""LiteLLM, told to stay offline, silent and out of our way: the one file that imports it.

It takes seconds to import, so it is imported when a model is first asked, in a thread.
"""

import logging
import os
import sys
from collections.abc import Mapping
from functools import cache
from typing import Any

import httpx


@cache
def litellm_library() -> Any:
    os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"
    os.environ["LITELLM_LOCAL_ANTHROPIC_BETA_HEADERS"] = "True"
    import litellm

    library: Any = litellm
    library.suppress_debug_info = True
    library.telemetry = False
    library.DEFAULT_MAX_RETRIES = 0
    library.REPEATED_STREAMING_CHUNK_LIMIT = sys.maxsize
    logging.getLogger("LiteLLM").setLevel(logging.CRITICAL)
    return library


def price_entry(name: str) -> Mapping[str, Any] | None:
    """What the price table that ships with LiteLLM says of `provider/model`; the table is never fetched."""
    table, (provider, _, model) = litellm_library().model_cost, name.partition("/")
    entry: Mapping[str, Any] | None = table.get(name)
    if entry is None and (entry := table.get(model)) and entry.get("litellm_provider") != provider:
        return None
    return entry


def connection_over(
    wire: httpx.AsyncBaseTransport, name: str, url: str, key: str, *, by_handler: bool
) -> dict[str, Any]:
    """What a call of LiteLLM is handed: where to, with which key, and always over `wire`.

    Never by a connection that LiteLLM or a proxy variable makes. `name` is `provider/model`; `by_handler` says that
    LiteLLM reaches this provider over an HTTP handler, and not over an OpenAI client.
    """
    litellm = litellm_library()
    if by_handler:
        handler = litellm.llms.custom_httpx.http_handler.AsyncHTTPHandler(transport=wire, follow_redirects=False)
        return {"client": handler, "api_key": key, "api_base": url or None}
    import openai

    base_url = url or litellm.get_llm_provider(name)[3] or "https://api.openai.com/v1"
    http = httpx.AsyncClient(transport=wire, trust_env=False)
    client = openai.AsyncOpenAI(api_key=key, base_url=base_url, http_client=http, max_retries=0)
    return {"client": client, "api_key": key, "api_base": base_url}
