"""Making the vectors of a corpus: each distinct text is embedded once, in batches, and kept as soon as it is made."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Protocol

from catalog.embedding.embedder import Embedder, Rows
from catalog.embedding.texts import Texts
from catalog.embedding.tool_vectors import ToolVectors

Progress = Callable[[int], None]


class Keeping(Protocol):
    """Where vectors outlive a corpus, by the digests of their texts."""

    def read(self, digests: Sequence[str]) -> dict[str, Rows]:
        """Those that are kept."""
        ...

    def write(self, rows: Mapping[str, Rows]) -> None: ...


def take_kept(vectors: ToolVectors, texts: Texts, keeping: Keeping) -> bool:
    """Complete the vectors if all of them are kept; else only say how many are."""
    rows = keeping.read(list(texts.by_digest))
    vectors.made = sum(digest in rows for digest in texts.order)
    if len(rows) < len(texts.by_digest) or not _of_one_length(rows):
        return False
    vectors.complete(rows, texts.order)
    return True


def fill(
    vectors: ToolVectors,
    texts: Texts,
    embedder: Embedder,
    keeping: Keeping,
    progress: Progress = lambda made: None,
) -> None:
    """Complete the vectors; `progress` hears how many are made. Raises EmbeddingFailedError; what was made is kept."""

    def made(digests: Collection[str]) -> Iterator[tuple[str, Rows]]:
        waiting = sorted(digests, key=lambda digest: (len(texts.by_digest[digest]), digest))
        for start in range(0, len(waiting), embedder.batch):
            batch = waiting[start : start + embedder.batch]
            rows = dict(zip(batch, embedder.embed([texts.by_digest[digest] for digest in batch]), strict=True))
            keeping.write(rows)
            yield from rows.items()
            vectors.made = len(texts.order) - len(waiting) + start + len(batch)
            progress(vectors.made)

    rows = keeping.read(list(texts.by_digest))
    rows |= made(texts.by_digest.keys() - rows.keys())
    if not _of_one_length(rows):
        rows = dict(made(texts.by_digest.keys()))  # another model goes by the same name now
    vectors.complete(rows, texts.order)


def _of_one_length(rows: Mapping[str, Rows]) -> bool:
    return len({len(row) for row in rows.values()}) < 2
