"""Who may search, load and use which tool: rules first, then the question; what fails counts as no."""

import asyncio
from threading import Event

import pytest

from catalog.policy import ALLOW_ALL, Condition, Context, Denial, Phase, Policy, Rule
from catalog.policy_question import Asker
from catalog.tools import ToolSpec

MAIL = ToolSpec("send_email", "Send an email")
WEATHER = ToolSpec("get_weather", "Weather now")
GUEST = Condition("role", ("guest",))


def test_without_rules_all_is_allowed() -> None:
    assert ALLOW_ALL.denial(MAIL, "search") is None
    assert not ALLOW_ALL


def test_a_rule_denies_by_name_and_phase() -> None:
    policy = Policy((Rule(allow=False, name="send_*", phases=("load",), key=7),))
    assert policy.denial(MAIL, "load") == Denial("send_email", "load", "the rule “deny send_* in load”", rule=7)
    assert policy.denial(MAIL, "search") is None
    assert policy.denial(WEATHER, "load") is None


def test_the_first_rule_that_fits_decides() -> None:
    rules = (Rule(allow=True, name="send_email"), Rule(allow=False))
    assert Policy(rules).denial(MAIL, "search") is None
    assert Policy(rules).denial(WEATHER, "search")
    assert Policy(rules[::-1]).denial(MAIL, "search")


@pytest.mark.parametrize(
    ("condition", "context", "holds"),
    [
        (GUEST, {"role": "guest"}, True),
        (GUEST, {"role": "staff"}, False),
        (GUEST, {}, False),
        (Condition("role", ("guest", "partner")), {"role": "partner"}, True),
        (Condition("role", ("admin",), is_not=True), {"role": "guest"}, True),
        (Condition("role", ("admin",), is_not=True), {"role": "admin"}, False),
        (Condition("role", ("admin",), is_not=True), {}, True),
        (Condition("level", ("5",)), {"level": 5}, True),
        (Condition("trusted", ("true",)), {"trusted": True}, True),
        (Condition("trusted", ("1",)), {"trusted": True}, False),
    ],
)
def test_a_condition_reads_the_request(condition: Condition, context: Context, holds: bool) -> None:
    denial = Policy((Rule(allow=False, when=(condition,)),), context=context).denial(MAIL, "active")
    assert (denial is not None) == holds


def test_a_rule_says_what_it_does() -> None:
    conditions = (Condition("role", ("guest", "partner")), Condition("team", ("sales",), is_not=True))
    rule = Rule(allow=False, name="send_*", phases=("search", "load"), when=conditions)
    assert str(rule) == "deny send_* in search, load where role is guest or partner and team is not sales"


def test_a_rule_that_cannot_be_read_denies() -> None:
    denial = Policy((Rule(allow=True, name="x" * 10_000),)).denial(MAIL, "load")
    assert denial and denial.reason.startswith("a rule cannot be read: pattern too large")


@pytest.mark.parametrize("name", ["send\0*", "\u202e*", "send_*" * 20, "(send", "\udcff*"])
def test_an_odd_pattern_fits_nothing_here_and_breaks_nothing(name: str) -> None:
    denial = Policy((Rule(allow=False, name=name),)).denial(MAIL, "load")
    assert denial is None or denial.reason.startswith("a rule cannot be read")


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


def leaves(tool: ToolSpec, phase: Phase, context: Context) -> bool:
    raise SystemExit(3)


def test_a_question_may_be_asynchronous() -> None:
    assert Policy(question=refuses).denial(MAIL, "load") == Denial("send_email", "load", "the policy said no")


async def test_it_can_be_asked_beside_a_running_event_loop() -> None:
    assert Policy(question=refuses).denial(MAIL, "load")


@pytest.mark.parametrize("question", [breaks, breaks_at_once])
def test_a_question_that_fails_denies(question: object) -> None:
    denial = Policy(question=question).denial(MAIL, "load")  # type: ignore[arg-type]
    assert denial == Denial("send_email", "load", "the policy failed: LookupError: no such person")


def test_a_question_that_would_end_the_process_denies() -> None:
    denial = Policy(question=leaves).denial(MAIL, "load")
    assert denial and denial.reason == "the policy failed: SystemExit: 3"


def test_a_question_that_hangs_denies_and_is_not_asked_again() -> None:
    asked: list[str] = []
    let_go = Event()

    def hangs(tool: ToolSpec, phase: Phase, context: Context) -> bool:
        asked.append(tool.name)
        return let_go.wait(30)

    asker = Asker(hangs, seconds=0.05)
    refusals = [asker.refusal(tool, "load", {}) for tool in (MAIL, WEATHER)]
    let_go.set()
    assert refusals == ["the policy did not answer within 0.05 seconds"] * 2
    assert asked == ["send_email"]


def test_an_asynchronous_question_that_hangs_denies() -> None:
    async def hangs(tool: ToolSpec, phase: Phase, context: Context) -> bool:
        await asyncio.sleep(30)
        return True

    assert "did not answer" in Asker(hangs, seconds=0.05).refusal(MAIL, "load", {})


def test_a_question_cannot_change_the_context_of_others() -> None:
    context = {"role": "guest"}

    def meddles(tool: ToolSpec, phase: Phase, told: Context) -> bool:
        assert isinstance(told, dict)
        told["role"] = "admin"
        return True

    assert Policy(question=meddles, context=context).denial(MAIL, "load") is None
    assert context == {"role": "guest"}
