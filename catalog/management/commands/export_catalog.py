"""`manage.py export_catalog`: a catalog as YAML, as its page exports it."""

from argparse import ArgumentParser
from pathlib import Path

from django.core.management.base import CommandError

from catalog.auditing.commands import by_command
from catalog.auditing.recording import Act, record
from catalog.catalog_yaml.documents import document_of
from catalog.catalog_yaml.writing import text_of
from catalog.management.output import write_out
from catalog.management.prepared import PreparedCommand
from catalog.models import Catalog


class Command(PreparedCommand):
    help = "Write a catalog as YAML, to be kept and imported again at /catalogs/import/."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("catalog", help="the short name of the catalog")
        parser.add_argument("--overlays", action="store_true", help="with what people say over its tools")
        parser.add_argument(
            "--output", type=Path, metavar="FILE", help="the file to write; standard output if not said"
        )

    def handle(self, *args: object, catalog: str, overlays: bool, output: Path | None, **options: object) -> None:
        found = Catalog.objects.filter(slug=catalog).first()
        if found is None:
            raise CommandError(f"There is no catalog named {catalog}.")
        text = text_of(document_of(found, with_overlays=overlays))
        with by_command("export_catalog"):
            record(Act.EXPORTED, found, after={"as": "YAML"})
        write_out(self, [text], output)
