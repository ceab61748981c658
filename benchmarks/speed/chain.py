"""How long an edit of one tool takes through the whole chain: row, revision, exposure, index, and a search that sees it."""

import os
from collections.abc import Sequence
from datetime import timedelta
from statistics import median
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import django
from django.utils import timezone

from benchmarks.speed.measuring import EDITS, Clock, UnseenEditError
from benchmarks.speed.synthetic import NEW_WORDS, synthetic
from catalog.tools import ToolSpec

if TYPE_CHECKING:
    from catalog.models import Catalog, Server, Tool


def edit_to_hit(tools: int, clock: Clock) -> float:
    """Seconds from a saved edit to a search that found it, in a database of its own. In a process that has no Django yet."""
    with TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        os.environ |= {"PEGBOARD_STATE": folder, "DJANGO_SETTINGS_MODULE": "config.settings"}
        return _measured(synthetic(tools, 0).tools, clock)


def _measured(tools: Sequence[ToolSpec], clock: Clock) -> float:
    django.setup()
    from django.core.management import call_command

    from catalog.editing import save_overlay
    from catalog.indexing import ranking_of
    from catalog.models import Tool
    from catalog.search.choosing import choose

    call_command("migrate", verbosity=0)
    catalog, engine = _filled(tools), choose("bm25f")
    ranking_of(catalog, engine, "create message", 10)
    times = []
    for number, name in enumerate(tool.name for tool in tools[:: max(1, len(tools) // EDITS)]):
        tool = Tool.objects.get(name=name)
        tool.search_text = NEW_WORDS[number]
        save_overlay(tool, by=None)
        started = clock()
        found = ranking_of(catalog, engine, tool.search_text, 10)
        times.append(clock() - started)
        if found.hits[0].tool.upstream_name != name:
            raise UnseenEditError(name)
    return median(times)


def _filled(tools: Sequence[ToolSpec]) -> "Catalog":
    """A catalog of these tools, which were read from their servers an hour ago."""
    from catalog.models import Catalog, CatalogServer, Server, Tool

    as_is = {"kind": Server.Kind.FILE, "name_rule": Server.NameRule.AS_IS}
    slugs = dict.fromkeys(tool.server for tool in tools)
    servers = {slug: Server.objects.create(slug=slug, title=slug, **as_is) for slug in slugs}
    catalog = Catalog.objects.create(slug="all", title="All")
    CatalogServer.objects.bulk_create(CatalogServer(catalog=catalog, server=server) for server in servers.values())
    Tool.objects.bulk_create(_row(tool, servers[tool.server]) for tool in tools)
    Tool.objects.update(updated_at=timezone.now() - timedelta(hours=1))
    return catalog


def _row(tool: ToolSpec, server: "Server") -> "Tool":
    from catalog.models import Tool

    return Tool(
        server=server,
        name=tool.name,
        description=tool.description,
        parameters=dict(tool.parameters),
        upstream_hash="",
        last_seen_at=timezone.now(),
    )
