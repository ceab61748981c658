"""A corpus as it would be after an edit: its index is copied and then changed, as the edit itself would change it."""

from collections.abc import Sequence
from pathlib import Path

from catalog.search.building import REBUILD_FROM
from catalog.search.engine import Corpus
from catalog.search.index import build_index, copy_index, update_index
from catalog.tools import ToolSpec


def changed_corpus(corpus: Corpus, tools: Sequence[ToolSpec], folder: Path) -> Corpus:
    """The corpus with these tools in its place, indexed in `folder`, which must not exist.

    Rankings over it are the very ones that the catalog has once it holds these tools.
    """
    known = {tool.name: tool for tool in corpus.tools}
    changed = [tool for tool in tools if known.get(tool.name) != tool]
    removed = known.keys() - {tool.name for tool in tools}
    if len(changed) + len(removed) > REBUILD_FROM * len(tools):
        build_index(folder, tools)
    else:
        copy_index(corpus.index, folder)
        update_index(folder, changed, removed)
    return Corpus(tuple(tools), folder)
