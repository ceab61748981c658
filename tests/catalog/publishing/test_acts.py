"""Publishing, rolling back, and what no one can do to a version."""

from typing import Any

import pytest
from django.contrib.auth.models import User

from catalog.cloning import clone
from catalog.indexing import exposure_of
from catalog.models import Catalog, CatalogVersion, ImmutableError, Server, Tool, ToolDefinition, VersionContent
from catalog.policy import Condition
from catalog.publishing.acts import (
    MovedError,
    NothingToPublishError,
    gather,
    latest_version,
    plan_publishing,
    plan_rolling_back,
    publish,
    publish_as_is,
    roll_back,
    unpublished,
)
from catalog.publishing.asking import edition_for_agent, edition_of, published
from catalog.publishing.summary import Summary
from catalog.shaping import exclude, move_to, place_server, show_upfront, withdraw
from tests.catalog.policies import add as add_rule
from tests.catalog.publishing.conftest import reword


def names(catalog: Catalog, asked: str = "published") -> set[str]:
    return {tool.upstream_name for tool in exposure_of(edition_of(catalog, asked)).pool}


def told(catalog: Catalog, name: str, asked: str = "published") -> str:
    return exposure_of(edition_of(catalog, asked)).pool.by_name[f"team__{name}"].description


def waiting(catalog: Catalog) -> Summary:
    found = unpublished(Catalog.objects.get(pk=catalog.pk))
    assert found is not None
    return found


def publish_now(catalog: Catalog, by: User, note: str = "") -> CatalogVersion:
    return publish(catalog, by, note, plan_publishing(catalog).token)


def test_edits_wait_in_the_draft_until_they_are_published(gathering: Catalog, curating: User) -> None:
    reword("getWeather", "Rain or sun?")
    exclude(gathering, Tool.objects.get(name="notify_channel"))
    assert told(gathering, "getWeather") == "Current weather in a city."
    assert told(gathering, "getWeather", "draft") == "Rain or sun?"
    assert "notify_channel" in names(gathering) - names(gathering, "draft")
    made = publish_now(gathering, curating, "quieter")
    assert (made.number, made.by, made.note) == (2, curating, "quieter")
    assert told(gathering, "getWeather") == "Rain or sun?"
    assert names(gathering) == names(gathering, "draft")
    assert told(gathering, "getWeather", "1") == "Current weather in a city."


def test_the_summary_names_what_comes_goes_is_reworded_moves_and_is_set_otherwise(gathering: Catalog) -> None:
    reword("getWeather", "Rain or sun?")
    exclude(gathering, Tool.objects.get(name="notify_channel"))
    show_upfront(gathering, Tool.objects.get(name="list-invoices"))
    withdraw(gathering, Tool.objects.get(name="notify_user"))
    add_rule(gathering, "getWeather", ["load"], Condition("role", ("guest",)))
    Catalog.objects.filter(pk=gathering.pk).update(mode="mastra", engine="like")
    summary = waiting(gathering)
    assert [(one.tool.name, one.reason) for one in summary.going] == [
        ("team__notify_channel", "the catalog excludes it by name")
    ]
    assert [(why, len(tools)) for why, tools in summary.going_by_reason] == [("the catalog excludes it by name", 1)]
    ((reworded),) = summary.reworded
    assert reworded.changes == (("description", "Current weather in a city.", "Rain or sun?"),)
    assert (summary.upfront_in, summary.upfront_out) == (("team__list-invoices",), ("team__notify_user",))
    settings = {one.name: (one.a, one.b) for one in summary.settings}
    assert settings["mode"] == ("mcpagent", "mastra")
    assert settings["engine"] == ("the mode’s own", "like")
    assert ("excluded", "", "team/notify_channel") in [(one.name, one.a, one.b) for one in summary.shape]
    assert "role is guest" in settings["policy rule 1"][1]
    assert (summary.before.tools, summary.after.tools, summary.coming) == (5, 4, ())
    assert summary.before.all_tokens > summary.after.all_tokens > summary.after.upfront_tokens > 0
    assert summary.count == 1 + 1 + 2 + len(summary.settings)


def test_the_order_of_those_in_view_from_the_start_is_a_change(team: Catalog) -> None:
    show_upfront(team, Tool.objects.get(name="getWeather"))
    gather(team)
    move_to(team, Tool.objects.get(name="getWeather"), 0)
    summary = waiting(team)
    assert summary.is_reordered
    assert not summary.upfront_in


def test_words_that_only_a_search_reads_are_a_change_too(gathering: Catalog) -> None:
    Tool.objects.filter(name="getWeather").update(search_text="umbrella")
    Tool.objects.get(name="getWeather").save()
    assert waiting(gathering).reworded[0].changes == (("search_text", "", "umbrella"),)


def test_a_new_title_reaches_no_agent_and_is_no_change(gathering: Catalog) -> None:
    Catalog.objects.filter(pk=gathering.pk).update(title="Renamed", description="Other")
    assert unpublished(Catalog.objects.get(pk=gathering.pk)) is None


def test_nothing_is_published_twice(gathering: Catalog, curating: User) -> None:
    assert not plan_publishing(gathering).changes
    with pytest.raises(NothingToPublishError):
        publish_now(gathering, curating)
    assert gathering.versions.count() == 1


def test_what_moved_since_the_summary_is_not_published_unseen(gathering: Catalog, curating: User) -> None:
    reword("getWeather", "Seen.")
    token = plan_publishing(gathering).token
    reword("getWeather", "Not seen.")
    with pytest.raises(MovedError):
        publish(gathering, curating, "", token)
    assert told(gathering, "getWeather") == "Current weather in a city."


