"""From rows to the two sides of a change: a catalog as it is, and as it would be."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from django.http import QueryDict

from catalog.asked_engine import engine_slug
from catalog.asking import read_search
from catalog.exposing import candidate, exposed
from catalog.exposure import Candidate, reworded
from catalog.generations import Asked, generation_of
from catalog.indexing import corpus_of
from catalog.models import Catalog, Tool
from catalog.policy_rows import policy_to_try
from catalog.search.choosing import ChosenEngine
from catalog.search.trials import changed_corpus
from catalog.tools import ToolSpec
from catalog.whatif.sides import Side


def engine_of(asked: Asked, address: QueryDict | None = None) -> ChosenEngine:
    """The engine that agents' searches ask, or as an address of the search page sets it."""
    named = address.copy() if address else QueryDict(mutable=True)
    named.setdefault("engine", engine_slug(asked))
    return read_search(asked, named).form.settings[0].chosen


def side_of(asked: Asked) -> Side:
    """As it is. Its index is built first, if it is not."""
    return Side(corpus_of(asked), engine_of(asked), policy_to_try(asked))


def with_tools(tools: Sequence[ToolSpec], side: Side, folder: Path) -> Side:
    """The side with other tools, which are indexed in the folder; the same one where the tools are."""
    if tuple(tools) == side.corpus.tools:
        return side
    return replace(side, corpus=changed_corpus(side.corpus, tools, folder))


def tools_with(catalog: Catalog, tool: Tool, name: str = "") -> tuple[ToolSpec, ...]:
    """What a search of the catalog would go through if the tool were saved as it stands here; its source might give it a name."""
    now = generation_of(catalog)
    old = now.read.candidates.get(tool.pk)
    if old is None:
        return now.exposure.pool.searchable
    new = candidate(tool, old.excluded)
    if name:
        new = replace(new, spec=replace(new.spec, name=tool.server.exposed_name(name)))
    if _only_reworded(old, new):
        return reworded(now.exposure, [new.spec]).pool.searchable
    return exposed(catalog, {**now.read.candidates, tool.pk: new}).pool.searchable


def _only_reworded(old: Candidate, new: Candidate) -> bool:
    same = (old.spec.name, old.spec.category) == (new.spec.name, new.spec.category)
    return same and replace(old, spec=new.spec) == new
