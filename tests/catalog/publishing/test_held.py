"""What is unsafe acts on published versions at once; everything else waits; a version's index is its own."""

from collections.abc import Callable
from typing import cast

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from catalog import generations
from catalog.editions import Edition
from catalog.importing import import_listing
from catalog.indexing import exposure_of, ranking_of, revision_of
from catalog.models import Catalog, Server, Tool
from catalog.policy import Condition
from catalog.policy_rows import rules_of
from catalog.publishing.acts import gather, plan_publishing, publish
from catalog.publishing.asking import edition_of, published
from catalog.search.choosing import choose
from catalog.sources.listing import read_listing
from tests.catalog.policies import add as add_rule
from tests.catalog.publishing.conftest import reword
from tests.conftest import TEAM_TOOLS

WEATHER = "team__getWeather"


def change(**fields: object) -> None:
    tool = Tool.objects.get(name="getWeather")
    for name, value in fields.items():
        setattr(tool, name, value)
    tool.save()


def delete() -> None:
    Tool.objects.get(name="getWeather").delete()


def switch_off() -> None:
    server = Server.objects.get()
    server.enabled = False
    server.save()


UNSAFE: list[tuple[Callable[[], None], str, str]] = [
    (lambda: change(gone_at=timezone.now()), "gone", "team no longer offers it"),
    (lambda: change(enabled=False), "tool off", "the tool is switched off"),
    (
        lambda: change(suspicions=[{"kind": "orders", "where": "description", "text": "x"}]),
        "suspicious",
        "something in its definition has to be looked at by a person first",
    ),
    (delete, "gone", "team no longer offers it"),
    (switch_off, "server off", "the server team is switched off"),
]


@pytest.mark.parametrize(("act", "rule", "reason"), UNSAFE)
def test_what_is_unsafe_leaves_a_tool_out_of_a_published_version_at_once(
    gathering: Catalog, act: Callable[[], None], rule: str, reason: str
) -> None:
    edition = published(gathering)
    before = revision_of(edition)
    assert WEATHER in exposure_of(edition).pool.by_name
    act()
    exposure = exposure_of(edition)
    assert WEATHER not in exposure.pool.by_name
    out = next(out for out in exposure.left_out if out.tool.name == WEATHER)
    assert (out.rule, out.reason) == (rule, reason)
    assert revision_of(edition) != before


def test_a_tool_that_is_left_out_is_not_found_and_comes_back_when_it_is_safe(gathering: Catalog) -> None:
    edition, engine = published(gathering), choose("pegboard")
    assert ranking_of(edition, engine, "weather", 5).hits
    change(enabled=False)
    assert not ranking_of(edition, engine, "weather", 5).hits
    change(enabled=True)
    assert ranking_of(edition, engine, "weather", 5).hits


def test_a_sync_reaches_the_draft_and_no_published_version(gathering: Catalog) -> None:
    tools = cast(list[dict[str, str]], TEAM_TOOLS)
    changed = [{"name": one["name"], "description": f"New: {one['description']}"} for one in tools]
    new = {"name": "brandNew", "description": "Was not there."}
    import_listing(Server.objects.get(), read_listing([*changed, new], curated=True), accept_meaning=True)
    held = exposure_of(published(gathering)).pool.by_name
    draft = exposure_of(gathering).pool.by_name
    assert held[WEATHER].description == "Current weather in a city."
    assert draft[WEATHER].description == "New: Current weather in a city."
    assert "team__brandNew" in draft.keys() - held.keys()


def test_a_version_is_searched_by_its_own_words(gathering: Catalog, curating: User) -> None:
    reword("getWeather", "Umbrella?")
    engine = choose("pegboard")
    assert not ranking_of(published(gathering), engine, "umbrella", 5).hits
    assert ranking_of(gathering, engine, "umbrella", 5).hits
    publish(gathering, curating, "", plan_publishing(gathering).token)
    assert ranking_of(published(gathering), engine, "umbrella", 5).hits
    assert not ranking_of(edition_of(gathering, "1"), engine, "umbrella", 5).hits


def test_a_version_read_from_its_rows_is_what_was_published(gathering: Catalog) -> None:
    as_published = exposure_of(gathering).pool
    generations._held.clear()
    assert exposure_of(published(gathering)).pool == as_published


def test_mode_engine_settings_and_policy_are_those_of_the_version(team: Catalog) -> None:
    add_rule(team, "getWeather", ["load"], Condition("role", ("guest",)))
    Catalog.objects.filter(pk=team.pk).update(mode="mastra", mode_options={"top_k": 3}, engine="like")
    team = Catalog.objects.get(pk=team.pk)
    gather(team)
    rules = [str(rule) for rule in rules_of(team)]
    team.policy_rules.all().delete()
    Catalog.objects.filter(pk=team.pk).update(mode="eino", mode_options={}, engine="", context_to_try={"role": "x"})
    team = Catalog.objects.get(pk=team.pk)
    held = published(team)
    assert (held.mode, held.mode_options, held.engine, held.context_to_try) == ("mastra", {"top_k": 3}, "like", {})
    assert [str(rule) for rule in rules_of(held)] == rules != []
    assert rules_of(team) == rules_of(edition_of(team, "draft")) == ()


def test_so_many_versions_are_kept_ready_and_the_others_are_built_anew(gathering: Catalog, curating: User) -> None:
    for number in range(2, 7):
        reword("getWeather", f"Umbrella {number}")
        publish(gathering, curating, "", plan_publishing(gathering).token)
        assert ranking_of(published(gathering), choose("pegboard"), "umbrella", 5).hits
    folder = generations.key_of(published(gathering))
    assert isinstance(folder, str)
    assert len(generations._held[generations.family_of(folder)]) == generations.MOST_HELD
    assert ranking_of(edition_of(gathering, "2"), choose("pegboard"), "umbrella", 5).hits


def test_an_edition_of_rows_holds_no_settings_of_its_own(team: Catalog) -> None:
    with pytest.raises(ValueError, match="live"):
        _ = Edition(team, "draft").held
