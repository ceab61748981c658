"""Why not? Gates that say what the exposure does, edits that do what they promise, one click each, and their undoing."""

import re
from collections.abc import Callable

import pytest
from django.test import Client
from django.utils import timezone
from playwright.async_api import Page, expect

from catalog.absence.gates import Gate, catalog_gates, joined
from catalog.absence.rows import candidate_of, tool_called
from catalog.indexing import exposure_of
from catalog.models import Catalog, Server, Tool, ToolVersion
from catalog.shaping import exclude, place_server
from tests.catalog.pages import text_of
from tests.catalog.test_search_page import hit_names

SOUGHT = "team__getWeather"
EDIT = re.compile(r'<form method="post" action="(/catalogs/[^"]*/bring-in/)">(.*?)</form>', re.S)
FIELD = re.compile(r'<input type="hidden" name="(\w+)" value="([^"]*)">')


@pytest.fixture
def sought(team: Catalog) -> Tool:
    return Tool.objects.select_related("server").get(name="getWeather")


def address(catalog: Catalog, q: str, why: str, **more: str | int) -> str:
    rest = "".join(f"&{name.replace('__', '.')}={value}" for name, value in more.items())
    return f"/search/?catalog={catalog.slug}&q={q}&why={why}{rest}"


def offered(page: str) -> list[tuple[str, list[tuple[str, str]]]]:
    """The address and the fields of each edit that has a button."""
    return [(action, FIELD.findall(form.replace("&amp;", "&"))) for action, form in EDIT.findall(page)]


def ranks(page: str) -> list[int]:
    return [int(rank) for rank in re.findall(r'class="outcome">→ rank (\d+)<', page)]


def apply(client: Client, edit: tuple[str, list[tuple[str, str]]]) -> str:
    """Press the button of an edit; the page that follows."""
    action, fields = edit
    steps = [value for name, value in fields if name == "step"]
    response = client.post(action, {**dict(fields), "step": steps}, follow=True)
    assert response.status_code == 200
    return response.content.decode()


def undo_address(page: str) -> str:
    found = re.search(r'action="(/search/undo/[^"]+)"', page)
    assert found
    return found[1]


def failed(catalog: Catalog, tool: Tool) -> list[Gate]:
    tool = Tool.objects.select_related("server").get(pk=tool.pk)
    is_here = catalog.servers.filter(server=tool.server).exists()
    gates = catalog_gates(candidate_of(tool, catalog), catalog.selection(), exposure_of(catalog), is_here=is_here)
    return [gate for gate in gates if gate.state == "failed"]


def let_be(catalog: Catalog, tool: Tool) -> None:
    pass


def make_gone(catalog: Catalog, tool: Tool) -> None:
    tool.gone_at = timezone.now()
    tool.save()


def switch_server_off(catalog: Catalog, tool: Tool) -> None:
    tool.server.enabled = False
    tool.server.save()


def switch_off(catalog: Catalog, tool: Tool) -> None:
    tool.enabled = False
    tool.save()


def filter_out(catalog: Catalog, tool: Tool) -> None:
    place_server(catalog, tool.server, "patterns", ["notify_*"])


def take_the_name(catalog: Catalog, tool: Tool) -> None:
    first = Server.objects.create(slug="first", title="First", kind=Server.Kind.FILE, name_rule=Server.NameRule.AS_IS)
    first.tools.create(name=SOUGHT, last_seen_at=timezone.now())
    place_server(catalog, first, "everything")
    catalog.servers.filter(server=tool.server).update(position=9)


SHUT: list[tuple[Callable[[Catalog, Tool], None], str | None, str]] = [
    (let_be, None, ""),
    (make_gone, "gone", "team no longer offers it"),
    (switch_server_off, "server off", "the server team is switched off"),
    (switch_off, "tool off", "the tool is switched off"),
    (exclude, "excluded", "the catalog excludes it by name"),
    (filter_out, "filter", "the filter leaves it out"),
    (take_the_name, "name taken", f"first already offers a tool named {SOUGHT}"),
]


