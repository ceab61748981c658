"""sanqian's search_capability: one search over all that an agent can do, and what it finds can be called at once.

S-9 to S-11. The post shows one call and its answer; what a call is made of, and every text, is our own (S-12).
"""

import json
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from catalog.search.engine import Engine
from catalog.search.narrowing import narrowed
from catalog.search.ranking import Hit
from catalog.search.settings import TypedSettings, setting
from catalog.tools import ToolPool, ToolSpec
from playground.modes.protocol import ALONE, Answer, Offer, Session
from playground.transcript import BadArguments, ToolCall, Transcript, loaded_names

BOUND = "already in view"
"""The fourth of the filters before results; the other three stand before the catalog (S-10)."""

SEARCH_CAPABILITY = ToolSpec(
    name="search_capability",
    description=(
        "Find what you can do, by what it is for: tools; skills, whose call returns how something is done here; and "
        "agents, who do a whole task that you hand them. What is found is loaded and can be called from your next answer "
        "on; what you have already is not listed again."
    ),
    parameters={
        "type": "object",
        "properties": {"query": {"type": "string", "description": "What you want to do, in a few words"}},
        "required": ["query"],
    },
)
INSTRUCTIONS = (
    "You complete tasks by calling tools. You are given few of them at first. Call search_capability for each thing that "
    "you need to do; it loads the tools, skills and agents that fit. Read a skill before you do what it is about. If "
    "nothing fits, say so plainly."
)


@dataclass(frozen=True, slots=True)
class SanqianOptions(TypedSettings):
    most: int = setting(5, "Results of a search", "At most; the engine may cut before that.", least=1, most=50)


DEFAULTS = SanqianOptions()


class Sanqian:
    slug: ClassVar[str] = "sanqian"
    title: ClassVar[str] = "sanqian search_capability"
    summary: ClassVar[str] = "The model says what it wants to do; what is found can be called at once."
    source: ClassVar[str] = "sanqian, the author’s post"
    meta_tools: ClassVar[tuple[ToolSpec, ...]] = (SEARCH_CAPABILITY,)
    default_engine: ClassVar[str] = "hybrid"
    Options: ClassVar[type[TypedSettings]] = SanqianOptions

    def __init__(
        self, pool: ToolPool, engine: Engine, options: SanqianOptions = DEFAULTS, session: Session = ALONE
    ) -> None:
        self._pool, self._engine, self._options = pool, engine, options

    def offer(self, transcript: Transcript) -> Offer:
        """The search, upfront tools, then what was found, in the order found; a tool that is hidden runs all the same,
        for whatever is called by name is looked up in every source (S-11)."""
        in_view = self._in_view(transcript)
        return Offer(
            tools=(SEARCH_CAPABILITY, *(self._pool.by_name[name] for name in in_view)),
            deferred=tuple(tool for tool in self._pool if tool.name not in in_view),
            instructions=INSTRUCTIONS,
            runs_hidden=True,
        )

    def answer(self, call: ToolCall, transcript: Transcript) -> Answer:
        try:
            query = call.read_arguments().get("query")
        except BadArguments as mistake:
            return _error(str(mistake))
        if not isinstance(query, str) or not query.strip():
            return _error("query must be a text")
        in_view = self._in_view(transcript)
        whole = self._engine.search(query, self._options.most + len(in_view))
        if whole.problem:
            return replace(_error(whole.problem), ranking=whole)
        ranking = narrowed(whole, self._options.most, lambda hit: BOUND if hit.tool.name in in_view else "")
        names = tuple(hit.tool.name for hit in ranking.hits)
        return Answer(_json({"results": [_result(hit) for hit in ranking.hits]}), names, ranking)

    def _in_view(self, transcript: Transcript) -> dict[str, None]:
        names = (*self._pool.upfront_names, *loaded_names(transcript))
        return dict.fromkeys(name for name in names if name in self._pool.by_name)


def _result(hit: Hit) -> dict[str, Any]:
    tool = hit.tool
    return {"name": tool.name, "kind": tool.capability, "description": tool.description, "score": round(hit.score, 4)}


def _error(message: str) -> Answer:
    return Answer(_json({"error": message}), is_error=True)


def _json(value: dict[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False)
