"""The pegboard of a run: what the model can see, by what brought it there; and what that costs, turn by turn."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Literal

from playground.agent.events import Cause, OfferMade, PromptPrefix, RunLimits, ToolInView

EARLIER = "(earlier)"
"""Stands for every call of an earlier run of the thread."""
PegState = Literal["in view", "new", "called", "failed", "dropped"]


@dataclass(frozen=True, slots=True)
class Peg:
    """A tool that is, or was, in view. `calls` counts those that were answered, well or badly."""

    name: str
    server: str
    cause: Cause
    tokens: int
    is_new: bool = False
    is_dropped: bool = False
    calls: int = 0
    failed_last: bool = False

    @property
    def state(self) -> PegState:
        if self.is_dropped:
            return "dropped"
        if self.calls:
            return "failed" if self.failed_last else "called"
        return "new" if self.is_new else "in view"


@dataclass(frozen=True, slots=True)
class Origin:
    """What brought tools into view: the search that found them, or, where no search did, the tool that was called.

    `earlier`: a call of an earlier run of the thread did.
    """

    turn: int = 0
    search: str = ""
    tool: str = ""
    earlier: bool = False


@dataclass(frozen=True, slots=True)
class PegGroup:
    """Pegs of one cause. `call_id` is the call that loaded them, or EARLIER; empty for those there from the start."""

    call_id: str
    origin: Origin
    pegs: tuple[Peg, ...] = ()

    @property
    def by_server(self) -> tuple[tuple[str, tuple[Peg, ...]], ...]:
        """Each server where its first peg hangs."""
        servers = dict.fromkeys(peg.server for peg in self.pegs)
        return tuple((server, tuple(peg for peg in self.pegs if peg.server == server)) for server in servers)


@dataclass(frozen=True, slots=True)
class Holes:
    """The whole catalog at a glance: its tools in view, as pegs, and how many are not."""

    pegs: tuple[Peg, ...] = ()
    empty: int = 0

    def __len__(self) -> int:
        return len(self.pegs) + self.empty


@dataclass(frozen=True, slots=True)
class Board:
    """Each tool hangs once: where it was loaded last."""

    groups: tuple[PegGroup, ...] = ()

    def pegs(self) -> Iterable[Peg]:
        return (peg for group in self.groups for peg in group.pegs)

    def holes(self, tools_all: int) -> Holes:
        pegs = tuple(peg for peg in self.pegs() if not peg.is_dropped and peg.cause != "meta-tool")
        return Holes(pegs, max(tools_all - len(pegs), 0))

    def after_offer(self, offer: OfferMade, origin_of: Callable[[ToolInView], Origin]) -> "Board":
        """`origin_of` is asked once for each new group, with its first tool."""
        known = {peg.name: peg for peg in self.pegs()}
        in_view = {tool.name: tool for tool in offer.tools}
        pegs: dict[str, dict[str, Peg]] = {group.call_id: {} for group in self.groups}
        origins = {group.call_id: group.origin for group in self.groups}
        for group in self.groups:
            for peg in group.pegs:
                if peg.name not in in_view:
                    pegs[group.call_id][peg.name] = replace(peg, is_dropped=True, is_new=False)
                elif in_view[peg.name].call_id == group.call_id:
                    pegs[group.call_id][peg.name] = peg
        for tool in offer.tools:
            if tool.call_id not in origins:
                origins[tool.call_id] = origin_of(tool) if tool.call_id else Origin()
            is_new = offer.turn > 1 and tool.name in offer.added
            pegs.setdefault(tool.call_id, {})[tool.name] = _peg(tool, known.get(tool.name), is_new)
        return Board(tuple(PegGroup(key, origins[key], tuple(hung.values())) for key, hung in pegs.items() if hung))

    def after_call(self, name: str, failed: bool) -> "Board":
        return Board(tuple(_counted(group, name, failed) for group in self.groups))


def _peg(tool: ToolInView, known: Peg | None, is_new: bool) -> Peg:
    peg = known or Peg(tool.name, tool.server, tool.cause, tool.tokens)
    return replace(peg, cause=tool.cause, tokens=tool.tokens, is_new=is_new, is_dropped=False)


def _counted(group: PegGroup, name: str, failed: bool) -> PegGroup:
    if all(peg.name != name for peg in group.pegs):
        return group
    pegs = (replace(peg, calls=peg.calls + 1, failed_last=failed) if peg.name == name else peg for peg in group.pegs)
    return replace(group, pegs=tuple(pegs))


@dataclass(frozen=True, slots=True)
class TurnTokens:
    """The estimated tokens of one turn's tools and messages, and whether the prompt's beginning stayed as it was."""

    turn: int
    tokens: int
    prefix_kept: bool
    messages: int = 0
    prefix: PromptPrefix | None = None


@dataclass(frozen=True, slots=True)
class Meter:
    """How much of the catalog is in view. `in_view` counts the catalog's own tools, `tokens` the meta-tools too.

    `messages` are the tokens of all else that the last turn sent. `unknown` names what the log of an imported run lacks.
    """

    tools_all: int = 0
    tokens_all: int = 0
    in_view: int = 0
    meta_in_view: int = 0
    tokens: int = 0
    messages: int = 0
    limits: RunLimits | None = None
    turns: tuple[TurnTokens, ...] = ()
    unknown: tuple[str, ...] = ()

    @property
    def saved(self) -> int:
        """Tokens of one prompt, against sending every tool; below zero where the meta-tools cost more than they spare."""
        return self.tokens_all - self.tokens

    @property
    def more(self) -> int:
        return -self.saved

    @property
    def prefix_since(self) -> int:
        """The turn since which each prompt has begun as the one before it did."""
        return max((turn.turn for turn in self.turns if not turn.prefix_kept), default=1)

    @property
    def broke(self) -> str:
        """What broke the prefix last; empty where nothing did, or an old record does not say."""
        broken = (turn.prefix.broke for turn in reversed(self.turns) if turn.prefix)
        return next(filter(None, broken), "")

    def after_offer(self, offer: OfferMade) -> "Meter":
        meta = sum(tool.cause == "meta-tool" for tool in offer.tools)
        turn = TurnTokens(offer.turn, offer.tokens, offer.prefix_kept, offer.message_tokens, offer.prefix)
        return replace(
            self,
            in_view=len(offer.tools) - meta,
            meta_in_view=meta,
            tokens=offer.tokens,
            messages=offer.message_tokens,
            turns=(*self.turns, turn),
            unknown=tuple(dict.fromkeys((*self.unknown, *offer.unknown))),
        )
