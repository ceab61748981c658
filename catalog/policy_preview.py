"""What a policy says of a catalog: who is denied where, by which rule, and which rules decide nothing."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

from catalog.patterns import PatternError
from catalog.platforms import refusal
from catalog.policy import PHASES, Denial, Phase, Policy, Rule
from catalog.tools import ToolPool, ToolSpec

Deciders = dict[tuple[str, Phase], Rule]
"""By the name of a tool and a phase."""


@dataclass(frozen=True, slots=True)
class PhaseCount:
    phase: Phase
    allowed: int
    denied: int


@dataclass(frozen=True, slots=True)
class DeniedTools:
    """The tools that are denied for one reason; `rule` is the key of the rule, 0 if none did it."""

    reason: str
    rule: int
    phases: tuple[Phase, ...]
    tools: tuple[ToolSpec, ...]


@dataclass(frozen=True, slots=True)
class RuleUse:
    """How many tools a rule decides for, in any phase; `idle` says why it decides for none."""

    tools: int
    idle: str = ""


@dataclass(frozen=True, slots=True)
class Preview:
    """Of one context; `uses` has each rule by its key."""

    phases: tuple[PhaseCount, ...]
    denied: tuple[DeniedTools, ...]
    uses: Mapping[int, RuleUse]


def preview(pool: ToolPool, policy: Policy, numbers: Mapping[int, int]) -> Preview:
    """`numbers` are those under which a page shows the rules, by key."""
    deciders = _deciders(pool, policy)
    rest = Policy((), policy.question, policy.context) if all(map(_is_readable, policy.rules)) else policy
    asked = ((tool, _denial(tool, phase, deciders, rest)) for tool in pool for phase in PHASES)
    denials = [(tool, denial) for tool, denial in asked if denial]
    counts = Counter(denial.phase for _, denial in denials)
    phases = tuple(PhaseCount(phase, len(pool) - counts[phase], counts[phase]) for phase in PHASES)
    uses = {rule.key: _use(rule, pool, deciders, policy, numbers) for rule in policy.rules}
    return Preview(phases, tuple(_grouped(denials)), uses)


def _grouped(denials: Sequence[tuple[ToolSpec, Denial]]) -> Iterator[DeniedTools]:
    groups: dict[tuple[str, int], list[tuple[ToolSpec, Denial]]] = {}
    for tool, denial in denials:
        groups.setdefault((denial.reason, denial.rule), []).append((tool, denial))
    for (reason, rule), found in groups.items():
        phases = tuple(phase for phase in PHASES if any(denial.phase == phase for _, denial in found))
        yield DeniedTools(reason, rule, phases, tuple({tool.name: tool for tool, _ in found}.values()))


def _use(rule: Rule, pool: ToolPool, deciders: Deciders, policy: Policy, numbers: Mapping[int, int]) -> RuleUse:
    try:
        named = [tool for tool in pool if rule.names(tool)]
    except PatternError as error:
        return RuleUse(0, f"a pattern cannot be read, and so all is denied: {error}")
    if not named:
        return RuleUse(0, "no tool here has such a name")
    if not rule.holds(policy.context):
        return RuleUse(0, "its conditions do not hold in this context")
    deciding = [(tool, deciders.get((tool.name, phase))) for tool in named for phase in rule.phases]
    if decided := {tool.name for tool, one in deciding if one is rule}:
        return RuleUse(len(decided))
    found = sorted({numbers[one.key] for _, one in deciding if one})
    if not found:
        return RuleUse(0, "a rule before it has a pattern that cannot be read")
    return RuleUse(0, f"shadowed by rule{'s' if len(found) > 1 else ''} {', '.join(map(str, found))}")


def _is_readable(rule: Rule) -> bool:
    try:
        rule.names(ToolSpec(""))
    except PatternError:
        return False
    return True


def _denial(tool: ToolSpec, phase: Phase, deciders: Deciders, rest: Policy) -> Denial | None:
    """`rest` is asked where no rule decides."""
    if refusal(tool, rest.platform):
        return rest.denial(tool, phase)
    rule = deciders.get((tool.name, phase))
    return rule.denial(tool, phase) if rule else rest.denial(tool, phase)


def _deciders(pool: ToolPool, policy: Policy) -> Deciders:
    """The rule that decides for each tool in each phase, where one does and all before it can be read."""
    holding = [rule for rule in policy.rules if rule.holds(policy.context)]
    found: Deciders = {}
    for tool in pool:
        with suppress(PatternError):
            for rule in holding:
                if rule.names(tool):
                    for phase in rule.phases:
                        found.setdefault((tool.name, phase), rule)
    return found
