"""The engines as a reader chooses among them: in groups, each with what it does."""

from dataclasses import dataclass

from catalog.search import ENGINES

GROUPS = {
    "Our own": ("pegboard",),
    "As others do it": ("eino-keyword", "eino-regex", "mastra", "mcpagent", "hybrid"),
}
"""Engines that belong together. One that is in no group is one of the plain methods."""
PLAIN = "Plain methods"


@dataclass(frozen=True, slots=True)
class EngineChoice:
    """What a reader is told of an engine."""

    slug: str
    title: str
    summary: str
    query_help: str


@dataclass(frozen=True, slots=True)
class EngineGroup:
    title: str
    engines: tuple[EngineChoice, ...]


def engine_choice(slug: str) -> EngineChoice:
    kind = ENGINES[slug]
    return EngineChoice(slug, kind.title, kind.summary, kind.query_help)


def engine_groups() -> list[EngineGroup]:
    """Every engine once; groups without any are passed over."""
    placed = {slug for slugs in GROUPS.values() for slug in slugs}
    groups = {**GROUPS, PLAIN: tuple(slug for slug in ENGINES if slug not in placed)}
    known = {title: [slug for slug in slugs if slug in ENGINES] for title, slugs in groups.items()}
    return [EngineGroup(title, tuple(map(engine_choice, slugs))) for title, slugs in known.items() if slugs]