@pytest.mark.parametrize(("shut", "rule", "said"), SHUT, ids=[str(rule) for _, rule, _ in SHUT])
def test_the_gate_that_fails_is_the_rule_that_left_the_tool_out(
    team: Catalog, sought: Tool, shut: Callable[[Catalog, Tool], None], rule: str | None, said: str
) -> None:
    shut(team, sought)
    assert [out.rule for out in exposure_of(team).left_out if out.tool.key == str(sought)] == [rule] * bool(rule)
    assert [gate.title for gate in failed(team, sought)] == [said] * bool(rule)


def test_every_shut_gate_fails_not_only_the_first(team: Catalog, sought: Tool) -> None:
    for shut in (switch_server_off, switch_off, exclude, filter_out):
        shut(team, sought)
    assert [gate.cure for gate in failed(team, sought)] == ["server on", "tool on", "include", "let in"]


def test_a_server_that_is_not_in_the_catalog_is_said(team: Catalog, sought: Tool) -> None:
    place_server(team, sought.server, "none")
    assert [gate.title for gate in failed(team, sought)] == ["the server team is not in this catalog"]


def test_a_tool_that_is_not_searchable_is_said(team: Catalog, sought: Tool) -> None:
    Tool.objects.filter(pk=sought.pk).update(searchable=False)
    assert [gate.title for gate in failed(team, sought)] == ["it is not searchable"]


def test_passed_gates_stand_together_and_failed_ones_alone() -> None:
    rungs = joined([Gate("a", "passed"), Gate("b", "passed"), Gate("c", "failed"), Gate("d", "passed", "said")])
    assert [rung.title for rung in rungs] == ["a · b", "c", "d"]


def test_a_tool_is_known_by_its_name_or_its_key(team: Catalog, sought: Tool) -> None:
    assert tool_called(SOUGHT, team) == tool_called("team/getWeather", team) == sought
    assert tool_called("getWeather", team) is None


def test_of_two_tools_of_one_name_the_one_of_the_catalog_is_meant(team: Catalog, sought: Tool) -> None:
    stranger = Server.objects.create(slug="one", title="One", kind=Server.Kind.FILE, name_rule=Server.NameRule.AS_IS)
    stranger.tools.create(name=SOUGHT, last_seen_at=timezone.now())
    assert tool_called(SOUGHT, team) == sought


def test_the_words_that_the_tool_lacks_are_struck_through(viewer: Client, team: Catalog) -> None:
    page = text_of(viewer, address(team, "channel+city", "team__notify_channel", k=1))
    assert "Why not <" not in page
    page = text_of(viewer, address(team, "channel+city", SOUGHT, k=1))
    assert '<s class="word lacking">channel</s>' in page
    assert re.search(r'<span class="word">city</span>\s*<span class="note">in its description', page)


def test_a_tool_below_the_cut_has_its_score_beside_that_of_the_cut(viewer: Client, team: Catalog) -> None:
    page = text_of(viewer, address(team, "message+channel", "team__notify_user", k=1))
    assert re.search(r"cut by top-k 1</span>\s*<span class=\"note foreign\">it has rank 2; 1 returned", page)
    assert "the cut is at" in page


def test_a_tool_that_there_is_not_has_near_names_in_its_place(viewer: Client, team: Catalog) -> None:
    page = text_of(viewer, address(team, "channel", "team__notify_chan"))
    assert "No server has a tool of this name" in page
    assert "why=team__notify_channel" in page


def test_edits_are_tried_only_when_they_are_asked_for(viewer: Client, team: Catalog) -> None:
    page = text_of(viewer, address(team, "bulletin", SOUGHT))
    assert "edits=1" in page
    assert "What would bring it in" not in page


