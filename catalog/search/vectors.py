"""What a corpus knows of meanings: a vector for each tool, and for a query.

Who makes the vectors is not known here; a corpus is handed what it needs, or nothing.
"""

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from catalog.search.words import parted
from catalog.tools import ToolSpec


class NoVectorsError(Exception):
    """Meanings cannot be compared now. The message is a sentence for the reader of a ranking."""


class Vectors(Protocol):
    """The vectors of one corpus. All have length 1, so that a dot product is a cosine."""

    model: str
    """As it is called where it is told of."""

    @property
    def made(self) -> int:
        """How many of the tools have a vector so far."""
        ...

    @property
    def matrix(self) -> NDArray[np.float32] | None:
        """A row for each tool, in corpus order; None until all are made."""
        ...

    def query(self, text: str) -> NDArray[np.float32]:
        """The vector of a query. Raises NoVectorsError if the model cannot be asked."""
        ...


def meaning_text(tool: ToolSpec) -> str:
    """What the model is given of a tool: the words of its name, what it does, and what a curator added."""
    said = (tool.description, *tool.aliases, tool.search_text)
    return ". ".join(filter(None, (parted(tool.upstream_name or tool.name), *said)))
