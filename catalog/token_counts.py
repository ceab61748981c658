"""The tokens that tools cost in a prompt, kept on their rows, so that a list can be sorted by them."""

from collections.abc import Iterable
from functools import partial

from django.db.models import F, Q
from django.utils import timezone

from catalog import background
from catalog.batches import write_fields
from catalog.models import Server, Tool
from catalog.models.tool import ToolQuerySet
from catalog.prompt_size import estimate_tool

AT_ONCE = 500
"""Tools that are counted while somebody waits; with more it is work for the background."""


def tokens_of(tools: Iterable[Tool]) -> dict[int, int]:
    """By the key of the row. Their servers must be loaded."""
    return {tool.pk: estimate_tool(tool.to_spec()) for tool in tools}


def tokens_as_kept(tools: Iterable[Tool]) -> dict[int, int]:
    """As `tokens_of`, and told by the row itself where that is right still."""
    return {tool.pk: estimate_tool(tool.to_spec()) if (kept := counted(tool)) is None else kept for tool in tools}


def counted(tool: Tool) -> int | None:
    """What its row keeps, if that is right still. Its server must be loaded."""
    at = tool.tokens_counted_at
    return tool.tokens if at is not None and at >= max(tool.updated_at, tool.server.updated_at) else None


def uncounted() -> ToolQuerySet:
    """Tools that were never counted, or changed since, be it that their server is named otherwise."""
    stale = Q(tokens_counted_at__lt=F("updated_at")) | Q(tokens_counted_at__lt=F("server__updated_at"))
    return Tool.objects.filter(stale | Q(tokens_counted_at=None))


def count_tokens(server: Server | None = None) -> int:
    """Count those that lack it, of a server or of all: at once if they are few, else in the background.

    How many are still to be counted.
    """
    waiting = uncounted() if server is None else uncounted().filter(server=server)
    many = waiting.count()
    if many <= AT_ONCE:
        _count_all(waiting)
        return 0
    background.submit_in_line(partial(_count_all, waiting))
    return many


def _count_all(waiting: ToolQuerySet) -> None:
    keys = list(waiting.order_by().values_list("pk", flat=True))
    for start in range(0, len(keys), AT_ONCE):
        background.go_on()
        _count(keys[start : start + AT_ONCE])


def _count(keys: list[int]) -> None:
    at = timezone.now()
    tools = list(Tool.objects.filter(pk__in=keys).for_specs())
    for tool, tokens in zip(tools, tokens_of(tools).values(), strict=True):
        tool.tokens, tool.tokens_counted_at = tokens, at
    write_fields(tools, ["tokens", "tokens_counted_at"])
