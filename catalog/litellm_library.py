"""LiteLLM, told to stay offline, silent and out of our way: the one file that imports it.

It takes seconds to import, so it is imported when a model is first asked, in a thread.
"""

import logging
import os
import sys
from functools import cache
from typing import Any


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
