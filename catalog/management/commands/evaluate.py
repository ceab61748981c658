"""`manage.py evaluate`: how well an engine finds the tools that judged queries need."""

import json
from argparse import ArgumentParser
from collections.abc import Callable, Iterable
from dataclasses import asdict
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from catalog.embedding.at_once import VectorsAtOnce
from catalog.embedding.current import embedder_named
from catalog.embedding.embedder import EmbeddingFailedError
from catalog.embedding.local import LOCAL
from catalog.evaluating.judged import UnfitFileError, read_queries, read_tools, spread
from catalog.evaluating.measuring import Evaluation, evaluate, ids_by_name, indexed
from catalog.search import ENGINES
from catalog.search.vector import Vector
from catalog.search.vectors import Vectors
from catalog.tools import ToolSpec

TELL_EVERY = 100
NEED_A_MODEL = (Vector.slug,)
"""Engines that find nothing without one: they get the local one if none is named."""


class Command(BaseCommand):
    help = "Measure an engine on judged queries. Nothing is read from or written to the database."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--tools", type=Path, required=True, help="tools, one JSON object a line; may be gzipped")
        parser.add_argument("--queries", type=Path, required=True, help="queries, each with the tools that answer it")
        parser.add_argument("--engine", choices=ENGINES, required=True)
        parser.add_argument("--limit", type=int, default=0, help="at most so many queries, evenly spread over the file")
        parser.add_argument(
            "--embeddings",
            default=settings.PEGBOARD_EMBEDDINGS,
            help="the model that compares meanings: local, or <provider>/<model>; as PEGBOARD_EMBEDDINGS if left out",
        )
        parser.add_argument("--json", action="store_true", help="print one JSON object")

    def handle(self, *args: object, tools: Path, queries: Path, engine: str, **options: Any) -> None:
        model = options["embeddings"] or (LOCAL if engine in NEED_A_MODEL else "")
        try:
            known, judged = read_tools(tools), spread(read_queries(queries), options["limit"])
            vectors = self._vectors(model, known.values()) if model else None
            with indexed(known, self._told("tools indexed"), vectors) as corpus:
                found = evaluate(engine, corpus, ids_by_name(known), judged, self._told("queries asked"))
        except (UnfitFileError, EmbeddingFailedError, OSError, ValueError) as error:
            raise CommandError(str(error)) from None
        self.stdout.write(json.dumps(asdict(found)) if options["json"] else _table(found))

    def _vectors(self, model: str, tools: Iterable[ToolSpec]) -> Vectors:
        return VectorsAtOnce(embedder_named(model), tuple(tools), self._told("tools embedded"))

    def _told(self, what: str) -> Callable[[int], None]:
        told = 0

        def tell(done: int) -> None:
            nonlocal told
            if done - told >= TELL_EVERY:
                told = done
                self.stderr.write(f"{done:,} {what}")

        return tell


def _table(found: Evaluation) -> str:
    head = f"{found.engine}: {found.queries:,} queries, {found.tools:,} tools, {found.milliseconds:.1f} ms a query"
    return "\n".join((head, *(f"{name:<15} {value:.3f}" for name, value in found.metrics.items())))
