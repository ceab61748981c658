"""Who may search, load and use which tool: rules on a catalog, asked per request (Mastra's filter, M-32 to M-35)."""

import asyncio
import inspect
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

from catalog.patterns import compile_glob
from catalog.tools import ToolSpec

Phase = Literal["search", "load", "active"]
PHASES: tuple[Phase, ...] = ("search", "load", "active")
Context = Mapping[str, Any]
"""What is known of a request: who asks, for what; the conditions of rules read it."""
Question = Callable[[ToolSpec, Phase, Context], bool | Awaitable[bool]]
"""Whether a tool is allowed in a phase; what it raises counts as no."""


@dataclass(frozen=True)
class Rule:
    """Allows or denies the tools of a name pattern (`*` for anything) in some phases, where the context has these values."""

    allow: bool
    name: str = "*"
    phases: tuple[Phase, ...] = PHASES
    when: Context = field(default_factory=dict)

    def fits(self, tool: ToolSpec, phase: Phase, context: Context) -> bool:
        named = self._program.fullmatch(tool.name.encode("utf-8", "replace"))
        return (
            bool(named) and phase in self.phases and all(context.get(key) == value for key, value in self.when.items())
        )

    @cached_property
    def _program(self) -> Any:
        return compile_glob(self.name)

    def __str__(self) -> str:
        verb = "allow" if self.allow else "deny"
        where = "" if self.phases == PHASES else f" in {', '.join(self.phases)}"
        given = "".join(f" where {key} is {value}" for key, value in self.when.items())
        return f"{verb} {self.name}{where}{given}"


@dataclass(frozen=True, slots=True)
class Denial:
    """A tool that was kept back, in which phase, and because of what."""

    tool: str
    phase: Phase
    reason: str


@dataclass(frozen=True, slots=True)
class Policy:
    """The first rule that fits decides; where none does, the question is asked, if there is one; else all is allowed."""

    rules: tuple[Rule, ...] = ()
    question: Question | None = None
    context: Context = field(default_factory=dict)

    def __bool__(self) -> bool:
        """Whether there is anything to ask."""
        return bool(self.rules or self.question)

    def denial(self, tool: ToolSpec, phase: Phase) -> Denial | None:
        """Why the tool is not allowed; None if it is. Blocks while an asynchronous question is answered."""
        reason = self._reason(tool, phase)
        return Denial(tool.name, phase, reason) if reason else None

    def _reason(self, tool: ToolSpec, phase: Phase) -> str:
        rule = next((rule for rule in self.rules if rule.fits(tool, phase, self.context)), None)
        if rule:
            return "" if rule.allow else f"the rule “{rule}”"
        if self.question is None:
            return ""
        try:
            allowed = self._asked(self.question(tool, phase, self.context))
        except Exception as error:
            return f"the policy failed: {type(error).__name__}: {error}"
        return "" if allowed else "the policy said no"

    @staticmethod
    def _asked(answer: bool | Awaitable[bool]) -> bool:
        if not inspect.isawaitable(answer):
            return bool(answer)

        async def wait() -> bool:
            return bool(await answer)

        return asyncio.run(wait())


ALLOW_ALL = Policy()
