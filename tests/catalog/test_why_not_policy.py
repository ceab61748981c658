"""Why not, where a policy keeps a tool from being found: its gate, the rule that lets it past, and its undoing."""

from collections.abc import Callable

import pytest
from django.test import Client

from catalog.models import Catalog
from catalog.policy import Condition
from catalog.roles import Role
from tests.catalog.pages import text_of
from tests.catalog.policies import add
from tests.catalog.test_search_page import hit_names
from tests.catalog.test_why_not import SOUGHT, address, apply, offered, ranks, undo_address

GUEST = Condition("role", ("guest",))


@pytest.fixture
def curator(client_as: Callable[[Role], Client]) -> Client:
    return client_as(Role.CURATOR)


@pytest.fixture
def guarded(team: Catalog) -> Catalog:
    """The small catalog, in which guests may not search for the weather."""
    team.context_to_try = {"role": "guest"}
    team.save()
    add(team, "team__get*", ["search", "load"], GUEST)
    return team


def test_the_search_page_shows_what_the_policy_keeps_out_as_cut(curator: Client, guarded: Catalog) -> None:
    ranking = curator.get(f"/search/?catalog={guarded.slug}&q=weather").context["ranking"]
    assert ranking.hits == ()
    (cut,) = ranking.cuts
    assert (cut.refused, [hit.tool.name for hit in cut.hits]) == (True, [SOUGHT])
    assert cut.by == "policy: the rule “deny team__get* in search, load where role is guest”"
    assert "kept out whatever its score" in text_of(curator, f"/search/?catalog={guarded.slug}&q=weather")


def test_another_context_finds_it(curator: Client, guarded: Catalog) -> None:
    Catalog.objects.filter(pk=guarded.pk).update(context_to_try={"role": "staff"})
    assert hit_names(text_of(curator, f"/search/?catalog={guarded.slug}&q=weather")) == [SOUGHT]


def test_a_program_gets_what_an_agent_would_find(curator: Client, guarded: Catalog) -> None:
    assert curator.get(f"/catalogs/{guarded.slug}/search.json?q=weather").json()["hits"] == []


def test_the_gate_names_the_rule_and_the_context(curator: Client, guarded: Catalog) -> None:
    page = text_of(curator, address(guarded, "weather", SOUGHT))
    assert "the policy keeps it from being found" in page
    assert "the rule “deny team__get* in search, load where role is guest”; tried with role = guest" in page


def test_a_policy_that_lets_it_past_is_a_gate_that_is_passed(curator: Client, guarded: Catalog) -> None:
    page = text_of(curator, address(guarded, "nothing+like+it", "team__notify_user"))
    assert "let past by the policy" in page


def test_a_rule_for_the_tool_alone_lets_it_past_by_one_click(curator: Client, guarded: Catalog) -> None:
    page = text_of(curator, address(guarded, "weather", SOUGHT, edits=1))
    assert f"Put “allow {SOUGHT} in search, load” before the policy’s rules" in page
    assert ranks(page) == [1]
    after = apply(curator, offered(page)[0])
    assert hit_names(after) == [SOUGHT]
    assert [str(rule) for rule in guarded.policy_rules.all()] == [
        f"allow {SOUGHT} in search, load",
        "deny team__get* in search, load where role is guest",
    ]
    curator.post(undo_address(after))
    assert [rule.pattern for rule in guarded.policy_rules.all()] == ["team__get*"]


def test_what_the_engine_does_not_match_needs_words_too(curator: Client, guarded: Catalog) -> None:
    page = text_of(curator, address(guarded, "bulletin", SOUGHT, edits=1))
    edits = offered(page)
    assert edits and all(("step", "let past") in fields and len(fields) > 4 for _, fields in edits)
    assert SOUGHT in hit_names(apply(curator, edits[0]))
