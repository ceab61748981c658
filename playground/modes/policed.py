"""Any mode under the policy of its session: what is denied is not found, not loaded, not in view.

A mode keeps nothing of its own and answers from the pool and the engine that it is given. So it is asked over what the
phase allows: for what it finds and lists, over tools that may be searched; for what it loads, over those that may be
loaded. Mastra's modes ask the policy themselves, as their system does; of tools in view from the start, which it does
not ask about, they are told here.
"""

from collections.abc import Callable, Collection, Iterable
from dataclasses import replace
from functools import cached_property
from typing import Any, cast

from catalog.policed_search import PolicedEngine
from catalog.policy import Denial, Phase
from catalog.search.engine import Engine
from catalog.search.settings import TypedSettings
from catalog.tools import ToolPool, ToolSpec
from playground.modes.protocol import Answer, DiscoveryMode, Offer, Session
from playground.modes.searching import loads_by_name
from playground.transcript import ToolCall, Transcript

Make = Callable[[ToolPool, Engine], DiscoveryMode]


def make_mode(
    kind: type[DiscoveryMode], pool: ToolPool, engine: Engine, options: TypedSettings, session: Session
) -> DiscoveryMode:
    """The mode as a run has it: by itself where its catalog has no policy."""
    if not session.policy:
        return kind(pool, engine, options, session)
    if getattr(kind, "asks_policy", False):
        return cast(DiscoveryMode, _SelfAsking(kind, kind(pool, engine, options, session), pool, session))
    return cast(DiscoveryMode, Policed(kind, pool, engine, options, session))


class _Kept:
    """What every mode under a policy has: its names, and what may be in view."""

    def __init__(self, kind: type[DiscoveryMode], pool: ToolPool, session: Session) -> None:
        self.slug, self.title, self.summary, self.source = kind.slug, kind.title, kind.summary, kind.source
        self.meta_tools, self.default_engine, self.Options = kind.meta_tools, kind.default_engine, kind.Options
        self._pool, self._policy = pool, session.policy

    def _denials(self, tools: Iterable[ToolSpec], *phases: Phase) -> tuple[Denial, ...]:
        """Of each tool the first, where it is denied in any of the phases."""
        asked = (next(filter(None, (self._policy.denial(tool, phase) for phase in phases)), None) for tool in tools)
        return tuple(filter(None, asked))

    def _less(self, offer: Offer, denials: tuple[Denial, ...]) -> Offer:
        """Denied tools hide again: among the deferred, where they are counted and not offered."""
        names = {denial.tool for denial in denials}
        hidden = tuple(tool for tool in offer.tools if tool.name in names)
        tools = tuple(tool for tool in offer.tools if tool.name not in names)
        return replace(offer, tools=tools, deferred=(*offer.deferred, *hidden), denials=(*offer.denials, *denials))


class _SelfAsking(_Kept):
    def __init__(self, kind: type[DiscoveryMode], mode: DiscoveryMode, pool: ToolPool, session: Session) -> None:
        super().__init__(kind, pool, session)
        self._mode = mode

    def offer(self, transcript: Transcript) -> Offer:
        return self._less(self._mode.offer(transcript), self._denials(self._pool.upfront, "active"))

    def answer(self, call: ToolCall, transcript: Transcript) -> Answer:
        return self._mode.answer(call, transcript)


class Policed(_Kept):
    """A mode that knows nothing of policies, under one."""

    def __init__(
        self, kind: type[DiscoveryMode], pool: ToolPool, engine: Engine, options: Any, session: Session
    ) -> None:
        super().__init__(kind, pool, session)
        self._make: Make = lambda tools, asked: kind(tools, asked, options, session)
        self._engine = engine
        self._loader = loads_by_name(kind.meta_tools)

    def offer(self, transcript: Transcript) -> Offer:
        """In view as ever, less what is denied `active`; lists of names have what may be searched.

        A provider that searches by itself is handed only what is allowed in every phase.
        """
        made = self._make(self._pool, self._engine).offer(transcript)
        if made.path == "provider":
            made = self._make(*self._handed).offer(transcript)
            made = replace(made, denials=self._denied_to_provider)
        else:
            listing = self._make(self._listed, self._engine).offer(transcript)
            made = replace(made, instructions=listing.instructions, reminder=listing.reminder)
        of_the_pool = [tool for tool in made.tools if tool.name in self._pool.by_name]
        return self._less(made, self._denials(of_the_pool, "active"))

    def answer(self, call: ToolCall, transcript: Transcript) -> Answer:
        """Asked again while it would load what may not be loaded: such a tool is answered as not there (M-33)."""
        by_name = call.name == self._loader
        denials: dict[str, Denial] = {}
        while True:
            pool = without(self._pool if by_name else self._listed, denials)
            answer = self._make(pool, self._searching(denials)).answer(call, transcript)
            loaded = (self._pool.by_name[name] for name in answer.loaded if name in self._pool.by_name)
            refused = self._denials(loaded, "load")
            if not refused:
                return replace(answer, denials=tuple(denials.values()))
            denials |= {denial.tool: denial for denial in refused}

    def _searching(self, denials: dict[str, Denial]) -> Engine:
        """The engine less what may not be found, and, where finding is loading, what may not be loaded; all put down."""
        phases: tuple[Phase, ...] = ("search",) if self._loader else ("search", "load")

        def denial_of(tool: ToolSpec) -> Denial | None:
            found = denials.get(tool.name) or next(iter(self._denials([tool], *phases)), None)
            if found:
                denials.setdefault(tool.name, found)
            return found

        return cast(Engine, PolicedEngine(self._engine, len(self._pool), denial_of))

    @cached_property
    def _listed(self) -> ToolPool:
        """What the model may read the names of: asked once, as the beginning of a prompt is to stay."""
        denied = self._denials(self._pool.deferred, "search")
        return without(self._pool, {denial.tool for denial in denied})

    @cached_property
    def _denied_to_provider(self) -> tuple[Denial, ...]:
        return self._denials(self._pool.deferred, "search", "load", "active")

    @cached_property
    def _handed(self) -> tuple[ToolPool, Engine]:
        return without(self._pool, {denial.tool for denial in self._denied_to_provider}), self._engine


def without(pool: ToolPool, names: Collection[str]) -> ToolPool:
    """The pool less the tools of these names."""
    if not names:
        return pool
    kept = tuple(tool for tool in pool if tool.name not in names)
    return ToolPool(kept, tuple(name for name in pool.upfront_names if name not in names))
