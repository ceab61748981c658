"""Commands that read or write the database, which has to be there: `manage.py start` or `migrate` makes it."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import connection
from django.db.migrations.executor import MigrationExecutor


class PreparedCommand(BaseCommand):
    """Says what to do where the database is not made yet, or is of an older version."""

    def execute(self, *args: Any, **options: Any) -> str | None:
        executor = MigrationExecutor(connection)
        if executor.migration_plan(executor.loader.graph.leaf_nodes()):
            raise CommandError("The database is not there yet, or is of an older version: run manage.py migrate first.")
        return super().execute(*args, **options)
