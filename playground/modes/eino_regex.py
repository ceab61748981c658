"""Eino's toolsearch, beta: the model searches names by pattern; the tools of every answer in the messages are in view.

EB-1 to EB-9. The texts for the model are our own.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, get_args

from catalog.search.engine import Engine
from catalog.search.settings import Fidelity, TypedSettings, setting
from catalog.tools import ToolPool, ToolSpec
from playground.modes.go_json import GoJsonError, go_dumps, read_struct
from playground.modes.protocol import ALONE, Answer, CannotOfferError, Offer, Session
from playground.transcript import ToolCall, ToolMessage, Transcript

TOOL_SEARCH = ToolSpec(
    name="tool_search",
    description="Find hidden tools by their names. What is found can be called from your next answer on.",
    parameters={
        "type": "object",
        "properties": {
            "regex_pattern": {
                "type": "string",
                "description": "A regular expression (RE2 syntax, case matters) that is looked for in the names of tools",
            }
        },
        "required": ["regex_pattern"],
    },
)
INSTRUCTIONS = (
    "You complete tasks by calling tools. Most of them are hidden: tool_search brings those into view whose names match a "
    "regular expression."
)


@dataclass(frozen=True, slots=True)
class EinoRegexOptions(TypedSettings):
    fidelity: Fidelity = setting(
        "documented",
        "After a failed search",
        "The run goes on and a hidden tool is refused (documented), or the next model call fails and a hidden tool runs "
        "(implemented).",
        choices=get_args(Fidelity),
    )


DEFAULTS = EinoRegexOptions()


class EinoRegexMode:
    slug: ClassVar[str] = "eino-regex"
    title: ClassVar[str] = "Eino tool search, beta"
    summary: ClassVar[str] = "The model searches names by pattern; what the messages show as found is in view."
    source: ClassVar[str] = "Eino, toolsearch middleware before v0.9"
    meta_tools: ClassVar[tuple[ToolSpec, ...]] = (TOOL_SEARCH,)
    default_engine: ClassVar[str] = "eino-regex"
    Options: ClassVar[type[TypedSettings]] = EinoRegexOptions

    def __init__(
        self, pool: ToolPool, engine: Engine, options: EinoRegexOptions = DEFAULTS, session: Session = ALONE
    ) -> None:
        self._pool, self._engine = pool, engine
        self._is_strict = options.fidelity == "implemented"

    def offer(self, transcript: Transcript) -> Offer:
        """Upfront tools, `tool_search`, then what was found, in the order of the catalog (EB-7): one found later may land
        between others, and the prompt's prefix breaks. Raises CannotOfferError where the program does (EB-8)."""
        found = set(self._selected(transcript))
        deferred = self._pool.deferred
        return Offer(
            tools=(*self._pool.upfront, TOOL_SEARCH, *(tool for tool in deferred if tool.name in found)),
            deferred=tuple(tool for tool in deferred if tool.name not in found),
            instructions=INSTRUCTIONS,
            runs_hidden=self._is_strict,
        )

    def answer(self, call: ToolCall, transcript: Transcript) -> Answer:
        try:
            given = read_struct(call.arguments, "toolsearch.toolSearchArgs", {"regex_pattern": "string"})
        except GoJsonError as error:
            return Answer(f"failed to unmarshal tool search arguments: {error}", is_error=True)
        pattern = str(given.get("regex_pattern", ""))
        if not pattern:
            return Answer("regex_pattern is required", is_error=True)
        ranking = self._engine.search(pattern, len(self._pool))
        if ranking.problem:
            return Answer(ranking.problem, ranking=ranking, is_error=True)
        names = tuple(hit.tool.name for hit in ranking.hits)
        return Answer(go_dumps({"selectedTools": list(names) or None}), loaded=names, ranking=ranking)

    def _selected(self, transcript: Transcript) -> Iterator[str]:
        for message in transcript:
            if isinstance(message, ToolMessage) and message.tool == TOOL_SEARCH.name:
                yield from self._names(message.content)

    def _names(self, content: str) -> list[str]:
        if self._is_strict:
            _check(content)
        try:
            answer = json.loads(content)
        except (ValueError, RecursionError):
            return []
        names = answer.get("selectedTools") if isinstance(answer, dict) else None
        return [name for name in names if isinstance(name, str)] if isinstance(names, list) else []


def _check(content: str) -> None:
    try:
        read_struct(content, "toolsearch.toolSearchResult", {})
    except GoJsonError as error:
        told = f"failed to unmarshal tool search tool result: {error}"
        raise CannotOfferError(f"failed to load dynamic tools: {told}") from None
