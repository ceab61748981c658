"""`manage.py import_catalog`: what the browser's import of a catalog does, from the command line."""

import sys
from argparse import ArgumentParser
from pathlib import Path

from django.core.management.base import CommandError

from catalog.auditing.commands import by_command
from catalog.bulk_telling import rows_of
from catalog.catalog_yaml.applying import Applied, ChangedError, Plan
from catalog.catalog_yaml.reading import MistakesError
from catalog.differences import compare
from catalog.management.plans import WOULD_CHANGE, add_ways
from catalog.management.prepared import PreparedCommand
from catalog.sources.errors import SourceError
from catalog.sources.json_text import decoded
from playground.bringing_catalogs import bring_catalog, plan_catalog

SIGNS = {"added": "+", "removed": "-", "same": " ", "hunk": "@"}


class Command(PreparedCommand):
    help = "Import a catalog from its YAML. What it would change is shown, and applied with --apply."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", help="as export_catalog writes it; - reads standard input")
        add_ways(parser)

    def handle(self, *args: object, file: str, apply: bool, check: bool, **options: object) -> None:
        text = _read(file)
        try:
            plan = plan_catalog(text)
            self._show(plan)
            if apply and (plan.changes or plan.is_new):
                with by_command("import_catalog"):
                    self._tell(bring_catalog(text, plan.token, None))
        except MistakesError as error:
            told = [f"line {one.line}: {one.text}" if one.line else one.text for one in error.mistakes]
            raise CommandError("\n".join(["Nothing was changed.", *told])) from None
        except ChangedError:
            raise CommandError(
                "Somebody changed the catalog meanwhile, so nothing was applied: run it again."
            ) from None
        if plan.changes and not apply:
            self.stdout.write("Nothing was changed. Add --apply to apply this plan.")
            if check:
                sys.exit(WOULD_CHANGE)

    def _show(self, plan: Plan) -> None:
        slug = plan.document["slug"]
        if not plan.changes:
            self.stdout.write(f"{slug} is as the file says.")
        elif plan.is_new:
            self.stdout.write(f"{slug} is not here, and would be made:")
        elif plan.before != plan.after:
            self.stdout.write(f"{slug} would change:")
        for line in compare(plan.before, plan.after):
            self.stdout.write(f"  {SIGNS[line.kind]} {''.join(piece.text for piece in line.pieces)}")
        for row in rows_of(plan.overlays, [(one.tool, "") for one in plan.overlays.changes]):
            self.stdout.write(f"  ~ {row.tool.exposed_name}")
            for name, before, after in row.changes:
                self.stdout.write(f"      {name.removeprefix('own_').replace('_', ' ')}: {before} → {after}")
        for name in plan.unknown:
            self.stderr.write(f"{name} is picked, and no tool has that name now.")

    def _tell(self, applied: Applied) -> None:
        where = "" if applied.catalog.publishes_itself else " What changed is in its draft."
        tools = len(applied.edit.tool_ids) if applied.edit else 0
        also = f", with edits of {tools:,} tool{'' if tools == 1 else 's'}" if tools else ""
        self.stdout.write(f"Applied{also}.{where}")


def _read(name: str) -> str:
    try:
        return decoded(sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes())
    except OSError as error:
        raise CommandError(f"{name} cannot be read: {error.strerror}.") from None
    except SourceError as error:
        raise CommandError(f"{name}: {error}") from None