@pytest.mark.parametrize("engine", ["pegboard", "bm25f", "eino-keyword", "mastra", "mcpagent", "like"])
def test_an_edit_that_is_applied_does_what_it_promised(curator: Client, sample: Catalog, engine: str) -> None:
    page = text_of(curator, address(sample, "bulletin", "mail__search_messages", engine=engine, edits=1))
    promised, edits = ranks(page), offered(page)
    assert len(promised) == len(edits) > 0
    after = apply(curator, edits[0])
    assert hit_names(after)[promised[0] - 1] == "mail__search_messages"


@pytest.mark.parametrize("shut", [switch_server_off, switch_off, exclude, filter_out])
def test_a_shut_gate_is_opened_by_one_click(
    curator: Client, team: Catalog, sought: Tool, shut: Callable[[Catalog, Tool], None]
) -> None:
    shut(team, sought)
    page = text_of(curator, address(team, "weather", SOUGHT, edits=1))
    assert ranks(page) == [1]
    assert hit_names(apply(curator, offered(page)[0])) == [SOUGHT]


def test_a_tool_of_a_server_that_is_not_in_the_catalog_is_let_in_alone(curator: Client, sample: Catalog) -> None:
    page = text_of(curator, address(sample, "pull+request", "repo__getPullRequest", edits=1))
    apply(curator, offered(page)[0])
    assert sample.servers.get(server__slug="repo").patterns == ["getPullRequest"]
    assert {tool.name for tool in exposure_of(sample).pool if tool.server == "repo"} == {"repo__getPullRequest"}


def test_a_tool_of_another_server_than_the_one_searched_needs_every_server(viewer: Client, sample: Catalog) -> None:
    page = text_of(viewer, address(sample, "forecast", "weather__get_forecast", server="mail", edits=1))
    assert "the search is of mail only" in page
    assert "Search every server" in page
    link = re.search(r'<a class="button small" href="(\?[^"]*)">Search like this', page)
    assert link
    follow = text_of(viewer, "/search/" + link[1].replace("&amp;", "&"))
    assert hit_names(follow)[ranks(page)[0] - 1] == "weather__get_forecast"


def test_an_edit_can_be_undone(curator: Client, team: Catalog, sought: Tool) -> None:
    exclude(team, sought)
    filter_out(team, sought)
    switch_server_off(team, sought)
    page = text_of(curator, address(team, "bulletin", SOUGHT, edits=1))
    after = apply(curator, offered(page)[0])
    assert hit_names(after) == [SOUGHT]
    assert f"{SOUGHT}: its server switched on, no longer excluded, let into the catalog, “bulletin” added" in after
    curator.post(undo_address(after))
    row = Tool.objects.get(pk=sought.pk)
    assert row.overlay() == sought.overlay()
    assert (row.server.enabled, team.excluded.get(), team.servers.get().patterns) == (False, sought, ["notify_*"])
    assert ToolVersion.objects.filter(tool=row, layer="overlay").count() == 2


def test_an_edit_over_which_somebody_wrote_is_not_undone(curator: Client, team: Catalog, sought: Tool) -> None:
    after = apply(curator, offered(text_of(curator, address(team, "bulletin", SOUGHT, edits=1)))[0])
    Tool.objects.filter(pk=sought.pk).update(search_text="something better")
    said = curator.post(undo_address(after), follow=True).content.decode()
    assert "was changed again since" in said
    assert Tool.objects.get(pk=sought.pk).search_text == "something better"


def test_only_the_last_edit_of_a_session_is_undone(curator: Client, team: Catalog, sought: Tool) -> None:
    after = apply(curator, offered(text_of(curator, address(team, "bulletin", SOUGHT, edits=1)))[0])
    apply(curator, offered(text_of(curator, address(team, "gazette", SOUGHT, edits=1)))[0])
    assert "can no longer be undone" in curator.post(undo_address(after), follow=True).content.decode()
    assert Tool.objects.get(pk=sought.pk).search_text == "bulletin gazette"


