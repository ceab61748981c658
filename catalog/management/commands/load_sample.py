"""`manage.py load_sample`: the sample catalog, where it is not there yet."""

from typing import Any

from catalog.management.prepared import PreparedCommand
from catalog.samples import load_sample


class Command(PreparedCommand):
    help = "Load the sample servers and catalogs that are missing; what exists is left as it is."

    def handle(self, *args: object, **options: Any) -> None:
        self.stdout.write(f"{load_sample()} servers loaded.")
