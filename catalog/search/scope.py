"""Which tools of a corpus a search is of: those of some servers, or all."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from catalog.tools import ToolSpec


class Scope:
    """The servers of a list of tools: `servers` holds each tool's as a number below `server_count`, in the order met."""

    def __init__(self, tools: Sequence[ToolSpec]) -> None:
        self._numbers = {server: number for number, server in enumerate(dict.fromkeys(tool.server for tool in tools))}
        self.server_count = len(self._numbers)
        self.servers = np.array([self._numbers[tool.server] for tool in tools], np.int64)

    def chosen(self, servers: frozenset[str]) -> NDArray[np.bool_]:
        """Whether each tool is of one of the servers; all are if no server is named."""
        if not servers:
            return np.ones(len(self.servers), bool)
        return np.isin(self.servers, [number for server, number in self._numbers.items() if server in servers])

    def count(self, servers: frozenset[str]) -> int:
        """How many tools are chosen."""
        return int(np.count_nonzero(self.chosen(servers))) if servers else len(self.servers)

    def within(self, places: list[int], servers: frozenset[str]) -> list[int]:
        """Those of the places that are chosen."""
        if not servers:
            return places
        chosen = self.chosen(servers)
        return [place for place in places if chosen[place]]
