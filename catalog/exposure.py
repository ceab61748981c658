"""What a catalog lets a run discover, and the rule that left each other tool out.

Filters follow the mcpagent document's table: `selectedServers`, `selectedTools` (`server:tool`, `server:*`), either lets a tool in,
no filter lets every tool in, and special categories pass any filter. What its program does is in `program_selection`.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

from catalog.names import normal_server, normal_tool
from catalog.patterns import compile_glob
from catalog.tools import ToolPool, ToolSpec

SPECIAL_CATEGORIES = frozenset({"structured_output", "human"})
"""Categories that are in view from the start and pass any filter."""

RESERVED_NAMES = frozenset(
    "search_tools add_tool show_all_tools tool_search load_tool search_capability"
    " search_large_output read_large_output query_large_output".split()
)
"""Names of meta-tools: a call by such a name is always the meta-tool's, and providers refuse two tools of one name."""

Rule = Literal["gone", "server off", "tool off", "suspicious", "excluded", "filter", "name taken", "platform"]


@dataclass(frozen=True, slots=True)
class Candidate:
    """A tool that a catalog could offer, with what its rows say of it."""

    spec: ToolSpec
    gone: bool = False
    server_enabled: bool = True
    enabled: bool = True
    suspicious: bool = False
    excluded: bool = False


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A tool that no search of the catalog can find, the rule that did it, and that rule in words."""

    tool: ToolSpec
    rule: Rule
    reason: str


@dataclass(frozen=True)
class Selection:
    """A filter: server names, and tools as `server:tool` where the tool may be a pattern with `*` and `?`.

    An entry without a colon selects nothing, yet turns the filter on; `a:b:c` splits at the first colon (P-25).
    `picked` holds keys (`server/tool`) that are compared letter by letter, `*` and `?` too.
    """

    servers: tuple[str, ...] = ()
    tools: tuple[str, ...] = ()
    picked: frozenset[str] = frozenset()

    @property
    def is_on(self) -> bool:
        return bool(self.servers or self.tools or self.picked)

    def is_exempt(self, spec: ToolSpec) -> bool:
        """Whether neither the filter nor an exclusion is asked about the tool."""
        return spec.category in SPECIAL_CATEGORIES

    def lets_in(self, spec: ToolSpec) -> bool:
        return (
            not self.is_on
            or spec.key in self.picked
            or normal_server(spec.server) in self.whole_servers
            or self.matches(spec, spec.server)
        )

    def reason(self, spec: ToolSpec) -> str:
        """Why the tool is not let in."""
        return f"filter: {self.words_for(spec.server)}"

    def words_for(self, server: str) -> str:
        """What the filter lets in of a server, for the sentence that says why a tool is out."""
        globs = [entry.partition(":")[2] for entry in self.tools if self._is_of(entry, server)]
        if not globs and (count := self.count_picked(server)):
            return f"{server}: {count:,} picked by hand"
        return f"{server}: {', '.join(globs)}" if globs else f"{server} is not selected"

    def count_picked(self, server: str) -> int:
        """How many tools of a server are picked by hand."""
        return self._picked_by_server.get(normal_server(server), 0)

    @cached_property
    def whole_servers(self) -> frozenset[str]:
        """As `normal_server` has them."""
        return frozenset(normal_server(name) for name in self.servers)

    def globs_of(self, server: str) -> list[str]:
        """The patterns of a server's tools, as `normal_tool` has them."""
        return self._globs.get(normal_server(server), [])

    def matches(self, spec: ToolSpec, server: str) -> bool:
        """Whether a pattern of that server fits the tool's name at its source."""
        name = normal_tool(spec.upstream_name or spec.name)
        return any(
            glob in ("*", name) or compile_glob(glob).fullmatch(name) is not None for glob in self.globs_of(server)
        )

    @cached_property
    def _globs(self) -> dict[str, list[str]]:
        globs: dict[str, list[str]] = {}
        for entry in self.tools:
            server, colon, tool = entry.partition(":")
            if colon:
                globs.setdefault(normal_server(server), []).append(normal_tool(tool))
        return globs

    @cached_property
    def _picked_by_server(self) -> Mapping[str, int]:
        return Counter(normal_server(key.partition("/")[0]) for key in self.picked)

    @staticmethod
    def _is_of(entry: str, server: str) -> bool:
        name, colon, _ = entry.partition(":")
        return bool(colon) and normal_server(name) == normal_server(server)


