"""`manage.py lint`: every rule asked, its findings printed. For CI: it fails where one is open."""

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError

from catalog.invisible import cleaned
from catalog.linting import carry_out
from catalog.management.prepared import PreparedCommand
from catalog.models import Finding, Look, Server
from catalog.models.finding import FindingQuerySet

OPEN = 1
"""The exit code where findings are open."""


class Command(PreparedCommand):
    help = "Ask the lint rules of all tools, or of a server's. The exit code is 1 where a finding is open, 0 where none is."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--server", help="the short name of a server; all without it")
        parser.add_argument("--json", action="store_true", help="print one JSON object a line")

    def handle(self, *args: object, server: str | None, **options: Any) -> None:
        row = Server.objects.filter(slug=server).first()
        if server and row is None:
            raise CommandError(f"There is no server named {server}.", returncode=2)
        carry_out(Look.objects.create(server=row))
        found: FindingQuerySet = Finding.objects.here().open()
        if row is not None:
            found = found.of_server(row)
        rows = list(found.select_related("tool__server", "other__server"))
        for one in rows:
            self.stdout.write(json.dumps(_as_json(one), ensure_ascii=False) if options["json"] else _line(one))
        if rows:
            raise SystemExit(OPEN)


def _line(found: Finding) -> str:
    """In one line, without characters that a terminal would obey."""
    facts = "; ".join(f"{label}: {text}" for label, text in found.facts)
    return " ".join(cleaned(f"{found.tool}: {found.sentence} [{found.rule}] {facts}").split())


def _as_json(found: Finding) -> dict[str, Any]:
    return {
        "rule": found.rule,
        "tool": str(found.tool),
        "other": str(found.other) if found.other else None,
        "where": found.where,
        "span": [found.start, found.end],
        "sentence": found.sentence,
        "facts": dict(found.facts),
        "only_here": found.only_here,
        "only_there": found.only_there,
        "advice": found.advice,
    }
