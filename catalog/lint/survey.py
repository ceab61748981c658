"""What the rules look at: tools, all those beside which they stand, and what recorded runs tell of them."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Protocol

from catalog.lint.finding import Finding
from catalog.prompt_size import estimate_tool
from catalog.tools import ToolSpec


@dataclass(frozen=True, slots=True)
class LedHere:
    """A recorded query after which the model called a tool that the search had found. `run` tells runs apart."""

    query: str
    run: str


@dataclass(frozen=True, slots=True)
class NameTaken:
    """A tool that a catalog cannot offer, since `by` is offered there under the same name. Both are keys."""

    tool: str
    by: str
    name: str
    catalog: str


@dataclass(frozen=True, slots=True)
class Survey:
    """`tools` are looked at, `among` are all that they are compared with, themselves too.

    `queries` are all that models searched with, `led` those that ended in a call, `taken` the names that collide.
    """

    tools: Sequence[ToolSpec]
    among: Sequence[ToolSpec] = ()
    queries: Sequence[str] = ()
    led: Mapping[str, Sequence[LedHere]] = field(default_factory=dict)
    taken: Sequence[NameTaken] = ()
    tokens: Callable[[ToolSpec], int] = estimate_tool


class Rule(Protocol):
    """`alone`: the tool by itself suffices, so that it is looked at whenever it is edited. Fields are its thresholds."""

    slug: ClassVar[str]
    title: ClassVar[str]
    alone: ClassVar[bool]

    def look(self, survey: Survey) -> Iterator[Finding]: ...
