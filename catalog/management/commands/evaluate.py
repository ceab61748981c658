"""`manage.py evaluate`: how well an engine finds the tools that judged queries need."""

import json
from argparse import ArgumentParser
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from catalog.embedding.at_once import VectorsAtOnce
from catalog.embedding.current import embedder_named
from catalog.embedding.embedder import EmbeddingFailedError
from catalog.embedding.local import LOCAL
from catalog.evaluating.judged import JudgedQuery, UnfitFileError, read_queries, read_tools, spread
from catalog.evaluating.measuring import Evaluation, evaluate, ids_by_name, indexed
from catalog.indexing import corpus_of
from catalog.judging import judged_queries
from catalog.models import Suite
from catalog.search import ENGINES
from catalog.search.vector import Vector
from catalog.search.vectors import Vectors
from catalog.tools import ToolSpec

TELL_EVERY = 100
NEED_A_MODEL = (Vector.slug,)
"""Engines that find nothing without one: they get the local one if none is named."""


class Command(BaseCommand):
    help = (
        "Measure an engine on judged queries: those of a suite on the draft of its catalog, before a policy, or those of "
        "files. No row is written."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--suite", help="the short name of a suite; else --tools and --queries")
        parser.add_argument("--tools", type=Path, help="tools, one JSON object a line; may be gzipped")
        parser.add_argument("--queries", type=Path, help="queries, each with the tools that answer it")
        parser.add_argument("--engine", choices=ENGINES, required=True)
        parser.add_argument("--limit", type=int, default=0, help="at most so many queries, evenly spread over the file")
        parser.add_argument(
            "--embeddings",
            default=settings.PEGBOARD_EMBEDDINGS,
            help="the model that compares meanings: local, or <provider>/<model>; as PEGBOARD_EMBEDDINGS if left out",
        )
        parser.add_argument("--json", action="store_true", help="print one JSON object")

    def handle(self, *args: object, engine: str, **options: Any) -> None:
        try:
            if options["suite"]:
                found = self._of_suite(options["suite"], engine, options["limit"])
            elif options["tools"] and options["queries"]:
                model = options["embeddings"] or (LOCAL if engine in NEED_A_MODEL else "")
                found = self._of_files(
                    options["tools"], spread(read_queries(options["queries"]), options["limit"]), engine, model
                )
            else:
                raise CommandError("Name a --suite, or files with --tools and --queries.")
        except (UnfitFileError, EmbeddingFailedError, OSError, ValueError) as error:
            raise CommandError(str(error)) from None
        self.stdout.write(json.dumps(asdict(found)) if options["json"] else _table(found))

    def _of_suite(self, slug: str, engine: str, limit: int) -> Evaluation:
        suite = Suite.objects.select_related("catalog").filter(slug=slug).first()
        if suite is None or suite.catalog is None:
            raise CommandError(f"There is no suite {slug} with a catalog.")
        corpus = corpus_of(suite.catalog)
        keys = {tool.name: tool.key for tool in corpus.tools}
        return evaluate(engine, corpus, keys, spread(judged_queries(suite), limit), self._told("queries asked"))

    def _of_files(self, tools: Path, queries: Sequence[JudgedQuery], engine: str, model: str) -> Evaluation:
        known = read_tools(tools)
        vectors = self._vectors(model, known.values()) if model else None
        with indexed(known, self._told("tools indexed"), vectors) as corpus:
            return evaluate(engine, corpus, ids_by_name(known), queries, self._told("queries asked"))

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
