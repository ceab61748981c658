"""The policy page: rules in order, what they say of a context, and changing them with undo."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from playwright.async_api import Page, expect
from pytest_django.fixtures import Settings

from catalog.models import Catalog, PolicyRule
from catalog.policy import PHASES, Condition
from catalog.roles import Role
from tests.catalog.pages import text_of
from tests.catalog.policies import add
from tests.forms import send

ClientAs = Callable[[Role], Client]
PAGE = "/catalogs/team-agent/policy/"
RULE: dict[str, Any] = {
    "allow": "deny",
    "pattern": "team__notify_*",
    "phases": ["search", "load"],
    "conditions": "",
    "note": "",
}


@pytest.fixture
def curator(client_as: ClientAs, team: Catalog) -> Client:
    return client_as(Role.CURATOR)


def rules(catalog: Catalog) -> list[str]:
    return [str(rule) for rule in catalog.policy_rules.all()]


def post(client: Client, act: str, data: dict[str, Any]) -> str:
    page = f"{PAGE}?rule={data['rule']}" if act == "rule" and "rule" in data else PAGE
    response = send(client, page, data, f"{PAGE}{act}/", follow=True)
    assert response.status_code == 200
    return response.content.decode()


def undo(client: Client, page: str) -> str:
    found = re.search(rf'action="{PAGE}(undo/[^"]+)/"', page)
    assert found
    return post(client, found[1], {})


def test_without_rules_the_page_says_what_a_rule_is(curator: Client) -> None:
    page = text_of(curator, PAGE)
    assert "No rules: every request may use every tool" in page
    assert "Nothing is denied." in page


def test_a_rule_is_added_at_the_end_and_undone(curator: Client, team: Catalog) -> None:
    add(team, "first")
    page = post(curator, "rule", RULE | {"conditions": "role is guest or partner", "note": "Guests tell nobody."})
    assert rules(team)[1:] == ["deny team__notify_* in search, load where role is guest or partner"]
    assert "Guests tell nobody." in page
    assert "Undone" in undo(curator, page)
    assert rules(team) == ["deny first"]


def test_a_rule_is_edited_in_its_place(curator: Client, team: Catalog) -> None:
    rule, _ = add(team, "a", ["load"], Condition("role", ("guest",))), add(team, "b")
    form = text_of(curator, f"{PAGE}?rule={rule.pk}")
    assert "role is guest</textarea>" in form
    page = post(curator, "rule", RULE | {"rule": rule.pk, "allow": "allow", "phases": list(PHASES)})
    assert rules(team) == ["allow team__notify_*", "deny b"]
    undo(curator, page)
    assert rules(team) == ["deny a in load where role is guest", "deny b"]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"pattern": "x" * 10_000}, "at most 300 characters"),
        ({"pattern": "a\0b"}, "Null characters are not allowed"),
        ({"pattern": ""}, "This field is required"),
        ({"phases": []}, "This field is required"),
        ({"phases": ["always"]}, "not one of the available choices"),
        ({"allow": "perhaps"}, "not one of the available choices"),
        ({"conditions": "role = guest"}, "Line 1: write it as"),
    ],
)
def test_what_is_no_rule_is_told_at_its_field(
    curator: Client, team: Catalog, change: dict[str, Any], said: str
) -> None:
    assert said in post(curator, "rule", RULE | change)
    assert rules(team) == []


def test_a_pattern_from_a_stranger_is_shown_and_not_obeyed(curator: Client, team: Catalog) -> None:
    page = post(curator, "rule", RULE | {"pattern": "\u202e<img src=x>*", "note": "<script>alert(1)</script>"})
    assert "<img src=x>" not in page and "<script>alert" not in page
    assert "&lt;img src=x&gt;*" in page
    assert "U+202E" in page and "\u202e" not in page


def test_a_policy_has_an_end(curator: Client, team: Catalog) -> None:
    PolicyRule.objects.bulk_create(PolicyRule(catalog=team, phases=list(PHASES)) for _ in range(200))
    assert "A policy has at most 200 rules." in post(curator, "rule", RULE)
    assert team.policy_rules.count() == 200


def test_rules_move_and_stay_within_the_list(curator: Client, team: Catalog) -> None:
    first, *_ = (add(team, name) for name in "abc")
    for action, order in (
        ("down", "bac"),
        ("down", "bca"),
        ("down", "bca"),
        ("up", "bac"),
        ("up", "abc"),
        ("up", "abc"),
    ):
        post(curator, "act", {"rule": first.pk, "action": action})
        assert [rule.pattern for rule in team.policy_rules.all()] == [*order]


def test_a_rule_is_switched_off_and_deleted_and_both_are_undone(curator: Client, team: Catalog) -> None:
    rule = add(team, "*")
    page = post(curator, "act", {"rule": rule.pk, "action": "switch"})
    assert "switched off" in page and "Nothing is denied." in page
    page = post(curator, "act", {"rule": rule.pk, "action": "delete"})
    assert rules(team) == []
    undo(curator, page)
    assert team.policy_rules.get().pk == rule.pk
    assert not team.policy_rules.get().enabled


def test_nothing_is_undone_over_a_later_change(curator: Client, team: Catalog) -> None:
    page = post(curator, "rule", RULE)
    add(team, "by somebody else")
    assert "Nothing was undone" in undo(curator, page)
    assert len(rules(team)) == 2


def test_a_rule_of_another_catalog_is_out_of_reach(curator: Client, team: Catalog) -> None:
    rule = add(Catalog.objects.create(slug="other", title="Other"), "*")
    assert curator.post(f"{PAGE}act/", {"rule": rule.pk, "action": "delete"}).status_code == 400
    post(curator, "rule", RULE | {"rule": rule.pk})
    assert rules(rule.catalog) == ["deny *"]


@pytest.mark.parametrize("key", ["0", "²", "-1", "9" * 40, "x", ""])
def test_an_odd_key_is_no_rule(curator: Client, key: str) -> None:
    assert curator.post(f"{PAGE}act/", {"rule": key, "action": "delete"}).status_code == 400
    assert "rule-form" not in text_of(curator, f"{PAGE}?rule={key}").split("Add a rule")[1]


def test_another_context_is_tried_and_not_kept(curator: Client, team: Catalog) -> None:
    add(team, "team__notify_*", PHASES, Condition("role", ("guest",)))
    assert "Nothing is denied." in text_of(curator, PAGE)
    tried = text_of(curator, f"{PAGE}?context_to_try=role+%3D+guest", HX_Target="policy-tried")
    assert "team__notify_user" in tried and "2 tools" in tried and "<html" not in tried
    assert "The context cannot be read." in text_of(curator, f"{PAGE}?context_to_try=guest")
    team.refresh_from_db()
    assert team.context_to_try == {}


def test_a_context_is_kept_and_undone(curator: Client, team: Catalog) -> None:
    page = post(curator, "keep", {"context_to_try": "role = guest\nlevel = 5", "policy": ""})
    team.refresh_from_db()
    assert team.context_to_try == {"role": "guest", "level": 5}
    undo(curator, page)
    team.refresh_from_db()
    assert team.context_to_try == {}


def test_only_code_that_the_deployment_names_can_be_chosen(curator: Client, team: Catalog, settings: Settings) -> None:
    settings.PEGBOARD_POLICIES = {"staff": "tests.catalog.policies:only_staff"}
    assert "Select a valid choice" in post(curator, "keep", {"policy": "os:system", "context_to_try": ""})
    assert "the policy said no" in post(curator, "keep", {"policy": "staff", "context_to_try": ""})
    team.refresh_from_db()
    assert team.policy == "staff"


def test_a_page_whose_code_is_gone_says_that_no_run_can_begin(curator: Client, team: Catalog) -> None:
    team.policy = "gone"
    team.save()
    assert "No run of this catalog can begin." in text_of(curator, PAGE)


def test_a_viewer_reads_and_has_no_buttons(client_as: ClientAs, team: Catalog) -> None:
    rule = add(team, "team__notify_*")
    page = text_of(client_as(Role.VIEWER), f"{PAGE}?rule={rule.pk}")
    assert "team__notify_*" in page
    assert "policy/act/" not in page and 'id="rule-form"' not in page and ">Keep<" not in page


@pytest.mark.browser
@pytest.mark.asyncio(loop_scope="session")
async def test_from_a_rule_to_what_it_denies_by_keyboard(sample: Catalog, page: Page) -> None:
    await page.goto("/catalogs/office-agent/policy/")
    for pattern in ("chat__*", "mail__*"):
        await page.get_by_role("link", name="Add a rule").click()
        await page.get_by_label("Tools named").fill(pattern)
        await page.get_by_label("Where", exact=True).fill("role is guest")
        await page.get_by_label("Tools named").press("Enter")
        await expect(page.locator("#messages")).to_contain_text("added")
    await expect(page.locator("#policy-tried")).to_contain_text("Nothing is denied.")
    await page.wait_for_load_state("networkidle")
    await page.get_by_label("Context to try").fill("role = guest")
    await expect(page.locator("#policy-tried")).to_contain_text("deny mail__* where role is guest")
    await expect(page).to_have_url(re.compile("context_to_try=role"))
    await page.get_by_role("button", name="Keep").click()
    await page.get_by_role("button", name="Move “deny mail__* where role is guest” up").press("Enter")
    await expect(page.locator(".policy-rules > li").first).to_contain_text("mail__*")
    await page.get_by_role("button", name="Delete “deny mail__* where role is guest”").press("Enter")
    await expect(page.locator(".policy-rules > li")).to_have_count(1)
    await page.get_by_role("button", name="Undo").click()
    await expect(page.locator(".policy-rules > li")).to_have_count(2)
