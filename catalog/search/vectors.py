"""What a corpus knows of meanings: a vector for each tool, and for a query.

Who makes the vectors is not known here; a corpus is handed what it needs, or nothing.
"""

from collections.abc import Mapping, Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from catalog.search.words import parted
from catalog.tools import ToolSpec


class NoVectorsError(Exception):
    """Meanings cannot be compared now. The message is a sentence for the reader of a ranking."""


class Vectors(Protocol):
    """The vectors of one corpus. All have length 1, so that a dot product is a cosine."""

    @property
    def model(self) -> str:
        """As it is called where it is told of."""
        ...

    @property
    def made(self) -> int:
        """How many of the tools have a vector so far."""
        ...

    @property
    def problem(self) -> str:
        """Why no more are made, as a sentence; empty if they are, or all are there."""
        ...

    @property
    def matrix(self) -> NDArray[np.float32] | None:
        """A row for each tool, in corpus order; None until all are made."""
        ...

    def over(self, tools: Sequence[ToolSpec]) -> "Vectors":
        """Those of the corpus after an edit: what it lacks is made at once, or `problem` says why it is not."""
        ...

    def query(self, text: str) -> NDArray[np.float32]:
        """The vector of a query. Raises NoVectorsError if the model cannot be asked."""
        ...


def meaning_text(tool: ToolSpec) -> str:
    """What the model is given of a tool: its server, the words of its name, what is said of it, what it is asked with.

    Of the texts tried on eight sets of judged queries this found most. Descriptions of parameters and texts of servers
    are left out: they say more than what the tool does.
    """
    name = parted(tool.upstream_name or tool.name)
    said = ". ".join(filter(None, (name, tool.description, *tool.aliases, tool.search_text)))
    server = f"{parted(tool.server)}: " if tool.server else ""
    return f"{server}{said} {', '.join(_parameter_names(tool))}".strip()


def _parameter_names(tool: ToolSpec) -> list[str]:
    properties = tool.parameters.get("properties")
    return [parted(str(name)) for name in properties] if isinstance(properties, Mapping) else []