def test_who_may_not_edit_sees_the_edit_without_its_button(viewer: Client, team: Catalog) -> None:
    page = text_of(viewer, address(team, "bulletin", SOUGHT, edits=1))
    assert ranks(page)
    assert offered(page) == []
    assert "a curator can apply it" in page


def test_a_tool_that_is_gone_has_no_edit(curator: Client, team: Catalog, sought: Tool) -> None:
    make_gone(team, sought)
    page = text_of(curator, address(team, "weather", SOUGHT, edits=1))
    assert "No edit here can bring it in" in page
    assert offered(page) == []


def test_a_query_that_cannot_be_run_is_the_gate_that_fails(curator: Client, team: Catalog) -> None:
    page = text_of(curator, address(team, "(", SOUGHT, engine="mcpagent", edits=1))
    assert "the query could not be run" in page
    assert offered(page) == []


def test_a_catalog_in_which_nothing_can_be_found_says_why(curator: Client, team: Catalog, sought: Tool) -> None:
    switch_server_off(team, sought)
    page = text_of(curator, address(team, "weather", SOUGHT))
    assert "the server team is switched off" in page
    assert "This catalog lets no tool be found" in page


@pytest.mark.parametrize(
    "sent",
    [{}, {"step": "delete"}, {"step": "search text"}, {"step": "search text", "text": "x" * 2_001}],
    ids=["nothing", "no such step", "no words", "too many words"],
)
def test_an_edit_that_no_button_sends_is_refused(curator: Client, team: Catalog, sent: dict[str, str]) -> None:
    before = Tool.objects.get(name="getWeather").overlay()
    answer = curator.post(f"/catalogs/{team.slug}/bring-in/", {"tool": "team/getWeather", **sent})
    assert answer.status_code == 400
    assert Tool.objects.get(name="getWeather").overlay() == before


def test_after_an_edit_one_is_led_nowhere_but_to_the_search(curator: Client, team: Catalog) -> None:
    sent = {"tool": "team/getWeather", "step": "searchable", "next": "https://example.com/search/?"}
    assert curator.post(f"/catalogs/{team.slug}/bring-in/", sent)["Location"] == "/search/"


def test_the_picker_offers_tools_of_every_server(viewer: Client, sample: Catalog) -> None:
    offers = text_of(viewer, "/search/tools/?why=pull+req")
    assert '<option value="repo__getPullRequest">' in offers
    assert offers.count("<option") <= 20


def test_text_from_strangers_is_escaped_in_the_ladder(curator: Client, team: Catalog, sought: Tool) -> None:
    hostile = "<script>alert(1)</script>\u202e"
    Tool.objects.filter(pk=sought.pk).update(description=hostile, name=hostile[:-1], updated_at=timezone.now())
    page = text_of(
        curator, address(team, "<script>alert(2)</script>", f"team__{hostile[:-1]}", engine="eino-keyword", edits=1)
    )
    assert "<script>alert" not in page
    assert ranks(page)
    assert "\u202e" not in page


@pytest.mark.browser
@pytest.mark.asyncio(loop_scope="session")
async def test_from_why_not_to_the_hit_and_back_again(sample: Catalog, page: Page) -> None:
    await page.goto("/search/?catalog=office-agent&q=bulletin")
    await page.locator("#why-name").fill("search_messages")
    await expect(page.locator("#why-names option[value=mail__search_messages]")).to_have_count(1)
    async with page.expect_response("**/search/tools/**"):
        await page.locator("#why-name").fill("mail__search_messages")
    await page.locator("#why-name").press("Enter")
    await page.get_by_role("link", name="Find the smallest edits").click()
    await expect(page.get_by_role("heading", name="What would bring it in")).to_be_visible()
    await page.get_by_role("button", name="Apply").first.click()
    await expect(page.locator("#hit-1")).to_contain_text("search_messages")
    await page.get_by_role("button", name="Undo").click()
    await expect(page.locator("#messages")).to_contain_text("Undone")
    await expect(page.locator(".gates")).to_contain_text("does not match it")
