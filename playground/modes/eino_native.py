"""Eino's native mode: the model's provider searches the deferred tools by itself, or, where it cannot, the model calls
`tool_search` and is given whole definitions (E2-11, E2-26).
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import ClassVar

from catalog.search.engine import Engine
from catalog.tools import ToolPool, ToolSpec
from playground.modes.eino import DEFAULTS, Eino, EinoOptions, reminder
from playground.modes.go_json import go_dumps
from playground.modes.protocol import ALONE, Offer, Session
from playground.transcript import Transcript, loaded_names

INSTRUCTIONS = (
    "You complete tasks by calling tools. Most of them are deferred: <available-deferred-tools> lists their names, and "
    "your own tool search loads the definitions of those that you need."
)


class EinoNativeClient(Eino):
    slug: ClassVar[str] = "eino-native-client"
    title: ClassVar[str] = "Eino native, own search"
    summary: ClassVar[str] = "The model calls tool_search, which answers with the whole definitions of what it finds."

    def offer(self, transcript: Transcript) -> Offer:
        return replace(super().offer(transcript), path="client")

    def _told(self, found: Sequence[ToolSpec]) -> str:
        """The definitions as one part (E2-11); the form of the part is our own."""
        definitions = [tool.as_function()["function"] for tool in found]
        return go_dumps({"type": "tool_search_result", "tools": definitions})

    def _found(self, transcript: Transcript) -> Iterator[str]:
        """What answers loaded; their texts are the model's affair in this mode."""
        yield from loaded_names(transcript)


class EinoNative(EinoNativeClient):
    """Falls back to the client's path where the provider has no search of its own, or not for so many tools."""

    slug: ClassVar[str] = "eino-native"
    title: ClassVar[str] = "Eino native, provider’s search"
    summary: ClassVar[str] = (
        "Hidden tools are handed to the model’s provider, which searches them by itself; where it cannot, tool_search does."
    )

    def __init__(
        self, pool: ToolPool, engine: Engine, options: EinoOptions = DEFAULTS, session: Session = ALONE
    ) -> None:
        super().__init__(pool, engine, options, session)
        self._provider_searches = 0 < len(pool.deferred) <= session.most_handed

    def offer(self, transcript: Transcript) -> Offer:
        """On the provider's path always the same: static tools in view, the others handed over, no `tool_search` (E2-26).

        A tool is run whenever the model calls it: what its provider has loaded is the provider's affair (E2-25).
        """
        if not self._provider_searches:
            return super().offer(transcript)
        return Offer(
            tools=self._pool.upfront,
            deferred=self._pool.deferred,
            instructions=INSTRUCTIONS,
            reminder=reminder(self._pool),
            runs_hidden=True,
            path="provider",
        )
