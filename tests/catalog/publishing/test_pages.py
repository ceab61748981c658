"""The pages of versions: the bar, the summary, publishing it, rolling back, comparing; and search by version."""

import html
import re

import pytest
from django.test import Client

from catalog.models import Catalog, Tool
from catalog.publishing.acts import plan_publishing, publish_as_is
from catalog.shaping import exclude
from tests.catalog.pages import text_of
from tests.catalog.publishing.conftest import reword

PAGES = ("", "edit/", "servers/", "upfront/", "policy/", "mode/")
HOME = "/catalogs/team-agent/"


def words(client: Client, address: str) -> str:
    page = re.sub(r"</?(?:ins|del)>", "", text_of(client, address))
    return " ".join(html.unescape(re.sub(r"<[^>]*>", " ", page)).split())


def token(client: Client, address: str) -> str:
    found = re.search(r'name="token" value="([^"]*)"', text_of(client, address))
    return found[1] if found else ""


@pytest.mark.parametrize("page", PAGES)
def test_each_page_of_a_catalog_says_what_is_not_published(curator: Client, gathering: Catalog, page: str) -> None:
    assert "As published: agents get version 1" in words(curator, HOME + page)
    reword("getWeather", "Rain or sun?")
    told = words(curator, HOME + page)
    assert "1 change is not published" in told
    assert "Review and publish" in told


def test_a_catalog_that_publishes_itself_says_so_and_can_be_told_to_gather(curator: Client, team: Catalog) -> None:
    assert "Every change reaches agents at once." in words(curator, HOME)
    assert curator.post(f"{HOME}gather/").status_code == 302
    reword("getWeather", "Rain or sun?")
    assert "1 change is not published · agents get version 1" in words(curator, HOME)
    assert "1 change not published" in words(curator, "/catalogs/")


def test_the_publish_page_is_the_summary_and_publishes_what_it_showed(curator: Client, gathering: Catalog) -> None:
    reword("getWeather", "Rain <b>or</b> sun?")
    exclude(gathering, Tool.objects.get(name="notify_channel"))
    page = text_of(curator, f"{HOME}publish/")
    assert "Rain &lt;b&gt;or&lt;/b&gt; sun?" in re.sub(r"</?(ins|del)>", "", page)
    assert "<b>or</b> sun" not in page
    assert "the catalog excludes it by name" in page
    answer = curator.post(f"{HOME}publish/", {"token": token(curator, f"{HOME}publish/"), "note": "<i>calmer</i>"})
    assert answer["Location"] == f"{HOME}versions/2/"
    told = text_of(curator, f"{HOME}versions/")
    assert "&lt;i&gt;calmer&lt;/i&gt;" in told
    assert "There is nothing to publish." in words(curator, f"{HOME}publish/")
    assert "Publish as version" not in words(curator, f"{HOME}publish/")


def test_a_draft_that_moved_is_shown_anew_instead_of_being_published(curator: Client, gathering: Catalog) -> None:
    reword("getWeather", "Seen.")
    seen = token(curator, f"{HOME}publish/")
    reword("getWeather", "Not seen.")
    answer = curator.post(f"{HOME}publish/", {"token": seen, "note": "kept"})
    assert answer.status_code == 409
    assert "something changed since you saw the summary" in answer.text
    assert 'value="kept"' in answer.text
    assert gathering.versions.count() == 1
    fresh = re.search(r'name="token" value="([^"]*)"', answer.text)
    assert fresh
    assert curator.post(f"{HOME}publish/", {"token": fresh[1]}).status_code == 302


def test_rolling_back_shows_its_summary_first(curator: Client, gathering: Catalog) -> None:
    reword("getWeather", "Worse.")
    curator.post(f"{HOME}publish/", {"token": plan_publishing(gathering).token})
    address = f"{HOME}publish/?version=1"
    told = words(curator, address)
    assert "Roll back to version 1" in told
    assert "Current weather in a city." in told
    answer = curator.post(address, {"token": token(curator, address)})
    assert answer["Location"] == f"{HOME}versions/3/"
    assert "version 1 again" in words(curator, f"{HOME}versions/3/")
    assert "1 change is not published" in words(curator, HOME)
    assert "There is nothing to publish." in words(curator, address)


def test_publishing_each_change_again_is_said_on_the_publish_page(curator: Client, gathering: Catalog) -> None:
    assert "From now on publish each change" in words(curator, f"{HOME}publish/")
    curator.post(f"{HOME}publish/", {"token": token(curator, f"{HOME}publish/"), "by_itself": "on"})
    assert "Every change reaches agents at once." in words(curator, HOME)


def test_any_two_versions_can_be_compared_and_a_version_with_the_draft(curator: Client, gathering: Catalog) -> None:
    for text in ("Second.", "Third."):
        reword("getWeather", text)
        curator.post(f"{HOME}publish/", {"token": plan_publishing(gathering).token})
    reword("getWeather", "Fourth.")
    assert "Second." in words(curator, f"{HOME}versions/3/")
    assert "Current weather in a city." in words(curator, f"{HOME}versions/3/?against=1")
    assert "Fourth." in words(curator, f"{HOME}versions/3/?against=draft")
    assert curator.get(f"{HOME}versions/3/?against=99").status_code == 404
    assert curator.get(f"{HOME}versions/99/").status_code == 404


def test_a_version_says_which_of_its_tools_are_left_out_now(viewer: Client, gathering: Catalog) -> None:
    Tool.objects.filter(name="getWeather").delete()
    told = words(viewer, f"{HOME}versions/1/")
    assert "1 of its tools is left out now" in told
    assert "team no longer offers it" in told


