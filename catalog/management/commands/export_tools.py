"""`manage.py export_tools`: tools out again, as a file that `import_tools` and others read."""

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from catalog.auditing.commands import by_command
from catalog.auditing.recording import Act, record
from catalog.management.output import write_out
from catalog.management.prepared import PreparedCommand
from catalog.models import Server, Tool
from catalog.models.tool import ToolQuerySet
from catalog.sources.writing import FORMATS
from catalog.writing.configurations import mcp_servers_of
from catalog.writing.tools import written_tools

SERVERS = "mcpservers"


class Command(PreparedCommand):
    help = (
        "Write tools as tools.yaml, or in the form of MCP, OpenAI or Anthropic; or the MCP servers as a configuration."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "servers", nargs="*", metavar="server", help="short names of servers; none means all of them"
        )
        parser.add_argument(
            "--as", dest="kind", choices=[*FORMATS, SERVERS], default="yaml", help="the format; yaml if not said"
        )
        parser.add_argument("--matching", default="", metavar="WORDS", help="only tools with all of these words")
        parser.add_argument(
            "--output", type=Path, metavar="FILE", help="the file to write; standard output if not said"
        )

    def handle(self, *args: object, servers: list[str], kind: str, output: Path | None, **options: Any) -> None:
        rows = Server.objects.filter(slug__in=servers) if servers else Server.objects.all()
        if missing := set(servers) - set(rows.values_list("slug", flat=True)):
            raise CommandError(f"There is no server named {', '.join(sorted(missing))}.")
        if kind == SERVERS:
            pieces = iter([json.dumps(mcp_servers_of(rows.order_by("slug")), ensure_ascii=False, indent=2), "\n"])
        else:
            found: ToolQuerySet = Tool.objects.here()
            pieces = written_tools(found.filter(server__in=rows).matching(options["matching"]), kind)
        with by_command("export_tools"):
            record(Act.EXPORTED, "MCP servers" if kind == SERVERS else "tools", after={"as": kind, "servers": servers})
        write_out(self, pieces, output)
