"""When tools were last of use: found or called in a run that was recorded. Who records runs says so here."""

from collections.abc import Collection, Mapping
from datetime import datetime, timedelta

from django.db.models import Q

from catalog.models import Server, Tool

OFTEN = timedelta(hours=1)
"""A tool that was marked so lately is not written again."""


def mark_used(names: Mapping[str, Collection[str]], at: datetime) -> None:
    """The tools under these names, as models call them, by the short names of their servers. No edit: no index follows it."""
    for server in Server.objects.filter(slug__in=names):
        named = {server.exposed_name(name): name for name in server.tools.values_list("name", flat=True)}
        own = [named[name] for name in names[server.slug] if name in named]
        due = Q(last_used_at=None) | Q(last_used_at__lt=at - OFTEN)
        Tool.objects.filter(due, server=server, name__in=own).update(last_used_at=at)
