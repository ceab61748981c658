"""Mastra's ToolSearchProcessor, with a load of its own after the search, or loading what it finds (M-13 to M-35).

The messages of its answers are facts that an agent reads; the instructions are our own words.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import floor
from typing import Any, ClassVar, Literal, get_args

from catalog.policy import Denial, Phase
from catalog.search.engine import Engine
from catalog.search.narrowing import narrowed
from catalog.search.ranking import Hit, Ranking
from catalog.search.settings import TypedSettings, setting
from catalog.tools import ToolPool, ToolSpec
from playground.modes.loaded_store import LoadedStore
from playground.modes.protocol import ALONE, Answer, Offer, Session
from playground.modes.zod import Shape, ZodError, check
from playground.transcript import ToolCall, ToolMessage, Transcript

Storage = Literal["in-memory", "context"]

MAX_DESCRIPTION = 150
"""UTF-16 units of a description in an answer (M-12)."""
MOST_SUGGESTIONS = 3

SEARCH_TOOLS = ToolSpec(
    name="search_tools",
    description="Find tools by keywords. Answers with the names and descriptions of those that fit best.",
    parameters={
        "type": "object",
        "properties": {"query": {"type": "string", "description": "Keywords of what the tool should do"}},
        "required": ["query"],
    },
)
LOAD_TOOL = ToolSpec(
    name="load_tool",
    description="Load tools that search_tools found, by their exact names. They can be called from your next turn on.",
    parameters={
        "type": "object",
        "properties": {
            "toolName": {"type": "string", "description": "The name of one tool"},
            "toolNames": {"type": "array", "items": {"type": "string"}, "description": "The names of several tools"},
        },
    },
)
_SEARCH_SHAPE: Shape = {"query": ("string", True)}
_LOAD_SHAPE: Shape = {"toolName": ("string", False), "toolNames": ("array", False)}

TWO_STEPS = (
    "Your tools are hidden until you load them. Call search_tools with keywords to find some, then load_tool with a "
    "toolName or toolNames; a loaded tool can be called from your next turn on."
)
ONE_STEP = (
    "Your tools are hidden until you search for them. Call search_tools with keywords: what it finds is loaded and can be "
    "called from your next turn on."
)


@dataclass(frozen=True, slots=True)
class MastraOptions(TypedSettings):
    top_k: int = setting(5, "Tools of a search", "topK: at most so many are found.", least=0, most=50)
    storage: Storage = setting(
        "in-memory",
        "What is loaded is kept",
        "In the memory of the process, by thread; or nowhere, and read off the messages (context).",
        choices=get_args(Storage),
    )
    ttl: float = setting(3_600.0, "Kept for", "Seconds without a visit, in memory; 0 keeps it for ever.", least=0)
    inject_catalog: bool = setting(
        False, "List all tools in the instructions", "injectCatalog: every hidden name, with its description."
    )
    include_resolved_tools: bool = setting(
        False,
        "Hide the tools in view from the start too",
        "includeResolvedTools: they are searched and loaded like all others.",
    )

    @property
    def in_memory(self) -> bool:
        return self.storage == "in-memory"


DEFAULTS = MastraOptions()


class Mastra:
    slug: ClassVar[str] = "mastra"
    title: ClassVar[str] = "Mastra search and load"
    summary: ClassVar[str] = "The model searches by keywords, then loads by name what it wants."
    source: ClassVar[str] = "Mastra, ToolSearchProcessor"
    meta_tools: ClassVar[tuple[ToolSpec, ...]] = (SEARCH_TOOLS, LOAD_TOOL)
    default_engine: ClassVar[str] = "mastra"
    Options: ClassVar[type[TypedSettings]] = MastraOptions
    asks_policy: ClassVar[bool] = True
    _instructions: ClassVar[str] = TWO_STEPS
    _loads_results: ClassVar[bool] = False

    def __init__(
        self, pool: ToolPool, engine: Engine, options: MastraOptions = DEFAULTS, session: Session = ALONE
    ) -> None:
        self._pool, self._engine, self._options, self._session = pool, engine, options, session
        self._store = session.store or LoadedStore(options.ttl)
        self._bridged: dict[str, None] = {}
        withheld = options.include_resolved_tools
        self._own, self._hidden = ((), pool.tools) if withheld else (pool.upfront, pool.deferred)
        """Tools in view whatever is loaded, and those that can be loaded (M-2)."""
        self._own_names = {tool.name for tool in self._own}

    def offer(self, transcript: Transcript) -> Offer:
        """The meta-tools, its own tools, then loaded ones in the order loaded, less those denied now (M-23, M-33)."""
        loaded = [self._pool.by_name[name] for name in self._loaded(transcript) if self._is_hidden(name)]
        denials = tuple(filter(None, (self._denial(tool, "active") for tool in loaded)))
        denied = {denial.tool for denial in denials}
        in_view = {tool.name: tool for tool in (*self._own, *loaded) if tool.name not in denied}
        return Offer(
            tools=(*self.meta_tools, *in_view.values()),
            deferred=tuple(tool for tool in self._pool if tool.name not in in_view),
            instructions="\n\n".join((self._instructions, *self._catalog())),
            denials=denials,
        )

    def answer(self, call: ToolCall, transcript: Transcript) -> Answer:
        shape = _SEARCH_SHAPE if call.name == SEARCH_TOOLS.name else _LOAD_SHAPE
        try:
            arguments = check(call.name, json.loads(call.arguments or "{}"), shape)
        except (json.JSONDecodeError, RecursionError) as mistake:
            return Answer(f"the arguments are not valid JSON: {mistake}", is_error=True)
        except ZodError as error:
            return Answer(_json(error.told), is_error=True)
        if call.name == SEARCH_TOOLS.name:
            return self._search(arguments["query"], transcript)
        return self._load(arguments, transcript)

    def _loaded(self, transcript: Transcript) -> tuple[str, ...]:
        if self._options.in_memory:
            return self._store.visit(self._session.thread)
        shown = dict.fromkeys(_shown_as_loaded(transcript))
        self._bridged = {name: None for name in self._bridged if name not in shown}
        return (*shown, *(self._bridged if self._session.thread else ()))

    def _keep(self, names: Iterable[str]) -> None:
        """In the store; for the context store until the messages show them (M-30)."""
        if self._options.in_memory:
            self._store.add(self._session.thread, names)
        else:
            self._bridged.update(dict.fromkeys(names))

    def _is_hidden(self, name: str) -> bool:
        return name in self._pool.by_name and name not in self._own_names

    def _denial(self, tool: ToolSpec, phase: Phase) -> Denial | None:
        return self._session.policy.denial(tool, phase) if self._session.policy else None

    def _catalog(self) -> Iterator[str]:
        if self._options.inject_catalog:
            allowed = [tool for tool in self._hidden if not self._denial(tool, "search")]
            lines = [f"- `{tool.name}`" + (f": {cut}" if (cut := _cut(tool.description)) else "") for tool in allowed]
            yield "\n".join(["Available tools:", *lines])

    def _search(self, query: str, transcript: Transcript) -> Answer:
        ranking, denials = self._ranked(query)
        names = tuple(hit.tool.name for hit in ranking.hits)
        results = [
            {"name": hit.tool.name, "description": _cut(hit.tool.description), "score": _hundredths(hit.score)}
            for hit in ranking.hits
        ]
        loaded = self._load_results(names, transcript) if names else ()
        content = _json({"results": results, "message": self._message(query, names, loaded)})
        return Answer(content, self._newly_in_view(names, transcript), ranking, denials=denials)

    def _load_results(self, names: Sequence[str], transcript: Transcript) -> tuple[str, ...]:
        """Those that were loaded before; what autoLoad finds is loaded without asking the load phase (M-34)."""
        if not self._loads_results:
            return ()
        before = self._loaded(transcript)
        self._keep(names)
        return tuple(name for name in names if name in before)

    def _newly_in_view(self, names: Sequence[str], transcript: Transcript) -> tuple[str, ...]:
        """What the answer loads: with the context store a search alone loads all that it names (M-29)."""
        loads = self._loads_results or self._options.storage == "context"
        return tuple(name for name in names if self._is_hidden(name)) if loads else ()

    def _message(self, query: str, names: Sequence[str], loaded_before: Sequence[str]) -> str:
        if not names:
            return f'No tools found matching "{query}". Try different keywords.'
        if not self._loads_results:
            how = "Use load_tool with an exact toolName or a toolNames array to make them available."
            return f"Found {len(names)} tool(s). {how}"
        again = " Some were already loaded." if loaded_before else ""
        when = "They are available on your next turn — call them directly."
        return f"Found and loaded {len(names)} tool(s): {', '.join(names)}. {when}{again}"

    def _ranked(self, query: str) -> tuple[Ranking, tuple[Denial, ...]]:
        """The ranking, and what the policy kept out of it; denied tools do not use up places (M-32, M-35)."""
        if not self._session.policy:
            return self._engine.search(query, self._options.top_k), ()
        denials: list[Denial] = []

        def refusal(hit: Hit) -> str:
            denial = self._denial(hit.tool, "search")
            denials.extend([denial] if denial else [])
            return f"{denial.by}: {denial.reason}" if denial else ""

        whole = self._engine.search(query, len(self._pool))
        return narrowed(whole, self._options.top_k, refusal), tuple(denials)

    def _load(self, arguments: Mapping[str, Any], transcript: Transcript) -> Answer:
        several, one = arguments.get("toolNames"), arguments.get("toolName")
        if several is None and not one:
            told = "You must provide either toolName (string) or toolNames (array) to load."
            return Answer(_json({"success": False, "message": told}), is_error=True)
        if several is None:
            return self._load_one(str(one), transcript)
        wanted = dict.fromkeys((*several, *([one] if one else [])))
        if not wanted:
            return Answer(_json({"success": False, "message": "toolNames array must not be empty."}), is_error=True)
        return self._load_several(list(wanted), transcript)

    def _load_one(self, name: str, transcript: Transcript) -> Answer:
        denials: list[Denial] = []
        if not self._may_load(name, denials):
            told = f'Tool "{name}" not found. {self._suggestion(name, denials)}'
            answer = {"success": False, "message": told, "toolName": name}
            return Answer(_json(answer), is_error=True, denials=tuple(denials))
        if not self._is_hidden(name) or name in self._loaded(transcript):
            told = f'Tool "{name}" is already loaded and available.'
            return Answer(_json({"success": True, "message": told, "toolName": name}), denials=tuple(denials))
        self._keep([name])
        told = f'Tool "{name}" loaded successfully. It will be available on your next turn.'
        return Answer(_json({"success": True, "message": told, "toolName": name}), (name,), denials=tuple(denials))

    def _load_several(self, wanted: Sequence[str], transcript: Transcript) -> Answer:
        denials: list[Denial] = []
        there = [name for name in wanted if self._may_load(name, denials)]
        before = self._loaded(transcript)
        already = [name for name in there if not self._is_hidden(name) or name in before]
        loaded = [name for name in there if name not in already]
        missing = [name for name in wanted if name not in there]
        self._keep(loaded)
        parts = {
            "Loaded: {} — available on your next turn": loaded,
            "Already loaded: {}": already,
            "Not found: {}": missing,
        }
        told = " | ".join(text.format(", ".join(names)) for text, names in parts.items() if names)
        lists = {"loaded": loaded, "notFound": missing, "alreadyLoaded": already}
        answer = {"success": not missing, "message": told, "loadedCount": len(loaded)}
        answer |= {key: names for key, names in lists.items() if names}
        return Answer(_json(answer), tuple(loaded), is_error=bool(missing), denials=tuple(denials))

    def _may_load(self, name: str, denials: list[Denial]) -> bool:
        """Whether there is such a tool and the policy lets it be loaded; a denial is put down."""
        tool = self._pool.by_name.get(name)
        if tool is None:
            return False
        denial = self._denial(tool, "load")
        if denial:
            denials.append(denial)
        return denial is None

    def _suggestion(self, name: str, denials: list[Denial]) -> str:
        """Names that hold this one or are held by it, in catalog order (M-19)."""
        sought = name.lower()
        near = (tool.name for tool in self._hidden if sought in tool.name.lower() or tool.name.lower() in sought)
        found = [each for each in near if self._may_load(each, denials)][:MOST_SUGGESTIONS]
        return f"Did you mean: {', '.join(found)}?" if found else "Use search_tools to find available tools."


class MastraAutoLoad(Mastra):
    slug: ClassVar[str] = "mastra-autoload"
    title: ClassVar[str] = "Mastra autoLoad"
    summary: ClassVar[str] = "The model searches by keywords; what a search finds is loaded at once."
    meta_tools: ClassVar[tuple[ToolSpec, ...]] = (SEARCH_TOOLS,)
    _instructions: ClassVar[str] = ONE_STEP
    _loads_results: ClassVar[bool] = True


def _shown_as_loaded(transcript: Transcript) -> Iterator[str]:
    """The names that the answers of the meta-tools show as found or loaded (M-28)."""
    for message in transcript:
        if isinstance(message, ToolMessage) and message.tool in (SEARCH_TOOLS.name, LOAD_TOOL.name):
            yield from _names_in(_read(message.content))


def _names_in(answer: Mapping[str, Any]) -> Iterator[str]:
    if answer.get("success") is True and isinstance(name := answer.get("toolName"), str):
        yield name
    results = answer.get("results")
    for result in results if isinstance(results, list) else []:
        if isinstance(result, dict) and isinstance(name := result.get("name"), str):
            yield name
    loaded = answer.get("loaded")
    yield from (name for name in (loaded if isinstance(loaded, list) else []) if isinstance(name, str))


def _read(content: str) -> Mapping[str, Any]:
    try:
        answer = json.loads(content)
    except (ValueError, RecursionError):
        return {}
    return answer if isinstance(answer, dict) else {}


def _cut(text: str) -> str:
    """Cut by UTF-16 units as JavaScript does, which may split a character of two (M-12)."""
    units = text.encode("utf-16-le", "surrogatepass")
    if len(units) <= 2 * MAX_DESCRIPTION:
        return text
    return units[: 2 * (MAX_DESCRIPTION - 3)].decode("utf-16-le", "surrogatepass") + "..."


def _hundredths(score: float) -> float | int:
    """Halves go up, and a whole number has no point (T4)."""
    rounded = floor(score * 100 + 0.5) / 100
    return int(rounded) if rounded.is_integer() else rounded


def _json(value: Mapping[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
