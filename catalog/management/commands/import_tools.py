"""`manage.py import_tools`: what the browser's import does, from the command line."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import transaction

from catalog.api_documents import chosen_listing, fetch_document, take_document
from catalog.choosing import choose_named
from catalog.contacting import read_tools
from catalog.importing import import_listing
from catalog.models import Server
from catalog.planning import Plan, plan_import
from catalog.reading import read_content
from catalog.sources import skills
from catalog.sources.listing import Listing, SourceError

SHOWN = 20
SKILL_SUFFIXES = (".zip", ".md")


class Command(BaseCommand):
    help = (
        "Import tools into a server: from a file, a folder of skills, or the server itself if an admin has approved it."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("server", help="the short name of the server; made if it is new and a file is given")
        parser.add_argument(
            "file",
            nargs="?",
            type=Path,
            help="a saved tools/list answer, a JSON list or JSON Lines; a folder of skills, a .zip of them, or a SKILL.md",
        )
        parser.add_argument("--title", help="the title of a new server")
        parser.add_argument("--openapi", action="store_true", help="the file of a new server is an OpenAPI document")
        parser.add_argument(
            "--choose",
            nargs="+",
            default=[],
            metavar="NAME",
            help="operations of an OpenAPI document to choose beside those chosen before; * stands for any letters",
        )
        parser.add_argument("--apply", action="store_true", help="apply the plan; without it, it is only shown")

    def handle(self, *args: object, server: str, file: Path | None, apply: bool, **options: Any) -> None:
        with transaction.atomic():
            row = self._server(server, options, file)
            if row.kind == Server.Kind.OPENAPI:
                row.save()
                listing = self._choose(row, file, options["choose"])
            else:
                listing = self._read(row, file)
            for problem in listing.problems:
                self.stderr.write(f"{problem.where}: {problem.message}")
            if row.pk is None and apply:
                row.save()
            plan = import_listing(row, listing) if apply else plan_import(row, listing.tools)
            transaction.set_rollback(not apply)
        self._show(plan)
        self.stdout.write("Applied." if apply else "Nothing was changed. Add --apply to apply this plan.")

    def _server(self, slug: str, options: dict[str, Any], file: Path | None) -> Server:
        row = Server.objects.filter(slug=slug).first()
        if row is None and file is None:
            raise CommandError(f"There is no server named {slug}. Name a file, or add the server in the browser first.")
        holds_skills = file is not None and (file.is_dir() or file.suffix.lower() in SKILL_SUFFIXES)
        kind = Server.Kind.OPENAPI if options["openapi"] else Server.Kind.SKILLS if holds_skills else Server.Kind.FILE
        if row is not None and file is not None and row.kind not in (kind, Server.Kind.MCP, Server.Kind.OPENAPI):
            raise CommandError(f"{row.title} does not take this: its tools come from elsewhere ({row.kind}).")
        transport = Server.Transport.HTTP if options["openapi"] else Server.Transport.NONE
        return row or Server(slug=slug, title=options["title"] or slug, kind=kind, transport=transport)

    def _read(self, server: Server, file: Path | None) -> Listing:
        try:
            if file is not None and file.is_dir():
                return skills.read_folder(file)
            if file is not None:
                return read_content(server, file.read_bytes())
            return read_tools(server)
        except (SourceError, OSError) as error:
            raise CommandError(str(error)) from None

    def _choose(self, server: Server, file: Path | None, names: list[str]) -> Listing:
        try:
            if file is not None:
                take_document(server, file.read_bytes(), file.name)
            else:
                fetch_document(server)
        except (SourceError, OSError) as error:
            raise CommandError(str(error)) from None
        for name in choose_named(server, names):
            raise CommandError(f"No operation is named {name}.")
        listing = chosen_listing(server)
        if not listing.tools:
            count = server.operations.count()
            raise CommandError(f"It offers {count:,} operations, and none is chosen. Name them behind --choose.")
        return listing

    def _show(self, plan: Plan) -> None:
        self.stdout.write(plan.sentence)
        for sign, names in (("+", plan.added), ("~", tuple(plan.changed)), ("-", plan.gone), ("=", plan.back)):
            for name in names[:SHOWN]:
                self.stdout.write(f"  {sign} {name}")
            if len(names) > SHOWN:
                self.stdout.write(f"  {sign} and {len(names) - SHOWN:,} more")
