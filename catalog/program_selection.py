"""A catalog's filter as mcpagent's program has it, where that differs from its document (P-24 to P-27)."""

from dataclasses import dataclass

from catalog.exposure import Selection
from catalog.names import normal_server
from catalog.tools import ToolSpec

SYSTEM_CATEGORIES = frozenset(
    name
    for category in (
        "workspace",
        "workspace_basic",
        "workspace_browser",
        "workspace_advanced",
        "workspace_git",
        "human",
    )
    for name in (category, f"{category}_tools")
)
"""Categories that pass any filter, unless one of their own tools is named (P-27)."""
AT_REGISTRATION = "structured_output"
"""The category that its filter would leave out, were it asked: it is not."""


@dataclass(frozen=True)
class ProgramSelection(Selection):
    """Tools are filtered by package: their category if that is a system category, else their server.

    Where tools of a package are named, only those are let in, although it be selected whole; `package:*` lets all in.
    """

    def is_exempt(self, spec: ToolSpec) -> bool:
        return spec.category == AT_REGISTRATION

    def lets_in(self, spec: ToolSpec) -> bool:
        package = _package(spec)
        entries = self.globs_of(package)
        if not self.is_on or "*" in entries or spec.key in self.picked:
            return True
        if entries or self.count_picked(package):
            return self.matches(spec, package)
        return package in SYSTEM_CATEGORIES or package in self.whole_servers

    def reason(self, spec: ToolSpec) -> str:
        package = _package(spec)
        told = self.words_for(package)
        if self.globs_of(package) and (package in SYSTEM_CATEGORIES or package in self.whole_servers):
            told = f"{told}; naming some leaves out the others"
        return f"filter: {told}, as mcpagent’s program filters"


def _package(spec: ToolSpec) -> str:
    category = normal_server(spec.category)
    return category if category in SYSTEM_CATEGORIES else normal_server(spec.server)