def test_rolling_back_says_which_tools_nobody_gets_and_that_none_would_be_found(
    curator: Client, gathering: Catalog
) -> None:
    reword("getWeather", "Rain or sun?")
    curator.post(f"{HOME}publish/", {"token": plan_publishing(gathering).token})
    gathering.servers.get().server.delete()
    told = words(curator, f"{HOME}publish/?version=1")
    assert "5 of its tools are left out now , whoever asks for this version." in told
    assert "Agents would find no tool." not in told
    assert "Agents would find no tool. The draft offers none." in words(curator, f"{HOME}publish/")


def test_the_first_version_is_compared_with_nothing_unless_one_chooses(viewer: Client, gathering: Catalog) -> None:
    page = text_of(viewer, f"{HOME}versions/1/")
    assert '<option value="" selected>nothing: it is the first</option>' in page
    assert "nothing: it is the first" not in text_of(viewer, f"{HOME}versions/1/?against=draft")


def test_viewers_see_versions_and_summaries_and_publish_nothing(viewer: Client, gathering: Catalog) -> None:
    reword("getWeather", "Rain or sun?")
    for page in ("versions/", "versions/1/", "publish/"):
        assert "Publish as version" not in words(viewer, HOME + page)
    assert "See what changes" in words(viewer, HOME)
    assert viewer.post(f"{HOME}publish/", {"token": plan_publishing(gathering).token}).status_code == 403


def test_a_new_catalog_is_published_as_version_1(curator: Client, team: Catalog) -> None:
    curator.post("/catalogs/add/", {"title": "Fresh"})
    curator.post(f"{HOME}clone/")
    yaml = "format: pegboard-catalog-1\nslug: written\ntitle: Written\nservers: [{server: team, everything: true}]\n"
    page = curator.post("/catalogs/import/", {"text": yaml}).text
    plan = re.search(r'name="token" value="([^"]*)"', page)
    assert plan
    curator.post("/catalogs/import/", {"text": yaml, "token": plan[1], "action": "apply"})
    held = {
        catalog.slug: [version.content.tool_count for version in catalog.versions.all()]
        for catalog in Catalog.objects.exclude(pk=team.pk)
    }
    assert held == {"fresh": [0], "team-agent-copy": [5], "written": [5]}


def test_an_import_of_yaml_lands_in_the_draft(curator: Client, gathering: Catalog) -> None:
    yaml = text_of(curator, f"{HOME}catalog.yaml").replace("name: mcpagent", "name: eino")
    plan = re.search(r'name="token" value="([^"]*)"', curator.post("/catalogs/import/", {"text": yaml}).text)
    assert plan
    curator.post("/catalogs/import/", {"text": yaml, "token": plan[1], "action": "apply"})
    assert "1 change is not published" in words(curator, HOME)
    assert gathering.versions.count() == 1


def test_programs_get_the_published_version_and_may_ask_for_another(viewer: Client, gathering: Catalog) -> None:
    reword("getWeather", "Umbrella?")
    asked = f"{HOME}search.json?q=umbrella"
    answers = {named: viewer.get(asked + named).json() for named in ("", "&version=draft", "&version=1")}
    assert [(one["version"], len(one["hits"])) for one in answers.values()] == [(1, 0), (None, 1), (1, 0)]
    refused = viewer.get(f"{asked}&version=7")
    assert refused.status_code == 400
    assert "version" in refused.json()["problems"]


def test_a_search_of_a_program_gives_what_it_met_a_number(viewer: Client, team: Catalog) -> None:
    assert viewer.get(f"{HOME}search.json?q=weather").json()["version"] == 1
    assert viewer.get(f"{HOME}search.json?q=weather").json()["version"] == 1
    reword("getWeather", "Umbrella?")
    assert viewer.get(f"{HOME}search.json?q=umbrella").json()["version"] == 2


def test_the_search_page_searches_what_agents_get_unless_the_address_names_another(
    curator: Client, gathering: Catalog
) -> None:
    reword("getWeather", "Umbrella?")
    page = "/search/?catalog=team-agent&q=umbrella"
    assert "No tool has" in words(curator, page) or "team__getWeather" not in words(curator, page)
    draft = text_of(curator, f"{page}&version=draft")
    assert "team__getWeather" in draft
    assert "version=draft" in draft
    assert "has no version 99" in words(curator, f"{page}&version=99")
    assert curator.get(f"{page}&version=published")["Location"] == page


def test_why_not_is_told_of_a_version_too_and_edits_of_the_draft_alone(curator: Client, gathering: Catalog) -> None:
    held = words(curator, "/search/?catalog=team-agent&q=channel&why=team__getWeather")
    assert "version 1 holds it" in held and "does not match it" in held
    assert "A version never changes." in held and "Find the smallest edits" not in held
    draft = words(curator, "/search/?catalog=team-agent&q=channel&why=team__getWeather&version=draft")
    assert "never changes" not in draft
    assert "Why not" in draft


def test_looking_at_pages_gives_no_number(viewer: Client, team: Catalog) -> None:
    for page in (HOME, f"{HOME}versions/", f"{HOME}publish/", "/search/?catalog=team-agent&q=weather", "/playground/"):
        viewer.get(page)
    assert not team.versions.exists()
    publish_as_is(team)
    assert "by itself" in words(viewer, f"{HOME}versions/")
