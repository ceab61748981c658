"""What a policy says of a catalog, and rules that decide nothing."""

import pytest

from catalog.policy import Condition, Policy, Rule
from catalog.policy_preview import Preview, preview
from catalog.tools import ToolPool, ToolSpec

POOL = ToolPool(tuple(ToolSpec(name) for name in ("mail__send", "mail__read", "files__read")))
GUEST = (Condition("role", ("guest",)),)


def seen(*rules: Rule) -> Preview:
    numbers = {rule.key: number for number, rule in enumerate(rules, start=1)}
    return preview(POOL, Policy(rules, context={"role": "guest"}), numbers)


def test_each_phase_counts_what_it_allows_and_denies() -> None:
    found = seen(Rule(allow=False, name="mail__*", phases=("search",), key=1), Rule(allow=False, name="*__send", key=2))
    assert [(one.phase, one.allowed, one.denied) for one in found.phases] == [
        ("search", 1, 2),
        ("load", 2, 1),
        ("active", 2, 1),
    ]


def test_denied_tools_stand_under_the_rule_that_did_it() -> None:
    found = seen(Rule(allow=False, name="mail__*", phases=("search",), key=1), Rule(allow=False, name="*__send", key=2))
    assert [(group.rule, group.phases, [tool.name for tool in group.tools]) for group in found.denied] == [
        (1, ("search",), ["mail__send", "mail__read"]),
        (2, ("load", "active"), ["mail__send"]),
    ]


@pytest.mark.parametrize(
    ("rule", "idle"),
    [
        (Rule(allow=False, name="git__*", key=9), "no tool here has such a name"),
        (Rule(allow=False, name="mail__send", key=9), "shadowed by rule 1"),
        (Rule(allow=False, name="mail__send", phases=("load",), key=9), "shadowed by rule 1"),
        (Rule(allow=False, name="*__read", phases=("search",), key=9), "shadowed by rules 1, 2"),
        (Rule(allow=False, when=(Condition("role", ("staff",)),), key=9), "its conditions do not hold in this context"),
        (Rule(allow=False, key=9), ""),
    ],
)
def test_a_rule_that_decides_nothing_says_why(rule: Rule, idle: str) -> None:
    before = (
        Rule(allow=True, name="mail__*", key=1),
        Rule(allow=False, name="files__*", phases=("search",), when=GUEST, key=2),
    )
    use = seen(*before, rule).uses[9]
    assert use.idle == idle
    assert bool(use.tools) == (not idle)


def test_equal_rules_are_told_apart() -> None:
    twice = [Rule(allow=False, name="mail__*", key=key) for key in (1, 2)]
    uses = seen(*twice).uses
    assert (uses[1].tools, uses[2].idle) == (2, "shadowed by rule 1")


def test_a_pattern_that_cannot_be_read_says_so() -> None:
    found = seen(Rule(allow=True, name="x" * 2_000, key=1), Rule(allow=True, key=2))
    assert found.phases[0].denied == 3
    assert "a pattern cannot be read" in found.uses[1].idle
    assert found.uses[2].idle == "a rule before it has a pattern that cannot be read"
