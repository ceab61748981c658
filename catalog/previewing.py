"""What a catalog would expose with other filters: figures, and which tools come in, go out and stay out, by rule."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from catalog.exposing import candidates_from, pre_discovered_keys
from catalog.exposure import Candidate, Exposure, LeftOut, Rule, expose
from catalog.generations import generation_of
from catalog.models import Catalog, CatalogServer
from catalog.names import normal_tool
from catalog.patterns import compile_glob
from catalog.prompt_size import estimate_tools
from catalog.tools import ToolSpec


@dataclass(frozen=True, slots=True)
class Figures:
    """Tools of a catalog, and the tokens (estimated) that each turn pays for those in view from the start, or for all."""

    upfront: int
    deferred: int
    left_out: int
    upfront_tokens: int
    all_tokens: int


@dataclass(frozen=True, slots=True)
class OutGroup:
    """Tools that are left out for one reason."""

    rule: Rule
    reason: str
    tools: tuple[ToolSpec, ...]


@dataclass(frozen=True, slots=True)
class ShapingPreview:
    """Before is as saved. `unknown` are names picked by hand (`server/tool`) that no tool has, `idle` patterns that fit none."""

    before: Figures
    after: Figures
    coming: tuple[ToolSpec, ...]
    going: tuple[LeftOut, ...]
    gone_with_server: tuple[ToolSpec, ...]
    left_out: tuple[OutGroup, ...]
    unknown: tuple[str, ...]
    idle: tuple[str, ...]

    @property
    def going_tools(self) -> tuple[ToolSpec, ...]:
        return tuple(out.tool for out in self.going)

    @property
    def gone_count(self) -> int:
        return len(self.going) + len(self.gone_with_server)

    @property
    def changes(self) -> bool:
        return bool(self.coming or self.gone_count)


def figures_of(exposure: Exposure) -> Figures:
    pool = exposure.pool
    tokens = estimate_tools(pool.upfront)
    return Figures(
        upfront=len(pool.upfront_names),
        deferred=len(pool.deferred),
        left_out=len(exposure.left_out),
        upfront_tokens=tokens,
        all_tokens=tokens + estimate_tools(pool.deferred),
    )


def preview_filters(catalog: Catalog, rows: Sequence[CatalogServer]) -> ShapingPreview:
    """With these rows, saved or not, as all the servers of the catalog, in their order."""
    candidates = candidates_with(catalog, rows)
    after = expose(candidates, catalog.selection_of(rows), pre_discovered_keys(catalog))
    return preview_of(generation_of(catalog).exposure, after, rows)


def preview_of(before: Exposure, after: Exposure, rows: Sequence[CatalogServer]) -> ShapingPreview:
    """From one exposure to another, which has these rows as its servers."""
    was, out = {tool.key for tool in before.pool}, {out.tool.key: out for out in after.left_out}
    stays = {tool.key for tool in after.pool}
    dropped = [tool for tool in before.pool if tool.key not in stays]
    return ShapingPreview(
        before=figures_of(before),
        after=figures_of(after),
        coming=tuple(tool for tool in after.pool if tool.key not in was),
        going=tuple(out[tool.key] for tool in dropped if tool.key in out),
        gone_with_server=tuple(tool for tool in dropped if tool.key not in out),
        left_out=tuple(grouped(after.left_out)),
        unknown=tuple(sorted(_picked(rows) - stays - out.keys())),
        idle=tuple(_idle(rows, [*after.pool, *(one.tool for one in after.left_out)])),
    )


def grouped(left_out: Iterable[LeftOut]) -> Iterator[OutGroup]:
    groups: dict[tuple[Rule, str], list[ToolSpec]] = defaultdict(list)
    for out in left_out:
        groups[out.rule, out.reason].append(out.tool)
    return (OutGroup(rule, reason, tuple(tools)) for (rule, reason), tools in groups.items())


def candidates_with(catalog: Catalog, rows: Sequence[CatalogServer]) -> list[Candidate]:
    """The tools of these servers, in their order. Those of servers that the catalog has are kept; only those of others are read."""
    here = set(catalog.servers.values_list("server_id", flat=True))
    new = candidates_from(catalog, [row.server for row in rows if row.server_id not in here])
    by_server: dict[str, list[Candidate]] = defaultdict(list)
    for candidate in (*generation_of(catalog).read.candidates.values(), *new.values()):
        by_server[candidate.spec.server].append(candidate)
    return [candidate for row in rows for candidate in by_server[row.server.slug]]


def _idle(rows: Sequence[CatalogServer], tools: Iterable[ToolSpec]) -> Iterator[str]:
    """Patterns that fit no tool of their server."""
    names: dict[str, list[str]] = defaultdict(list)
    for tool in tools:
        names[tool.server].append(normal_tool(tool.upstream_name))
    for row in rows:
        for pattern in row.patterns:
            fits = compile_glob(normal_tool(pattern)).fullmatch
            if not any(fits(name) for name in names[row.server.slug]):
                yield f"{row.server.slug}/{pattern}"


def _picked(rows: Sequence[CatalogServer]) -> set[str]:
    return {f"{row.server.slug}/{name}" for row in rows if not row.everything for name in row.picked}
