"""`manage.py import_runs`: what the browser's import of runs does, from the command line."""

import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from catalog.management.prepared import PreparedCommand
from catalog.models import Catalog
from catalog.sources.errors import SourceError
from catalog.sources.json_text import decoded, inflated
from playground.foreign.formats import READERS
from playground.runs.brought_logs import BroughtLog, ReadLog, brought, plan
from playground.runs.importing import import_threads

MOST_BYTES = 200 << 20
SHOWN = 20


class Command(PreparedCommand):
    help = "Import runs from logs of other systems. What they hold is shown, and imported with --apply."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("files", nargs="+", help="JSON or JSON Lines, gzipped too; - reads standard input")
        parser.add_argument(
            "--as", dest="kind", choices=READERS, help="what the logs are, where that is not recognised"
        )
        parser.add_argument("--catalog", help="the short name of the catalog that has the tools, if they are here")
        parser.add_argument("--apply", action="store_true", help="import them; without it, they are only shown")
        parser.add_argument("--again", action="store_true", help="import what was imported before once more")

    def handle(self, *args: object, files: list[str], kind: str | None, **options: Any) -> None:
        catalog = Catalog.objects.filter(slug=options["catalog"]).first()
        if options["catalog"] and catalog is None:
            raise CommandError(f"There is no catalog named {options['catalog']}.")
        logs = plan([_brought(name, kind or "") for name in files])
        for log in logs:
            self._show(log)
        threads = [one for log in logs for one in log.threads if options["again"] or not one.twin]
        if not threads:
            raise CommandError("Nothing is left to import.")
        if options["apply"]:
            self.stdout.write(f"Imported {len(import_threads(threads, None, catalog)):,}.")
        else:
            self.stdout.write("Nothing was changed. Add --apply to import.")

    def _show(self, read: ReadLog) -> None:
        self.stdout.write(f"{read.log.name}: {read.log.title or 'not recognised; say what it is with --as'}")
        for problem in read.problems:
            self.stderr.write(f"  {problem}")
        if read.log.redacted:
            self.stdout.write(f"  {read.log.redacted:,} secrets were taken out")
        for one in read.threads[:SHOWN]:
            told = f"{one.figures.runs} runs, {one.figures.turns} turns, {one.figures.calls} calls"
            here = "; is here already" if one.twin else ""
            self.stdout.write(f"  {one.thread.title.splitlines()[0][:80]} ({told}{here})")
        if len(read.threads) > SHOWN:
            self.stdout.write(f"  and {len(read.threads) - SHOWN:,} more")


def _brought(name: str, kind: str) -> BroughtLog:
    try:
        content = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
        text = decoded(inflated(content, MOST_BYTES))
    except OSError as error:
        raise CommandError(f"{name} cannot be read: {error.strerror}.") from None
    except SourceError as error:
        raise CommandError(f"{name}: {error}") from None
    return brought("standard input" if name == "-" else Path(name).name, text, kind)
