"""What the draft of a catalog holds now. Of tools that were not edited since, what was worked out is kept."""

import threading
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from catalog.catalog_yaml.documents import document_of
from catalog.exposure import Exposure
from catalog.generations import generation_of
from catalog.models import Catalog
from catalog.person_kinds import USUAL
from catalog.prompt_size import estimate_tool
from catalog.publishing.content import Content, definition_of, hash_of
from catalog.tools import ToolSpec

Settings = dict[str, Any]
_OF_NO_VERSION = ("format", "slug", "title", "description", "gate")
"""Parts of a catalog's document that act at once, as no agent reads them."""


@dataclass(frozen=True, slots=True)
class Weighed:
    """A tool with the hash of its definition, and its tokens (estimated)."""

    tool: ToolSpec
    hash: str
    tokens: int


@dataclass(frozen=True, slots=True)
class Draft:
    """`weighed` has the tools by the hashes of their definitions, in the order of the pool."""

    content: Content
    exposure: Exposure
    weighed: Mapping[str, Weighed]

    @property
    def upfront_tokens(self) -> int:
        upfront = set(self.content.upfront)
        return sum(one.tokens for one in self.weighed.values() if one.tool.name in upfront)

    @property
    def all_tokens(self) -> int:
        return sum(one.tokens for one in self.weighed.values())

    def tools(self, hashes: Collection[str]) -> list[ToolSpec]:
        return [self.weighed[one].tool for one in hashes]


_drafts: dict[int, tuple[str, Draft]] = {}
_weighed: dict[int, dict[str, Weighed]] = {}
_working = threading.Lock()


def draft_of(catalog: Catalog) -> Draft:
    """Seconds for tens of thousands of tools that this process sees for the first time."""
    generation = generation_of(catalog)
    rules = _rules(catalog)
    state = repr((generation.revision, _row(catalog), rules))
    with _working:
        known = _drafts.get(catalog.pk)
        if known is None or known[0] != state:
            known = _drafts[catalog.pk] = state, _made(catalog, generation.exposure, rules)
    return known[1]


def _made(catalog: Catalog, exposure: Exposure, rules: list[Settings]) -> Draft:
    before, by_key = _weighed.get(catalog.pk, {}), {}
    for tool in exposure.pool:
        known = before.get(tool.key)
        by_key[tool.key] = known if known is not None and known.tool is tool else _weigh(tool)
    _weighed[catalog.pk] = by_key
    weighed = {one.hash: one for one in by_key.values()}
    settings = _settings(catalog, rules, exposure.pool.tools)
    return Draft(Content(settings, tuple(weighed), exposure.pool.upfront_names), exposure, weighed)


def _weigh(tool: ToolSpec) -> Weighed:
    return Weighed(tool, hash_of(definition_of(tool)), estimate_tool(tool))


def _settings(catalog: Catalog, rules: list[Settings], tools: Sequence[ToolSpec]) -> Settings:
    """The catalog's document without what no agent reads, and what its servers are called and do.

    What usually waits for a person is not told, as in versions of releases before it.
    """
    document = {name: value for name, value in document_of(catalog).items() if name not in _OF_NO_VERSION}
    if document["ask_person"] == [*USUAL]:
        del document["ask_person"]
    texts = {tool.server: tool.server_text for tool in tools}
    return {**document, "policy": {**document["policy"], "rules": rules}, "server_texts": texts}


def _rules(catalog: Catalog) -> list[Settings]:
    """Those that are switched on, in their order."""
    return [
        {"allow": row.allow, "name": row.pattern, "phases": row.phases, "when": row.conditions}
        for row in catalog.policy_rules.all()
        if row.enabled
    ]


def _row(catalog: Catalog) -> tuple[Any, ...]:
    names = ("mode", "mode_options", "engine", "engine_settings", "policy", "context_to_try", "ask_person")
    return tuple(getattr(catalog, name) for name in names)
