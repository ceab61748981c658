"""What the demo model is asked and says, kept as an exchange: it is no endpoint, so that nothing goes over a wire."""

import json
import time
from collections.abc import Mapping
from typing import Any

from playground.agent.exchange import MOST_RECEIVED, MOST_SENT, Exchange


class DemoExchange:
    """`question` is what LiteLLM is handed; each chunk is one line of JSON."""

    def __init__(self, question: Mapping[str, Any]) -> None:
        self._question = {name: value for name, value in question.items() if not name.startswith("_")}
        self._began = time.monotonic()
        self._lines: list[bytes] = []

    def take(self, chunk: Any) -> None:
        told = {"choices": chunk.model_dump(mode="json", exclude_none=True).get("choices", [])}
        self._lines.append(json.dumps(told, ensure_ascii=False).encode())

    @property
    def exchange(self) -> Exchange:
        sent, came = json.dumps(self._question, ensure_ascii=False).encode(), b"\n".join(self._lines)
        seconds = round(time.monotonic() - self._began, 3)
        return Exchange(
            "", sent if len(sent) <= MOST_SENT else b"", len(sent), 0, came[:MOST_RECEIVED], len(came), seconds
        )
