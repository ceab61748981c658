"""A corpus as it would be after an edit: its index is copied and then changed, as the edit itself would change it."""

from collections.abc import Sequence
from pathlib import Path

from catalog.search.building import REBUILD_FROM, differences
from catalog.search.engine import Corpus
from catalog.search.index import build_index, copy_index, update_index
from catalog.tools import ToolSpec


def changed_corpus(corpus: Corpus, tools: Sequence[ToolSpec], folder: Path) -> Corpus:
    """The corpus with these tools in its place, indexed in `folder`, which must not exist.

    Rankings over it are the very ones that the catalog has once it holds these tools.
    """
    changed, removed = differences(corpus.tools, tools)
    if len(changed) + len(removed) > REBUILD_FROM * len(tools):
        build_index(folder, tools)
    else:
        copy_index(corpus.index, folder)
        update_index(folder, changed, removed)
    vectors = corpus.vectors.over(tools) if corpus.vectors else None
    return Corpus(tuple(tools), folder, vectors).following(corpus)
