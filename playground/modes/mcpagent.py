"""mcpagent's Tool Search Mode: the model searches, then adds by name what it wants, and may list every name.

As its document describes it. Differences: loaded tools stand in the order found (the original walks a map: its order
changes from call to call, and no prompt prefix stays cacheable); a search answers with at most ANSWER_LIMIT tools (the
document names no limit); and the loop refuses a call of a tool that is not in view (the original runs it).
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, ClassVar, get_args

from catalog.search.eino_regex import go_error
from catalog.search.engine import Engine
from catalog.search.ranking import Ranking
from catalog.search.settings import Fidelity, TypedSettings, setting
from catalog.tools import ToolPool, ToolSpec
from playground.modes.go_json import go_dumps
from playground.modes.large_output_tools import LARGE_OUTPUT_TOOLS, SEARCH_LARGE_OUTPUT
from playground.modes.mcpagent_prompt import instructions
from playground.modes.protocol import ALONE, Answer, Offer, Session
from playground.transcript import BadArguments, ToolCall, Transcript, loaded_names

ANSWER_LIMIT = 50
"""Tools in one search answer, so that `.*` over thousands of tools cannot fill a prompt."""

FOUND = "Found matching tools. Use 'add_tool' to load the ones you need."
FOUND_FUZZY = (
    "No tool matches the pattern itself; these come closest (fuzzy search). Use 'add_tool' to load the ones you need."
)
NOT_FOUND = "No tools found matching the pattern"
NOT_FOUND_THERE = f"{NOT_FOUND}. Try a different search query."

_RENAMED = {"write_workspace_file": "update_workspace_file", "create_workspace_file": "update_workspace_file"}
"""Names that the original also takes for a tool (P-10)."""

_SEARCH_TOOLS = ToolSpec(
    name="search_tools",
    description="Look for tools by name or description. What it finds must be loaded with add_tool before it can be called.",
    parameters={
        "type": "object",
        "properties": {"query": {"type": "string", "description": "What to look for"}},
        "required": ["query"],
    },
)
_ADD_TOOL = ToolSpec(
    name="add_tool",
    description="Load one or more tools that search_tools found. They can be called from your next answer on.",
    parameters={
        "type": "object",
        "properties": {
            "tool_names": {
                "type": "array",
                "items": {"type": "string"},
                "description": "The exact names of the tools to load, e.g. ['read_file', 'weather_get']",
            }
        },
        "required": ["tool_names"],
    },
)
_SHOW_ALL_TOOLS = ToolSpec(
    name="show_all_tools",
    description="List the names of all tools, without descriptions. search_tools with a name tells what a tool does.",
    parameters={"type": "object", "properties": {}},
)


@dataclass(frozen=True, slots=True)
class McpagentOptions(TypedSettings):
    fidelity: Fidelity = setting(
        "documented",
        "Answers are",
        "As the document shows them, JSON, and a tool must be added before it is called (documented); or the program’s, "
        "plain text where nothing is found, without a limit; a hidden tool runs, filters are the program’s (implemented).",
        choices=get_args(Fidelity),
    )
    offload_over: int = setting(
        10_000,
        "Outputs go into a file over",
        "Tokens. The model is given such an output’s beginning, and tools to read, search and query the file; 0 keeps "
        "every output in the conversation.",
        least=0,
        most=1_000_000,
    )
    refuse_over: int = setting(
        100_000,
        "Outputs are refused over",
        "Tokens. The model is told to ask for less; 0 refuses none.",
        least=0,
        most=10_000_000,
    )


DEFAULTS = McpagentOptions()


class Mcpagent:
    slug: ClassVar[str] = "mcpagent"
    title: ClassVar[str] = "mcpagent"
    summary: ClassVar[str] = "The model searches with a pattern, then adds the tools that it wants by name."
    source: ClassVar[str] = "mcpagent, Tool Search Mode"
    meta_tools: ClassVar[tuple[ToolSpec, ...]] = (_SEARCH_TOOLS, _ADD_TOOL, _SHOW_ALL_TOOLS)
    default_engine: ClassVar[str] = "mcpagent"
    Options: ClassVar[type[TypedSettings]] = McpagentOptions

    def __init__(
        self, pool: ToolPool, engine: Engine, options: McpagentOptions = DEFAULTS, session: Session = ALONE
    ) -> None:
        self._as_implemented = options.fidelity == "implemented"
        self._offloads = options.offload_over > 0
        self._pool = pool
        self._engine = engine
        self._instructions = instructions(pool, offload_over=options.offload_over, as_implemented=self._as_implemented)

    def offer(self, transcript: Transcript) -> Offer:
        in_view = self._in_view(transcript)
        search, *others = self.meta_tools
        aids = self._aids()
        shown = () if self._as_implemented else aids
        tools = (self._with_query_help(search), *others, *shown, *(self._pool.by_name[name] for name in in_view))
        hidden = tuple(tool for tool in self._pool if tool.name not in in_view)
        return Offer(tools, hidden, self._instructions, runs_hidden=self._as_implemented, aids=aids)

    def answer(self, call: ToolCall, transcript: Transcript) -> Answer:
        try:
            arguments = call.read_arguments()
        except BadArguments as mistake:
            return _error(str(mistake))
        match call.name:
            case "search_tools":
                return self._search(arguments)
            case "add_tool":
                return self._add(arguments, transcript)
            case "show_all_tools":
                return self._show_all()
        return _error(f"no meta-tool is named {call.name}")

    def _aids(self) -> tuple[ToolSpec, ...]:
        """The document has three in view; the program has one, shows it not in this mode, and runs it (P-17, P-23, P-30)."""
        if not self._offloads:
            return ()
        return (SEARCH_LARGE_OUTPUT,) if self._as_implemented else LARGE_OUTPUT_TOOLS

    def _in_view(self, transcript: Transcript) -> dict[str, None]:
        """Names in order: upfront, then loaded. Names that left the catalog since they were loaded are passed over."""
        names = (*self._pool.upfront_names, *loaded_names(transcript))
        return dict.fromkeys(name for name in names if name in self._pool.by_name)

    def _with_query_help(self, search: ToolSpec) -> ToolSpec:
        query = {"type": "string", "description": self._engine.query_help}
        return replace(search, parameters={**search.parameters, "properties": {"query": query}})

    def _search(self, arguments: dict[str, Any]) -> Answer:
        query = arguments.get("query")
        if not isinstance(query, str) or not query:
            missing = "query parameter is required"
            return Answer(f"Error: {missing}") if self._as_implemented else _error(missing)
        if self._as_implemented:
            return self._searched_there(query)
        ranking = self._engine.search(query, ANSWER_LIMIT)
        if ranking.problem:
            return replace(_error(ranking.problem), ranking=ranking)
        return Answer(_json(_found(ranking)), ranking=ranking)

    def _searched_there(self, query: str) -> Answer:
        """As the program answers: no fallback, no limit, and plain text for what is no list (P-4 to P-7)."""
        ranking = self._engine.search(query, len(self._pool))
        if ranking.problem:
            return Answer(f"Error: Invalid regex pattern: {_go_problem(query, ranking.problem)}", ranking=ranking)
        if not ranking.hits or ranking.scored:
            return Answer(NOT_FOUND_THERE, ranking=ranking)
        return Answer(go_dumps(dict(sorted(_found(ranking).items())), indent=2), ranking=ranking)

    def _add(self, arguments: dict[str, Any], transcript: Transcript) -> Answer:
        wanted = _wanted_names(arguments)
        if not wanted:
            return Answer("Error: tool_names parameter is required", is_error=True)
        in_view = self._in_view(transcript)
        added: list[str] = []
        already: list[str] = []
        unknown: list[str] = []
        for name in wanted:
            spellings = tuple(_spellings(name))
            real = next((spelling for spelling in spellings if spelling in self._pool.by_name), None)
            if any(spelling in in_view or spelling in added for spelling in spellings):
                already.append(name)
            elif real is not None:
                added.append(real)
            else:
                unknown.append(name)
        lines = {"Added tools": added, "Already available": already, "Not found": unknown}
        content = "\n".join(f"{label}: {', '.join(names)}" for label, names in lines.items() if names)
        return Answer(content, loaded=tuple(added))

    def _show_all(self) -> Answer:
        if self._as_implemented:
            names = sorted(self._pool.by_name)
            return Answer(go_dumps({"tools": names or None, "total": len(names)}, indent=2))
        names = sorted([*(tool.name for tool in self.meta_tools), *self._pool.by_name])
        return Answer(_json({"total": len(names), "tools": names}))


def _found(ranking: Ranking) -> dict[str, Any]:
    tools = [{"name": hit.tool.name, "description": hit.tool.description} for hit in ranking.hits]
    return {"found": len(tools), "tools": tools, "message": _message(ranking)}


def _go_problem(query: str, problem: str) -> str:
    """Go's words; an error that quotes the whole pattern quotes the `(?i)` that the program puts before it."""
    reason = problem.removeprefix("invalid regex pattern: ")
    if reason.startswith(("missing ): ", "unexpected ): ")):
        reason = reason.replace("): ", "): (?i)", 1)
    return go_error(f"(?i){query}", reason)


def _message(ranking: Ranking) -> str:
    shown = len(ranking.hits)
    if not shown:
        return NOT_FOUND
    if any("fuzzy" in note for note in ranking.notes):
        return FOUND_FUZZY
    return FOUND if ranking.matched <= shown else f"{FOUND} These are the first {shown} of {ranking.matched:,}."


def _wanted_names(arguments: dict[str, Any]) -> list[str]:
    """Names as given: `tool_names`, else `tool_name` on its own; what is not text is passed over (P-9)."""
    names = arguments.get("tool_names")
    given = names if isinstance(names, list) else [arguments.get("tool_name")]
    return [name for name in given if isinstance(name, str) and name]


def _spellings(name: str) -> Iterator[str]:
    """As given, with each capital split off (`parseJSON` → `parse_j_s_o_n`), and as the original renames it (P-10)."""
    yield name
    yield re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()
    if name in _RENAMED:
        yield _RENAMED[name]


def _error(message: str) -> Answer:
    return Answer(json.dumps({"error": message}, ensure_ascii=False, indent=2), is_error=True)


def _json(value: dict[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2)
