"""JSON from strangers, made such that any database holds it and any browser reads it back the same."""

import math
import re
from dataclasses import dataclass, field
from typing import Any

MAX_DEPTH = 64
MAX_NODES = 2_000
"""Objects and arrays of one value; the largest schema among 17,000 public tools has about 700."""
MAX_VALUES = 20_000
"""Values of any kind, so that an enum of a million words does not pass as one node."""

_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")


class UnfitError(ValueError):
    """The value cannot be kept; the text completes the sentence 'It is left out: …'."""


@dataclass(slots=True)
class Copying:
    """A cleaned copy of one JSON value in the making, counted against the limits."""

    what: str
    nodes: int = 0
    values: int = 0
    remote_references: list[str] = field(default_factory=list)

    def copy(self, value: Any, depth: int = 1) -> Any:
        """Raises UnfitError if the value is too deep, too large or holds a number that JSON cannot write."""
        self._count(value, depth)
        match value:
            case str():
                return storable_text(value)
            case float() if not math.isfinite(value):
                raise UnfitError(f"{self.what} holds a number that JSON cannot write")
            case int() if value.bit_length() > 1_000:
                raise UnfitError(f"{self.what} holds a number of more than 300 digits")
            case dict():
                self._note_reference(value.get("$ref"))
                return {storable_text(str(key)): self.copy(part, depth + 1) for key, part in value.items()}
            case list() | tuple():
                return [self.copy(part, depth + 1) for part in value]
        return value

    def _count(self, value: Any, depth: int) -> None:
        self.values += 1
        self.nodes += isinstance(value, dict | list | tuple)
        if depth > MAX_DEPTH:
            raise UnfitError(f"{self.what} is nested deeper than {MAX_DEPTH} levels")
        if self.nodes > MAX_NODES or self.values > MAX_VALUES:
            raise UnfitError(
                f"{self.what} is too large (over {MAX_NODES:,} objects and lists, or {MAX_VALUES:,} values)"
            )

    def _note_reference(self, reference: Any) -> None:
        if isinstance(reference, str) and reference and not reference.startswith("#"):
            self.remote_references.append(storable_text(reference)[:200])


def storable_text(text: str) -> str:
    """The text with NUL and halves of surrogate pairs replaced by U+FFFD: no database and no UTF-8 holds both."""
    return _UNSTORABLE.sub("\ufffd", text)
