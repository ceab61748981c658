"""`manage.py import_tools`: what the browser's import does, from the command line."""

import os
import sys
from argparse import ArgumentParser
from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import CommandError
from django.db import transaction

from catalog.api_documents import chosen_listing, fetch_document, take_document
from catalog.auditing.commands import by_command
from catalog.auditing.recording import Act, record
from catalog.choosing import choose_named
from catalog.contacting import read_tools
from catalog.given_files import KIND_OF_SERVER, GivenFile, given_file, is_file_name
from catalog.importing import import_listing, told
from catalog.importing_servers import plan_servers, unknown_names
from catalog.management.plans import WOULD_CHANGE, add_ways
from catalog.management.prepared import PreparedCommand
from catalog.models import Server
from catalog.models.server import SLUG
from catalog.planning import Plan, plan_import
from catalog.sources import mcp_servers
from catalog.sources.file_kinds import FILE_KINDS
from catalog.sources.listing import Listing, SourceError
from catalog.suspecting import suspicions_of

SHOWN = 20


class Command(PreparedCommand):
    help = (
        "Import tools into a server: from a file, a folder of skills, or the server itself if an admin has approved it; "
        "or add the MCP servers of a configuration. The plan is shown, and applied with --apply."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "server",
            nargs="?",
            help="the short name of the server; made if it is new and a file is given. Left out for a configuration of MCP servers",
        )
        parser.add_argument(
            "file",
            nargs="?",
            help="definitions as MCP, OpenAI, Anthropic or Gemini write them (JSON, JSON Lines), a tools.yaml, an OpenAPI document, "
            "skills (a folder, a .zip, a SKILL.md), a configuration of MCP servers; - reads standard input",
        )
        parser.add_argument(
            "--as", dest="kind", choices=FILE_KINDS, help="what the file is, where that is not recognised"
        )
        parser.add_argument("--title", help="the title of a new server")
        parser.add_argument(
            "--choose",
            nargs="+",
            default=[],
            metavar="NAME",
            help="operations of an OpenAPI document to choose beside those chosen before; * stands for any letters",
        )
        parser.add_argument(
            "--only", nargs="+", default=[], metavar="NAME", help="the servers of a configuration to add, and no others"
        )
        add_ways(parser)
        parser.add_argument(
            "--accept-changes",
            action="store_true",
            help="have changes of meaning in force at once, which else wait for review",
        )

    def handle(self, *args: object, **options: Any) -> None:
        with by_command("import_tools"):
            self._handle(**options)

    def _handle(self, server: str | None, file: str | None, kind: Any, **options: Any) -> None:
        if (
            server is not None
            and file is None
            and not Server.objects.filter(slug=server).exists()
            and is_file_name(server)
        ):
            server, file = None, server
        try:
            given = given_file(file, kind) if file is not None else None
            if given is not None and given.kind == "mcpservers":
                would_change = self._add_servers(server, given, options)
            else:
                would_change = self._import(server, given, options)
        except SourceError as error:
            raise CommandError(str(error)) from None
        if options["check"] and would_change:
            sys.exit(WOULD_CHANGE)

    def _import(self, slug: str | None, given: GivenFile | None, options: dict[str, Any]) -> bool:
        if slug is None:
            raise CommandError("Name the server first: import_tools SERVER FILE.")
        apply: bool = options["apply"]
        row = self._server(slug, options["title"], given)
        answered = read_tools(row) if given is None and row.speaks_mcp else None
        with transaction.atomic():  # only now: until a server has answered, others write
            listing = answered or self._listing(row, given, options["choose"])
            self._tell(listing)
            if row.pk is None and apply:
                row.save()
            for name in suspicions_of(row, listing.tools):
                self.stderr.write(
                    f"{name}: something in it is suspicious; no catalog offers it before a person has looked."
                )
            plan = plan_import(row, listing.tools)
            if apply:
                import_listing(row, listing, accept_meaning=options["accept_changes"])
                record(Act.IMPORT_APPLIED, row, after=told(plan))
            transaction.set_rollback(not apply)
        self._show(plan, listing.read_as, accepted=options["accept_changes"])
        self._close(apply)
        return not plan.is_empty

    def _server(self, slug: str, title: str | None, given: GivenFile | None) -> Server:
        row = Server.objects.filter(slug=slug).first()
        if row is None and given is None:
            raise CommandError(f"There is no server named {slug}. Name a file, or add the server in the browser first.")
        kind = KIND_OF_SERVER[given.kind] if given else ""
        if row is not None and given is not None and not _takes(row, kind):
            raise CommandError(
                f"{row.title} does not take this ({given.kind}): its tools come from elsewhere ({row.kind})."
            )
        if row is None:
            _check_name(slug)
        transport = Server.Transport.HTTP if kind == Server.Kind.OPENAPI else Server.Transport.NONE
        return row or Server(slug=slug, title=(title or slug)[:200], kind=kind, transport=transport)

    def _listing(self, server: Server, given: GivenFile | None, choose: list[str]) -> Listing:
        if server.kind == Server.Kind.OPENAPI:
            server.save()
            return self._chosen(server, given, choose)
        if given is None:
            raise CommandError(f"{server.title} cannot be asked for its tools. Name a file.")
        return given.listing()

    def _tell(self, listing: Listing) -> None:
        for problem in listing.problems:
            self.stderr.write(str(problem))
        if not listing.tools:
            raise CommandError("No tool could be read from it.")

    def _chosen(self, server: Server, given: GivenFile | None, names: list[str]) -> Listing:
        if given is not None:
            take_document(server, given.content, given.name)
        else:
            fetch_document(server)
        for name in choose_named(server, names):
            raise CommandError(f"No operation is named {name}.")
        listing = chosen_listing(server)
        if not listing.tools:
            raise CommandError(_none_chosen(list(server.operations.values_list("name", flat=True))))
        return listing

    def _add_servers(self, slug: str | None, given: GivenFile, options: dict[str, Any]) -> bool:
        if slug is not None:
            raise CommandError(
                "The servers of a configuration have names of their own: leave out the name of a server."
            )
        found = mcp_servers.read(given.content)
        for problem in found.problems:
            self.stderr.write(str(problem))
        for name in unknown_names(found, options["only"]):
            raise CommandError(f"No server of it is named {name}.")
        plan = plan_servers(found, os.environ, options["only"])
        for name, server in plan.added.items():
            self.stdout.write(f"  + {name}: {server.reach}{_with(server.variables)}")
            for remark in server.remarks:
                self.stdout.write(f"      {remark}")
        for name, reason in plan.left_out.items():
            self.stdout.write(f"  ! {name} is left out: {reason.rstrip('.')}.")
        if options["apply"]:
            plan.apply()
        self._close(options["apply"])
        return bool(plan.added)

    def _show(self, plan: Plan, read_as: str, *, accepted: bool) -> None:
        self.stdout.write(plan.sentence + (f"; read {read_as}" if read_as else ""))
        for sign, names in (("+", plan.added), ("~", tuple(plan.changed)), ("-", plan.gone), ("=", plan.back)):
            for name in names[:SHOWN]:
                self.stdout.write(f"  {sign} {name}")
            if len(names) > SHOWN:
                self.stdout.write(f"  {sign} and {len(names) - SHOWN:,} more")
        if plan.held and not accepted:
            self.stdout.write(
                f"{len(plan.held):,} of the changes wait for review. --accept-changes has them in force at once."
            )

    def _close(self, applied: bool) -> None:
        self.stdout.write("Applied." if applied else "Nothing was changed. Add --apply to apply this plan.")


def _none_chosen(names: list[str]) -> str:
    more = f" and {len(names) - SHOWN:,} more" if len(names) > SHOWN else ""
    return (
        f"It offers {len(names):,} operations, and none is chosen. Name them behind --choose, or '*' for all: "
        f"{', '.join(names[:SHOWN])}{more}."
    )


def _check_name(slug: str) -> None:
    try:
        SLUG(slug)
    except ValidationError as error:
        raise CommandError(f"“{slug}” cannot be the short name of a server. {error.message}") from None


def _takes(server: Server, kind: str) -> bool:
    """Whether the tools of a file of that kind may become the server's."""
    return server.kind == kind or (server.kind == Server.Kind.MCP and kind == Server.Kind.FILE)


def _with(names: list[str]) -> str:
    return f" (with {', '.join(names)})" if names else ""
