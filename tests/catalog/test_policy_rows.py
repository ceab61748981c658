"""A catalog's policy from its rows and from code that the deployment names."""

import pytest
from django.core.exceptions import ImproperlyConfigured
from pytest_django.fixtures import Settings

from catalog.models import Catalog
from catalog.policy import Condition
from catalog.policy_rows import PolicyUnusableError, policy_of, policy_to_try
from catalog.tools import ToolSpec
from config.environment import env_policies
from tests.catalog.policies import add

HERE = "tests.catalog.policies"
TOOL = ToolSpec("team__notify_user")


@pytest.fixture(autouse=True)
def policies(settings: Settings) -> None:
    settings.PEGBOARD_POLICIES = {
        "staff": f"{HERE}:only_staff",
        "never": f"{HERE}:never",
        "missing": f"{HERE}:nobody",
        "nowhere": "no_such_package.policies:ask",
        "number": f"{HERE}:NOT_A_FUNCTION",
    }


def test_rules_are_asked_in_their_order_less_those_switched_off(team: Catalog) -> None:
    add(team, "*", enabled=False)
    add(team, "team__notify_*", ["search"], Condition("role", ("guest",)))
    add(team, "*", ["search"], allow=True)
    assert policy_of(team, {}).denial(TOOL, "search") is None
    denial = policy_of(team, {"role": "guest"}).denial(TOOL, "search")
    assert denial and denial.reason == "the rule “deny team__notify_* in search where role is guest”"
    assert denial.rule == team.policy_rules.get(pattern="team__notify_*").pk


def test_code_that_is_named_is_asked(team: Catalog) -> None:
    team.policy = "staff"
    assert policy_of(team, {"role": "staff"}).denial(TOOL, "load") is None
    assert policy_of(team, {"role": "guest"}).denial(TOOL, "load")
    team.policy = "never"
    assert policy_of(team, {}).denial(TOOL, "load")


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("gone", "not in PEGBOARD_POLICIES"),
        ("missing", "cannot be imported: AttributeError"),
        ("nowhere", "cannot be imported: ModuleNotFoundError"),
        ("number", "cannot be called"),
    ],
)
def test_code_that_is_not_there_allows_nothing(team: Catalog, name: str, said: str) -> None:
    team.policy = name
    with pytest.raises(PolicyUnusableError, match=said):
        policy_of(team, {})
    denial = policy_to_try(team).denial(TOOL, "search")
    assert denial and "PolicyUnusableError" in denial.reason and said in denial.reason


def test_the_setting_names_code_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PEGBOARD_POLICIES", "a=shop.policies:ask, b = shop:other")
    assert env_policies("PEGBOARD_POLICIES") == {"a": "shop.policies:ask", "b": "shop:other"}


@pytest.mark.parametrize(
    "text", ["a", "a=b", "a=b:c:d", "=b:c", "a=b:c,a=d:e", "a=os.system('x'):y", "a b=c:d", "a=..b:c"]
)
def test_an_odd_setting_is_refused(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setenv("PEGBOARD_POLICIES", text)
    with pytest.raises(ImproperlyConfigured, match="PEGBOARD_POLICIES has"):
        env_policies("PEGBOARD_POLICIES")
