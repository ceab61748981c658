"""Search engines that others made, asked for the same: a tool's texts in one field, any of the query's words, the best ten."""

import re
import sqlite3
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from benchmarks.speed.subjects import LIMIT, AbsentError
from benchmarks.speed.synthetic import Catalog
from catalog.search.documents import field_texts
from catalog.tools import ToolSpec

_WORD = re.compile(r"\w+")


class Peer:
    """What the peers have in common: they are asked in words."""

    def queries(self, catalog: Catalog) -> Sequence[str]:
        return catalog.queries

    def question(self, tool: ToolSpec, word: str) -> str:
        return word


class Tantivy(Peer):
    """With the fields apart and weighed as Pegboard weighs them."""

    BOOSTS = {"name": 1.5, "search_text": 2.0, "tags": 1.0, "description": 1.0, "parameters": 0.5, "server": 0.5}

    def build(self, tools: Sequence[ToolSpec], folder: Path) -> None:
        self._tantivy = _package("tantivy")
        schema = self._tantivy.SchemaBuilder().add_text_field("key", stored=True, tokenizer_name="raw")
        for name in self.BOOSTS:
            schema = schema.add_text_field(name, tokenizer_name="en_stem", index_option="freq")
        self._index = self._tantivy.Index(schema.build(), path=str(folder))
        self._writer = self._index.writer(heap_size=256_000_000, num_threads=1)
        for tool in tools:
            self._writer.add_document(self._document(tool))
        self._commit()

    def ask(self, query: str) -> Sequence[str]:
        parsed, _ = self._index.parse_query_lenient(query, list(self.BOOSTS), field_boosts=self.BOOSTS)
        searcher = self._index.searcher()
        return [searcher.doc(address)["key"][0] for _, address in searcher.search(parsed, LIMIT).hits]

    def update(self, place: int, tool: ToolSpec) -> None:
        self._writer.delete_documents("key", tool.name)
        self._writer.add_document(self._document(tool))
        self._commit()

    def _document(self, tool: ToolSpec) -> Any:
        texts = {**field_texts(tool), "name": _cut(tool.name)}
        return self._tantivy.Document(key=tool.name, **texts)

    def _commit(self) -> None:
        self._writer.commit()
        self._index.reload()


class Bm25s(Peer):
    """It keeps scores by term and document, and so knows no edit but a rebuild."""

    def build(self, tools: Sequence[ToolSpec], folder: Path) -> None:
        self._bm25s = _package("bm25s")
        self._names = [tool.name for tool in tools]
        self._ranks = self._bm25s.BM25()
        self._ranks.index(self._tokens([_whole(tool) for tool in tools]), show_progress=False)

    def ask(self, query: str) -> Sequence[str]:
        count = min(LIMIT, len(self._names))
        found, scores = self._ranks.retrieve(self._tokens([query]), k=count, show_progress=False)
        return [self._names[place] for place, score in zip(found[0], scores[0], strict=True) if score > 0]

    def update(self, place: int, tool: ToolSpec) -> None:
        raise NotImplementedError

    def _tokens(self, texts: Sequence[str]) -> Any:
        return self._bm25s.tokenize(texts, stopwords="en", show_progress=False)


class SqliteFts(Peer):
    """FTS5 with its own BM25 and Porter stems."""

    def build(self, tools: Sequence[ToolSpec], folder: Path) -> None:
        self._base = sqlite3.connect(folder / "tools.sqlite3")
        self._base.execute("PRAGMA journal_mode = WAL")
        try:
            self._base.execute("CREATE VIRTUAL TABLE tools USING fts5(name UNINDEXED, said, tokenize = 'porter')")
        except sqlite3.OperationalError as error:
            raise AbsentError(str(error)) from None
        rows = ((number, tool.name, _whole(tool)) for number, tool in enumerate(tools, start=1))
        self._base.executemany("INSERT INTO tools (rowid, name, said) VALUES (?, ?, ?)", rows)
        self._base.commit()

    def ask(self, query: str) -> Sequence[str]:
        asked = " OR ".join(f'"{word}"' for word in _WORD.findall(query))
        found = self._base.execute("SELECT name FROM tools WHERE said MATCH ? ORDER BY rank LIMIT ?", (asked, LIMIT))
        return [name for (name,) in found]

    def update(self, place: int, tool: ToolSpec) -> None:
        self._base.execute("UPDATE tools SET said = ? WHERE rowid = ?", (_whole(tool), place + 1))
        self._base.commit()


PEERS: dict[str, type[Tantivy | Bm25s | SqliteFts]] = {"tantivy": Tantivy, "bm25s": Bm25s, "SQLite FTS5": SqliteFts}


def _package(name: str) -> Any:
    try:
        return import_module(name)
    except ImportError:
        raise AbsentError(f"`pip install {name}` adds it") from None


def _whole(tool: ToolSpec) -> str:
    return "\n".join((_cut(tool.name), *field_texts(tool).values()))


def _cut(name: str) -> str:
    """A name as words, for tokenizers that leave names whole."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])|[_.-]+", " ", name)
