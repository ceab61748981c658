"""Two catalogs side by side: tools that only one lets be found, tools that one shows from the start, settings that differ."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from catalog.exposure import Exposure
from catalog.models import Catalog
from catalog.person_kinds import told
from catalog.policy_rows import rules_of
from catalog.previewing import Figures, figures_of
from catalog.tools import ToolSpec


@dataclass(frozen=True, slots=True)
class Differing:
    """A setting that differs, in words; empty where a catalog has none."""

    name: str
    a: str
    b: str


@dataclass(frozen=True, slots=True)
class Comparison:
    """`upfront_in_a` are tools that both have, and that only the first shows from the start; `same` both have alike."""

    a: Figures
    b: Figures
    only_a: tuple[ToolSpec, ...]
    only_b: tuple[ToolSpec, ...]
    upfront_in_a: tuple[ToolSpec, ...]
    upfront_in_b: tuple[ToolSpec, ...]
    same: int
    settings: tuple[Differing, ...]


def compare(one: tuple[Catalog, Exposure], other: tuple[Catalog, Exposure]) -> Comparison:
    (a, exposure_a), (b, exposure_b) = one, other
    keys_a, keys_b = ({tool.key for tool in exposure.pool} for exposure in (exposure_a, exposure_b))
    start_a, start_b = ({tool.key for tool in exposure.pool.upfront} for exposure in (exposure_a, exposure_b))
    both = [tool for tool in exposure_a.pool if tool.key in keys_b]
    in_a = tuple(tool for tool in both if tool.key in start_a - start_b)
    in_b = tuple(tool for tool in both if tool.key in start_b - start_a)
    return Comparison(
        a=figures_of(exposure_a),
        b=figures_of(exposure_b),
        only_a=tuple(tool for tool in exposure_a.pool if tool.key not in keys_b),
        only_b=tuple(tool for tool in exposure_b.pool if tool.key not in keys_a),
        upfront_in_a=in_a,
        upfront_in_b=in_b,
        same=len(both) - len(in_a) - len(in_b),
        settings=tuple(_differing(dict(_settings(a)), dict(_settings(b)))),
    )


def _differing(a: dict[str, str], b: dict[str, str]) -> Iterator[Differing]:
    names = dict.fromkeys((*a, *b))
    return (Differing(name, a.get(name, ""), b.get(name, "")) for name in names if a.get(name, "") != b.get(name, ""))


def _settings(catalog: Catalog) -> Iterator[tuple[str, str]]:
    yield "mode", catalog.mode
    yield from _named("mode option", catalog.mode_options)
    yield "engine", catalog.engine or "the mode’s own"
    yield from _named("engine setting", catalog.engine_settings)
    for row in catalog.servers.all():
        yield f"server {row.server.slug}", "everything" if row.everything else ", ".join(row.names)
    yield "pre-discovered, in order", ", ".join(str(row.tool) for row in catalog.pre_discovered.all())
    yield "excluded", ", ".join(sorted(str(tool) for tool in catalog.excluded.all()))
    for number, rule in enumerate(rules_of(catalog), start=1):
        yield f"policy rule {number}", str(rule)
    yield "where no rule fits, asked", catalog.policy
    yield "waits for a person", told(catalog.ask_person)


def _named(what: str, values: dict[str, Any]) -> Iterator[tuple[str, str]]:
    return ((f"{what} {name}", str(value)) for name, value in sorted(values.items()))
