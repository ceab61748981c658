"""Who may search, load and use which tool: rules first, then the question; what fails counts as no."""

import pytest

from catalog.tools import ToolSpec
from playground.modes.policy import ALLOW_ALL, Context, Denial, Phase, Policy, Rule

MAIL = ToolSpec("send_email", "Send an email")
WEATHER = ToolSpec("get_weather", "Weather now")


def test_without_rules_all_is_allowed() -> None:
    assert ALLOW_ALL.denial(MAIL, "search") is None
    assert not ALLOW_ALL


def test_a_rule_denies_by_name_and_phase() -> None:
    policy = Policy((Rule(allow=False, name="send_*", phases=("load",)),))
    assert policy.denial(MAIL, "load") == Denial("send_email", "load", "the rule “deny send_* in load”")
    assert policy.denial(MAIL, "search") is None
    assert policy.denial(WEATHER, "load") is None


def test_the_first_rule_that_fits_decides() -> None:
    rules = (Rule(allow=True, name="send_email"), Rule(allow=False))
    assert Policy(rules).denial(MAIL, "search") is None
    assert Policy(rules).denial(WEATHER, "search")
    assert Policy(rules[::-1]).denial(MAIL, "search")


def test_a_condition_reads_the_request() -> None:
    rule = Rule(allow=False, when={"role": "guest"})
    assert Policy((rule,), context={"role": "guest"}).denial(MAIL, "active")
    assert Policy((rule,), context={"role": "staff"}).denial(MAIL, "active") is None
    assert Policy((rule,)).denial(MAIL, "active") is None
    assert str(rule) == "deny * where role is guest"


def test_a_question_is_asked_where_no_rule_fits() -> None:
    def only_mail(tool: ToolSpec, phase: Phase, context: Context) -> bool:
        return tool.name == "send_email"

    policy = Policy((Rule(allow=True, name="get_*", phases=("search",)),), only_mail)
    assert policy.denial(MAIL, "load") is None
    assert policy.denial(WEATHER, "search") is None
    assert policy.denial(WEATHER, "load") == Denial("get_weather", "load", "the policy said no")


async def refuses(tool: ToolSpec, phase: Phase, context: Context) -> bool:
    return False


async def breaks(tool: ToolSpec, phase: Phase, context: Context) -> bool:
    raise LookupError("no such person")


def breaks_at_once(tool: ToolSpec, phase: Phase, context: Context) -> bool:
    raise LookupError("no such person")


def test_a_question_may_be_asynchronous() -> None:
    assert Policy(question=refuses).denial(MAIL, "load") == Denial("send_email", "load", "the policy said no")


@pytest.mark.parametrize("question", [breaks, breaks_at_once])
def test_a_question_that_fails_denies(question: object) -> None:
    denial = Policy(question=question).denial(MAIL, "load")  # type: ignore[arg-type]
    assert denial == Denial("send_email", "load", "the policy failed: LookupError: no such person")