def test_of_two_who_publish_the_same_summary_one_is_told_to_look_again(gathering: Catalog, curating: User) -> None:
    reword("getWeather", "Seen by both.")
    token = plan_publishing(gathering).token
    publish(gathering, curating, "", token)
    with pytest.raises(MovedError):
        publish(gathering, User.objects.create_user("dora"), "", token)
    assert [version.by for version in gathering.versions.all()] == [curating, None]


def test_rolling_back_publishes_the_old_version_under_a_new_number(gathering: Catalog, curating: User) -> None:
    reword("getWeather", "Worse.")
    publish_now(gathering, curating)
    first = gathering.versions.get(number=1)
    plan = plan_rolling_back(first)
    assert plan.summary.reworded[0].changes == (("description", "Worse.", "Current weather in a city."),)
    made = roll_back(first, curating, "worse", plan.token)
    assert (made.number, made.restores, made.content) == (3, 1, first.content)
    assert told(gathering, "getWeather") == "Current weather in a city."
    assert waiting(gathering).reworded[0].tool.description == "Worse."
    with pytest.raises(NothingToPublishError):
        roll_back(first, curating, "", plan_rolling_back(first).token)


def test_rolling_back_a_catalog_that_publishes_itself_ends_that(team: Catalog, curating: User) -> None:
    first = publish_as_is(team)
    reword("getWeather", "Worse.")
    publish_as_is(team)
    roll_back(first, curating, "", plan_rolling_back(first).token)
    team.refresh_from_db()
    assert not team.publishes_itself
    assert told(team, "getWeather") == "Current weather in a city."


def test_a_catalog_that_publishes_itself_gives_a_number_to_each_state_that_an_agent_meets(team: Catalog) -> None:
    assert published(team).version is None
    assert edition_for_agent(team, "").number == edition_for_agent(team, "published").number == 1
    reword("getWeather", "Edited and never met.")
    reword("getWeather", "Rain or sun?")
    assert told(team, "getWeather") == "Rain or sun?"
    assert edition_for_agent(team, "").number == 2
    assert told(team, "getWeather", "1") == "Current weather in a city."
    assert edition_for_agent(team, "draft").number is None
    assert team.versions.count() == 2


def test_publishing_by_itself_again_publishes_what_was_seen_first(gathering: Catalog, curating: User) -> None:
    reword("getWeather", "Rain or sun?")
    made = publish(gathering, curating, "", plan_publishing(gathering).token, from_now_on_by_itself=True)
    assert (made.number, gathering.publishes_itself) == (2, True)
    assert publish(gathering, curating, "", plan_publishing(gathering).token, from_now_on_by_itself=True) == made


def test_a_definition_is_kept_once_however_many_versions_and_catalogs_hold_it(
    gathering: Catalog, curating: User
) -> None:
    assert ToolDefinition.objects.count() == 5
    reword("getWeather", "Rain or sun?")
    publish_now(gathering, curating)
    assert ToolDefinition.objects.count() == 6
    assert publish_as_is(clone(gathering)).content == latest_version(gathering).content  # type: ignore[union-attr]
    assert (ToolDefinition.objects.count(), VersionContent.objects.count()) == (6, 2)


def rows(catalog: Catalog) -> list[Any]:
    version = catalog.versions.get()
    return [version, version.content, ToolDefinition.objects.first()]


def test_nothing_changes_a_version_or_what_it_holds(gathering: Catalog) -> None:
    for row in rows(gathering):
        with pytest.raises(ImmutableError):
            row.save()
        with pytest.raises(ImmutableError):
            row.save(update_fields=["id"])
        with pytest.raises(ImmutableError):
            row.delete()
        kept = type(row).objects.filter(pk=row.pk)
        with pytest.raises(ImmutableError):
            kept.update(id=row.pk)
        with pytest.raises(ImmutableError):
            kept.delete()
        with pytest.raises(ImmutableError):
            kept.bulk_update([row], ["id"])
        with pytest.raises(ImmutableError):
            kept.update_or_create(pk=row.pk)
    with pytest.raises(ImmutableError):
        gathering.versions.update(note="x")
    assert gathering.versions.get().note == ""


def test_versions_go_with_their_catalog_and_outlive_their_author(gathering: Catalog, curating: User) -> None:
    reword("getWeather", "Rain or sun?")
    publish_now(gathering, curating)
    curating.delete()
    assert [version.by for version in gathering.versions.all()] == [None, None]
    gathering.delete()
    assert not CatalogVersion.objects.exists()


def test_a_server_that_leaves_takes_its_tools_and_says_so(gathering: Catalog) -> None:
    place_server(gathering, Server.objects.get(), "none")
    summary = waiting(gathering)
    assert {one.reason for one in summary.going} == {"team is not in the catalog"}
    assert (summary.count, summary.settings) == (5, ())


def test_a_filter_that_lets_in_the_same_tools_is_a_change_of_its_own(gathering: Catalog) -> None:
    place_server(gathering, Server.objects.get(), "patterns", ["*"])
    summary = waiting(gathering)
    assert [(one.name, one.a, one.b) for one in summary.shape] == [("server team", "everything", "*")]
    assert summary.count == 1


def test_other_words_of_a_server_are_told_once(gathering: Catalog) -> None:
    server = Server.objects.get()
    server.description = "All that the team uses."
    server.save()
    summary = waiting(gathering)
    assert [(one.name, one.b) for one in summary.settings] == [
        ("words of the server team", "Team All that the team uses.")
    ]
    assert (summary.count, summary.reworded) == (1, ())
