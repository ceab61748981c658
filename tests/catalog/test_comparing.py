"""Two catalogs compared, and one made from another."""

from django.test import Client

from catalog.cloning import clone
from catalog.comparing import Comparison, compare
from catalog.exposing import seen_of
from catalog.indexing import exposure_of
from catalog.models import Catalog, Tool
from catalog.policy import Condition
from catalog.shaping import exclude, place_server, show_upfront, withdraw
from tests.catalog.pages import text_of
from tests.catalog.policies import add as add_rule


def compared(a: Catalog, b: Catalog) -> Comparison:
    return compare((a, exposure_of(a)), (b, exposure_of(b)))


def full(team: Catalog) -> Catalog:
    """With something in every part."""
    place_server(team, team.servers.get().server, "picked", ["notify_user", "getWeather"])
    exclude(team, Tool.objects.get(name="list-invoices"))
    add_rule(team, "team__*", ["load"], Condition("role", ("guest",)))
    Catalog.objects.filter(pk=team.pk).update(
        mode="mastra",
        mode_options={"top_k": 3},
        engine="like",
        engine_settings={"x": 1},
        context_to_try={"role": "guest"},
    )
    return Catalog.objects.get(pk=team.pk)


def test_a_clone_has_every_part_and_is_a_catalog_of_its_own(team: Catalog) -> None:
    team = full(team)
    copy = clone(team)
    assert (copy.slug, copy.title) == ("team-agent-copy", "Team agent (copy)")
    assert compared(team, copy).settings == ()
    before, after = seen_of(team), seen_of(copy)
    assert (before.filters, before.chosen, before.excluded) == (after.filters, after.chosen, after.excluded)
    assert (copy.mode_options, copy.engine_settings, copy.context_to_try) == ({"top_k": 3}, {"x": 1}, {"role": "guest"})
    assert [str(rule) for rule in copy.policy_rules.all()] == [str(rule) for rule in team.policy_rules.all()] != []
    withdraw(copy, Tool.objects.get(name="notify_user"))
    assert team.pre_discovered.count() == 1


def test_a_clone_s_short_name_is_free_and_short_enough(team: Catalog) -> None:
    assert [clone(team).slug for _ in range(3)] == ["team-agent-copy", "team-agent-copy-2", "team-agent-copy-3"]
    long = Catalog.objects.create(slug="a" * 40, title="x" * 200)
    assert len(clone(long).slug) == 40
    clone(long).full_clean()


def test_what_only_one_has_and_what_only_one_shows_from_the_start_are_told(team: Catalog) -> None:
    other = clone(team)
    exclude(other, Tool.objects.get(name="getWeather"))
    show_upfront(other, Tool.objects.get(name="notify_channel"))
    found = compared(team, other)
    assert [tool.upstream_name for tool in found.only_a] == ["getWeather"]
    assert found.only_b == found.upfront_in_a == ()
    assert [tool.upstream_name for tool in found.upfront_in_b] == ["notify_channel"]
    assert found.same == 3
    assert found.b.upfront_tokens > found.a.upfront_tokens
    assert {one.name for one in found.settings} == {"excluded", "pre-discovered, in order"}


def test_the_page_compares_by_its_address(viewer: Client, team: Catalog) -> None:
    copy = clone(team)
    exclude(copy, Tool.objects.get(name="getWeather"))
    page = text_of(viewer, f"/catalogs/compare/?a=team-agent&b={copy.slug}")
    assert "Only in Team agent" in page
    assert "team__getWeather" in page
    assert "Choose two catalogs" in text_of(viewer, "/catalogs/compare/?a=team-agent")
    assert "There is no catalog nowhere" in text_of(viewer, "/catalogs/compare/?a=team-agent&b=nowhere")


def test_cloning_leads_to_naming_the_clone(curator: Client, team: Catalog) -> None:
    assert curator.post("/catalogs/team-agent/clone/").headers["Location"] == "/catalogs/team-agent-copy/edit/"


def test_no_catalog_takes_the_address_of_a_page(curator: Client, team: Catalog) -> None:
    page = curator.post("/catalogs/add/", {"title": "Compare"}).content.decode()
    assert "compare is the address of another page" in page
