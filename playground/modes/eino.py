"""Eino's toolsearch: the model searches by keywords or exact names, and what it finds is in view from its next turn on.

As the middleware's document has it, E2-1 to E2-35. The texts for the model are our own.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, get_args

from catalog.search.engine import Engine
from catalog.search.ranking import Ranking
from catalog.search.settings import Fidelity, TypedSettings, setting
from catalog.tools import ToolPool, ToolSpec
from playground.modes.go_json import GoJsonError, Kind, go_dumps, read_struct
from playground.modes.protocol import ALONE, Answer, Offer, Session
from playground.transcript import ToolCall, ToolMessage, Transcript

MAX_RESULTS = 5
"""Tools of a search that names no number of its own (E2-9)."""
_ARGUMENTS: Mapping[str, Kind] = {"query": "string", "max_results": "int"}

TOOL_SEARCH = ToolSpec(
    name="tool_search",
    description=(
        "Find tools among those listed in <available-deferred-tools> and load them. A listed tool cannot be called "
        "before it is loaded: only its name is known. What a search returns is loaded and can be called from your next "
        "answer on, so do not select it again.\n"
        "Three forms of a query:\n"
        "- words: `send message` finds the tools that fit best\n"
        "- a word that must match, begun with a plus sign: `+slack message`\n"
        "- exact names: `select:get_weather,send_email`"
    ),
    parameters={
        "type": "object",
        "properties": {
            "query": {"type": "string", "description": "What to look for"},
            "max_results": {"type": "integer", "description": "How many tools to load at most; 5 if left out"},
        },
        "required": ["query"],
    },
)
INSTRUCTIONS = (
    "You complete tasks by calling tools. Most of them are deferred: <available-deferred-tools> lists their names, and "
    "tool_search brings those that you need into view."
)


@dataclass(frozen=True, slots=True)
class EinoOptions(TypedSettings):
    fidelity: Fidelity = setting(
        "documented",
        "A hidden tool that is called",
        "Is refused, as the tool’s text says (documented), or runs, as the program lets it (implemented).",
        choices=get_args(Fidelity),
    )


DEFAULTS = EinoOptions()


class Eino:
    slug: ClassVar[str] = "eino"
    title: ClassVar[str] = "Eino tool search"
    summary: ClassVar[str] = "The model searches by keywords or names; what a search finds is loaded at once."
    source: ClassVar[str] = "Eino, toolsearch middleware"
    meta_tools: ClassVar[tuple[ToolSpec, ...]] = (TOOL_SEARCH,)
    default_engine: ClassVar[str] = "eino-keyword"
    Options: ClassVar[type[TypedSettings]] = EinoOptions

    def __init__(
        self, pool: ToolPool, engine: Engine, options: EinoOptions = DEFAULTS, session: Session = ALONE
    ) -> None:
        self._pool, self._engine, self._options = pool, engine, options

    def offer(self, transcript: Transcript) -> Offer:
        """Upfront tools, `tool_search`, then what was found, in the order found (E2-27)."""
        upfront = self._pool.upfront_names
        found = [name for name in dict.fromkeys(self._found(transcript)) if name in self._pool.by_name]
        loaded = [self._pool.by_name[name] for name in found if name not in upfront]
        in_view = {*upfront, *found}
        return Offer(
            tools=(*self._pool.upfront, TOOL_SEARCH, *loaded),
            deferred=tuple(tool for tool in self._pool if tool.name not in in_view),
            instructions=INSTRUCTIONS,
            reminder=reminder(self._pool),
            runs_hidden=self._options.fidelity == "implemented",
        )

    def answer(self, call: ToolCall, transcript: Transcript) -> Answer:
        try:
            given = read_struct(call.arguments, "toolsearch.toolSearchArgs", _ARGUMENTS)
        except GoJsonError as error:
            return Answer(f"failed to unmarshal tool search arguments: {error}", is_error=True)
        query, most = str(given.get("query", "")), int(given.get("max_results", 0))
        if not query.strip():
            return Answer("query is required", is_error=True)
        return self._answer(self._engine.search(query, most if most > 0 else MAX_RESULTS))

    def _answer(self, ranking: Ranking) -> Answer:
        if ranking.problem:
            return Answer(ranking.problem, ranking=ranking, is_error=True)
        found = tuple(hit.tool for hit in ranking.hits)
        return Answer(self._told(found), tuple(tool.name for tool in found), ranking)

    def _told(self, found: Sequence[ToolSpec]) -> str:
        return go_dumps({"matches": [tool.name for tool in found] or None})

    def _found(self, transcript: Transcript) -> Iterator[str]:
        """The names in the answers of `tool_search`; what is not such an answer is passed over (E2-28)."""
        for message in transcript:
            if isinstance(message, ToolMessage) and message.tool == TOOL_SEARCH.name:
                yield from _matches(message.content)


def reminder(pool: ToolPool) -> str:
    """Every name that is not in view from the start; it does not shrink as tools are loaded (E2-33)."""
    return "\n".join(
        ["<available-deferred-tools>", *(tool.name for tool in pool.deferred), "</available-deferred-tools>"]
    )


def _matches(content: str) -> list[str]:
    try:
        answer = json.loads(content)
    except (ValueError, RecursionError):
        return []
    matches = answer.get("matches") if isinstance(answer, dict) else None
    return [name for name in matches if isinstance(name, str)] if isinstance(matches, list) else []
