"""The app of the tools that exist."""

from typing import Any

from django.apps import AppConfig
from django.db.models.signals import post_migrate


class CatalogConfig(AppConfig):
    name = "catalog"
    verbose_name = "Catalog"

    def ready(self) -> None:
        from catalog import checks  # noqa: F401  (registers them)
        from catalog.auditing.sign_ins import listen

        listen()
        post_migrate.connect(_ensure_roles, sender=self)


def _ensure_roles(**_: Any) -> None:
    """The groups that roles are, in every database that has tables."""
    from catalog.roles import ensure_groups

    ensure_groups()
