"""Ticking tools of a server: a list that shows what a search finds, and keeps what was ticked beside it."""

from collections.abc import Sequence
from functools import cached_property

from django.http import QueryDict

from catalog.models import Server, Tool
from catalog.models.tool import ToolQuerySet
from catalog.prompt_size import estimate_tool

MOST_SHOWN = 200
"""Tools that the list shows at once; a search brings the others."""
ACTIONS = frozenset(("find", "all", "none", "preview", "save"))


class PickForm:
    """What was posted: `q`, the names `shown`, those of them that are `selected`, and `kept`, the others that are picked, a line each.

    Without a post the picks are those that are saved. `action` is one of ACTIONS, or empty.
    """

    def __init__(self, server: Server, saved: Sequence[str], post: QueryDict) -> None:
        self.server = server
        self.saved, self._post = saved, post
        self.action = post.get("action", "") if post.get("action", "") in ACTIONS else ""
        self.query = post.get("q", "").strip()

    @cached_property
    def names_found(self) -> list[str]:
        return list(self._found.values_list("name", flat=True))

    @cached_property
    def picked(self) -> list[str]:
        """In alphabetical order."""
        picked = set(self.saved)
        if self.action:
            kept = self._post.get("kept", "").splitlines()
            picked = {*(name for name in kept if name), *self._post.getlist("selected")}
        if self.action == "all":
            picked.update(self.names_found)
        elif self.action == "none":
            picked.difference_update(self.names_found)
        return sorted(picked)

    @cached_property
    def shown(self) -> list[tuple[Tool, bool, int]]:
        """Tools with whether each is picked, and its tokens (estimated)."""
        picked = set(self.picked)
        tools = self._found.select_related("server")[:MOST_SHOWN]
        return [(tool, tool.name in picked, estimate_tool(tool.to_spec())) for tool in tools]

    @property
    def kept(self) -> str:
        shown = {tool.name for tool, _, _ in self.shown}
        return "\n".join(name for name in self.picked if name not in shown)

    @property
    def not_here(self) -> list[str]:
        """Picked names that the server no longer offers."""
        here = set(self._here.values_list("name", flat=True))
        return [name for name in self.picked if name not in here]

    @property
    def _found(self) -> ToolQuerySet:
        return self._here.matching(self.query).order_by("name")

    @property
    def _here(self) -> ToolQuerySet:
        return Tool.objects.filter(server=self.server).here()
