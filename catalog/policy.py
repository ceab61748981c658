"""Who may search, load and use which tool, asked per request: rules on a catalog (Mastra's filter, M-32 to M-35), and platforms."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal, get_args

from catalog.patterns import PatternError, compile_glob
from catalog.platforms import platform_of, refusal
from catalog.policy_question import Asker, Question
from catalog.tools import ToolSpec

Phase = Literal["search", "load", "active"]
PHASES: tuple[Phase, ...] = get_args(Phase)
"""Being found or listed, being brought into view, being in view and called."""
Context = Mapping[str, Any]
"""What is known of a request, flat: who asks, for what. Conditions of rules and the question read it."""


def as_text(value: object) -> str:
    """A value of the context as conditions compare it: `true`, `5`, or the text itself."""
    return str(value).lower() if isinstance(value, bool) else str(value)


@dataclass(frozen=True, slots=True)
class Condition:
    """Holds where the context has one of the values under the key. Turned round, where it has none of them, or no such key."""

    key: str
    values: tuple[str, ...]
    is_not: bool = False

    def holds(self, context: Context) -> bool:
        is_one = self.key in context and as_text(context[self.key]) in self.values
        return is_one != self.is_not

    def __str__(self) -> str:
        return f"{self.key} is {'not ' if self.is_not else ''}{' or '.join(self.values)}"


@dataclass(frozen=True, slots=True)
class Denial:
    """A tool that was kept back, in which phase, and because of what; `rule` is the key of the rule, 0 if none did it."""

    tool: str
    phase: Phase
    reason: str
    rule: int = 0
    by: Literal["policy", "platform"] = "policy"


@dataclass(frozen=True)
class Rule:
    """Allows or denies the tools of a name pattern (`*`, `?`) in some phases, where all conditions hold.

    `key` names its row, 0 where it has none.
    """

    allow: bool
    name: str = "*"
    phases: tuple[Phase, ...] = PHASES
    when: tuple[Condition, ...] = ()
    key: int = 0

    def names(self, tool: ToolSpec) -> bool:
        """Whether the tool is of its pattern. Raises PatternError if that cannot be read."""
        return self._program.fullmatch(tool.name.encode("utf-8", "replace")) is not None

    def holds(self, context: Context) -> bool:
        return all(condition.holds(context) for condition in self.when)

    def fits(self, tool: ToolSpec, phase: Phase, context: Context) -> bool:
        """Raises PatternError."""
        return phase in self.phases and self.holds(context) and self.names(tool)

    def denial(self, tool: ToolSpec, phase: Phase) -> Denial | None:
        """What it says of a tool for which it decides."""
        return None if self.allow else Denial(tool.name, phase, f"the rule “{self}”", self.key)

    @cached_property
    def _program(self) -> Any:
        return compile_glob(self.name)

    def __str__(self) -> str:
        verb = "allow" if self.allow else "deny"
        where = "" if self.phases == PHASES else f" in {', '.join(self.phases)}"
        given = f" where {' and '.join(map(str, self.when))}" if self.when else ""
        return f"{verb} {self.name}{where}{given}"


@dataclass(frozen=True)
class Policy:
    """The first rule that fits decides; where none does, the question is asked, if there is one; else all is allowed.

    Before that, a tool that does not run on the platform of the request is denied everything.
    """

    rules: tuple[Rule, ...] = ()
    question: Question | None = None
    context: Context = field(default_factory=dict)

    def __bool__(self) -> bool:
        """Whether there is anything to ask."""
        return bool(self.rules or self.question or self.platform)

    def may_deny(self, phase: Phase) -> bool:
        """Whether any tool could be denied in the phase."""
        return bool(self.platform) or self.may_rule_out(phase)

    def may_rule_out(self, phase: Phase) -> bool:
        """Whether a rule or the question could deny any tool in the phase."""
        return self.question is not None or any(not rule.allow and phase in rule.phases for rule in self.rules)

    def denial(self, tool: ToolSpec, phase: Phase) -> Denial | None:
        """Why the tool is not allowed; None if it is. May block for some seconds while the question is answered."""
        if why := refusal(tool, self.platform):
            return Denial(tool.name, phase, why, by="platform")
        return self.ruling(tool, phase)

    def ruling(self, tool: ToolSpec, phase: Phase) -> Denial | None:
        """Why rules or the question do not allow it, wherever the request comes from. May block as `denial`."""
        try:
            rule = self.deciding(tool, phase)
        except PatternError as error:
            return Denial(tool.name, phase, f"a rule cannot be read: {error}")
        if rule:
            return rule.denial(tool, phase)
        reason = self._asker.refusal(tool, phase, self.context) if self._asker else ""
        return Denial(tool.name, phase, reason) if reason else None

    def deciding(self, tool: ToolSpec, phase: Phase) -> Rule | None:
        """The first rule that fits. Raises PatternError."""
        return next((rule for rule in self.rules if rule.fits(tool, phase, self.context)), None)

    @cached_property
    def platform(self) -> str:
        """Where the request comes from; empty where its context does not say."""
        return platform_of(self.context)

    @cached_property
    def _asker(self) -> Asker | None:
        return Asker(self.question) if self.question else None


ALLOW_ALL = Policy()