@dataclass(frozen=True, slots=True)
class Exposure:
    """A catalog read for one run: the pool, and every other tool with the rule that left it out."""

    pool: ToolPool
    left_out: tuple[LeftOut, ...]

    @property
    def known(self) -> int:
        """How many tools the catalog's servers have, left out or not."""
        return len(self.pool) + len(self.left_out)


def expose(candidates: Iterable[Candidate], selection: Selection, pre_discovered: Sequence[str] = ()) -> Exposure:
    """Sort the candidates into pool and left out. `pre_discovered` holds tool keys (`server/tool`); unknown ones are ignored (P-20).

    Upfront come special categories, in catalog order, then the pre-discovered, in theirs.
    """
    tools: dict[str, ToolSpec] = {}
    left_out: list[LeftOut] = []
    for candidate in candidates:
        spec = candidate.spec
        refusal = next(refusals(candidate, selection), None) or _name_refusal(spec, tools)
        if refusal:
            left_out.append(LeftOut(spec, *refusal))
        else:
            tools[spec.name] = spec
    pool = ToolPool(tuple(tools.values()), _upfront_names(tools.values(), pre_discovered))
    return Exposure(pool, tuple(left_out))


def refusals(candidate: Candidate, selection: Selection) -> Iterator[tuple[Rule, str]]:
    """Each rule that leaves the tool out by itself, in the order in which they are asked, and that rule in words."""
    spec = candidate.spec
    if candidate.gone:
        yield "gone", f"{spec.server} no longer offers it"
    if not candidate.server_enabled:
        yield "server off", f"the server {spec.server} is switched off"
    if not candidate.enabled:
        yield "tool off", "the tool is switched off"
    if candidate.suspicious:
        yield "suspicious", "something in its definition has to be looked at by a person first"
    if spec.name in RESERVED_NAMES:
        yield "name taken", f"{spec.name} is the name of a meta-tool"
    if selection.is_exempt(spec):
        return
    if candidate.excluded:
        yield "excluded", "the catalog excludes it by name"
    if not selection.lets_in(spec):
        yield "filter", selection.reason(spec)


def reworded(exposure: Exposure, tools: Iterable[ToolSpec]) -> Exposure:
    """The exposure with other texts for some tools. Names, servers and categories must be as before, and every rule's verdict."""
    by_key = {tool.key: tool for tool in tools}
    names = {tool.name for tool in by_key.values()}

    def now(tool: ToolSpec) -> ToolSpec:
        return by_key.get(tool.key, tool) if tool.name in names else tool

    pool = ToolPool(tuple(map(now, exposure.pool.tools)), exposure.pool.upfront_names)
    return Exposure(pool, tuple(replace(out, tool=now(out.tool)) for out in exposure.left_out))


def _name_refusal(spec: ToolSpec, taken: dict[str, ToolSpec]) -> tuple[Rule, str] | None:
    """Of two tools of one name the first wins (P-13)."""
    if spec.name not in taken:
        return None
    return "name taken", f"{taken[spec.name].server} already offers a tool named {spec.name}"


def _upfront_names(tools: Iterable[ToolSpec], pre_discovered: Sequence[str]) -> tuple[str, ...]:
    by_key = {tool.key: tool for tool in tools}
    special = [tool.name for tool in by_key.values() if tool.category in SPECIAL_CATEGORIES]
    chosen = [by_key[key].name for key in pre_discovered if key in by_key]
    return tuple(dict.fromkeys([*special, *chosen]))
