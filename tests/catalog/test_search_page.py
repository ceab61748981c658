"""The search page: what it finds, that its figures add up, and what it says when it finds nothing."""

import re
from collections.abc import Callable

import pytest
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st
from playwright.async_api import Page, expect

from catalog.indexing import engine_for
from catalog.models import Catalog, Server
from catalog.roles import Role
from catalog.search.choosing import choose
from catalog.templatetags.search_arithmetic import adding_up
from catalog.templatetags.search_marks import matches, pieces

PARTIAL = {"HX-Request": "true", "HX-Target": "results"}
TELL = "tell the team channel"


@pytest.fixture
def viewer(client_as: Callable[[Role], Client]) -> Client:
    return client_as(Role.VIEWER)


@pytest.fixture
def curator(client_as: Callable[[Role], Client]) -> Client:
    return client_as(Role.CURATOR)


def searched(
    client: Client, catalog: Catalog, q: str, headers: dict[str, str] | None = None, **params: str | int
) -> str:
    response = client.get("/search/", {"catalog": catalog.slug, "q": q, **params}, headers=headers)
    assert response.status_code == 200
    return response.content.decode()


def hit_names(page: str) -> list[str]:
    links = re.findall(r'<a class="hit-name tool".*?>(.*?)</a>', page, re.S)
    return [re.sub(r"<.*?>", "", link) for link in links]


def figures(page: str, kind: str) -> list[float]:
    return [float(text) for text in re.findall(rf'class="{kind}"[^>]*>([\d.]+)<', page)]


def test_the_results_alone_show_the_same_hits_as_the_page(viewer: Client, sample: Catalog) -> None:
    page, results = searched(viewer, sample, TELL), searched(viewer, sample, TELL, PARTIAL)
    assert hit_names(page) == hit_names(results) != []
    assert "<html" in page
    assert "<html" not in results


def test_the_back_button_gets_the_whole_page(viewer: Client, sample: Catalog) -> None:
    restore = {"HX-Request": "true", "HX-History-Restore-Request": "true"}
    assert "<html" in searched(viewer, sample, TELL, restore)


def test_hits_are_those_of_the_engine_in_its_order(viewer: Client, sample: Catalog) -> None:
    ranking = engine_for(sample, choose("pegboard")).search(TELL, 5)
    assert hit_names(searched(viewer, sample, TELL)) == [hit.tool.name for hit in ranking.every_hit()]


@pytest.mark.parametrize("q", [TELL, "notify", "book a room for eight", "报销", "getPullRequest"])
def test_the_figures_of_an_explanation_add_up_to_the_score_shown(viewer: Client, sample: Catalog, q: str) -> None:
    sample.servers.create(server=Server.objects.get(slug="repo"), position=99)
    page = searched(viewer, sample, q, engine="bm25f")
    tree = page[page.index('<ul class="why-tree">') : page.index('<li class="why-total">')]
    fields = [
        figures(part, "why-value")
        for part in re.sub(r'<li class="factor">.*?</li>', "", tree, flags=re.S).split("<i ")[1:]
    ]
    assert fields
    assert sum(head for head, *_ in fields) == pytest.approx(figures(page, "hit-score")[0], abs=1e-9)
    assert all(head == pytest.approx(sum(words), abs=1e-9) for head, *words in fields)


@given(st.lists(st.floats(0, 50), min_size=1, max_size=8))
def test_figures_add_up_and_none_is_off_by_a_hundredth(values: list[float]) -> None:
    total = round(sum(values) * 100)
    found = adding_up(total, values)
    assert sum(found) == total
    assert all(abs(shown / 100 - value) <= 0.0100001 for shown, value in zip(found, values, strict=True))


def test_the_small_figures_of_a_fusion_add_up_too(viewer: Client, sample: Catalog) -> None:
    first = hit_names(searched(viewer, sample, f"can you {TELL}", engine="hybrid"))[0]
    page = searched(viewer, sample, f"can you {TELL}", why=first, engine="hybrid")
    tree = page[page.index('<ul class="why-tree">') : page.index('<li class="why-total">')]
    variants = [figures(part, "why-value") for part in tree.split("<i ")[1:]]
    assert [len(shown) for shown in variants] == [2, 2]
    assert sum(variant for variant, _ in variants) == pytest.approx(figures(page, "hit-score")[0], abs=1e-9)
    assert all(0.001 < variant == rank < 0.02 for variant, rank in variants)
    assert "from rank" in tree
    assert '<mark class="field-name" data-term="channel">' in page


def test_hits_below_the_top_k_are_said_to_be_cut(viewer: Client, sample: Catalog) -> None:
    page = searched(viewer, sample, TELL, k=2)
    kept, cut = page.split('<li class="cut">')
    assert len(hit_names(kept)) == 2
    assert len(hit_names(cut)) >= 1
    assert "top-k 2" in cut
    assert cut.count("cut-off") == len(hit_names(cut))


def test_a_server_filter_leaves_only_its_tools(viewer: Client, sample: Catalog) -> None:
    names = hit_names(searched(viewer, sample, "list", server="mail"))
    assert names
    assert all(name.startswith("mail__") for name in names)


def test_an_unknown_server_is_said_and_ignored(viewer: Client, sample: Catalog) -> None:
    page = searched(viewer, sample, TELL, server="nowhere")
    assert "nowhere is no server of this catalog" in page
    assert hit_names(page) == hit_names(searched(viewer, sample, TELL))


@pytest.mark.parametrize("k", ["0", "51", "many"])
def test_a_top_k_out_of_range_is_said(viewer: Client, sample: Catalog, k: str) -> None:
    assert "Top k goes from 1 to 50: 5 was taken." in searched(viewer, sample, TELL, k=k)


def test_why_opens_the_hit_that_it_names(viewer: Client, sample: Catalog) -> None:
    second = hit_names(searched(viewer, sample, TELL))[1]
    page = searched(viewer, sample, TELL, why=second)
    assert re.search(r'id="hit-2"[^>]*aria-current="true"', page)
    assert len(re.findall(r'<details class="hit-arithmetic[^>]* open>', page)) == 1
    assert f'Why <span class="tool">{second}</span> is 2nd' in page


def test_words_that_match_are_marked_where_they_stand(viewer: Client, team: Catalog) -> None:
    page = searched(viewer, team, "channels")
    assert 'notify_<mark class="field-name" data-term="channel">channel</mark>' in page
    assert 'to a <mark class="field-description" data-term="channel">channel</mark>, visible' in page


def test_only_words_that_count_are_marked(viewer: Client, team: Catalog) -> None:
    page = searched(viewer, team, "the channel")
    assert "<mark" in page
    assert ">the</mark>" not in page


def test_the_query_is_shown_as_it_was_read(viewer: Client, team: Catalog) -> None:
    page = searched(viewer, team, "tell the notify_channel zzqqy")
    assert 'title="a common word">the' in page
    assert re.search(r'class="word unknown"[^>]*>zzqqy<', page)


def test_text_from_strangers_is_escaped(viewer: Client, team: Catalog) -> None:
    hostile = "<script>alert(1)</script> channel \u202e<img src=x>"
    team.servers.get().server.tools.filter(name="notify_channel").update(description=hostile)
    team.servers.get().server.save()
    page = searched(viewer, team, "channel <script>alert(2)</script>")
    assert "<script>alert" not in page
    assert "&lt;script&gt;" in page
    assert "<img src=x" not in page
    assert "\u202e" not in page


def test_an_excerpt_shows_the_first_matches_not_the_first_alone(viewer: Client, team: Catalog) -> None:
    far = f"A channel. {'Something else entirely. ' * 12}Another channel. {'And more of it. ' * 12}The end."
    team.servers.get().server.tools.filter(name="notify_channel").update(description=far)
    team.servers.get().server.save()
    page = searched(viewer, team, "channel")
    (shown,) = [text for text in re.findall(r'<p class="why-text foreign">(.*?)</p>', page, re.S) if "A <mark" in text]
    text = " ".join(re.sub(r"<.*?>", "", shown).split())
    assert text.startswith("A channel. Something else")
    assert text.count("channel") == 2
    assert text.count("…") == 2


def test_a_bonus_that_dwarfs_all_else_breaks_its_bar_off(viewer: Client, sample: Catalog) -> None:
    page = searched(viewer, sample, "chat__notify_channel")
    assert "goes on: a bonus dwarfs the rest" in page
    bars = re.findall(r'<svg class="stack".*?</svg>', page, re.S)
    assert ["torn" in bar for bar in bars][:3] == [True, False, False]
    widths = [sum(float(width) for width in re.findall(r'class="seg.*? width="([\d.]+)"', bar)) for bar in bars]
    assert widths[0] <= 100
    assert widths[1] > 30
    assert "goes on" not in searched(viewer, sample, TELL)


def test_the_reading_of_a_query_opens_step_by_step(viewer: Client, team: Catalog) -> None:
    page = searched(viewer, team, "the notify_channels zzqqy", engine="bm25f")
    steps = page[page.index('<ol class="reading-steps">') :]
    assert re.findall(r"<h3>(.*?)</h3>", steps[: steps.index("</ol>")]) == [
        "As sent",
        "As words",
        "As asked in the end",
    ]
    assert "left out: a common word" in steps
    assert "<code>notifi</code>" in steps
    assert "no tool has it" in steps


@given(st.text("ab_ 报销\u200b\u202e.", max_size=30))
def test_marked_pieces_joined_are_the_text(text: str) -> None:
    assert "".join(piece.text for piece in pieces(text, matches(text, {"ab", "报销", "a"}))) == text


def test_no_match_says_which_words_are_unknown_and_offers_the_near_one(viewer: Client, sample: Catalog) -> None:
    page = searched(viewer, sample, "forcast", engine="bm25f")
    assert "No tool matches" in page
    assert "q=forecast" in page
    assert "part=left-out" in page


def test_only_the_unknown_word_of_a_query_is_replaced(viewer: Client, sample: Catalog) -> None:
    assert "Search for “the weather_forecast of forcasting_day”" in searched(
        viewer, sample, "the weather_forcast of forcasting_day"
    )


def test_a_query_of_common_words_only_finds_what_has_them(viewer: Client, sample: Catalog) -> None:
    assert re.search(r"<h2>\d+ of 147 tools", searched(viewer, sample, "the of"))


def test_a_page_without_a_query_offers_queries_that_match_here(viewer: Client, team: Catalog) -> None:
    page = searched(viewer, team, "")
    offered = re.findall(r"\?catalog=team-agent&amp;q=([^\"&]+)", page)
    assert offered
    for query in offered:
        assert hit_names(viewer.get(f"/search/?catalog=team-agent&q={query}").content.decode())


def test_a_catalog_without_tools_says_who_can_change_that(
    client_as: Callable[[Role], Client], viewer: Client, curator: Client
) -> None:
    empty = Catalog.objects.create(slug="bare", title="Bare")
    assert "A curator has to put servers into it" in searched(viewer, empty, "mail")
    assert "/catalogs/bare/servers/" in searched(curator, empty, "mail")


def test_without_any_catalog_the_next_act_is_to_make_one(curator: Client) -> None:
    page = curator.get("/search/").content.decode()
    assert "There is no catalog to search yet" in page
    assert "/catalogs/add/" in page


def test_an_address_without_a_catalog_leads_to_one_with_it(viewer: Client, team: Catalog) -> None:
    response = viewer.get("/search/", {"q": "channel"})
    assert response.status_code == 302
    assert response["Location"] == "/search/?catalog=team-agent&q=channel"


def test_a_catalog_that_is_not_there_is_not_found(viewer: Client, team: Catalog) -> None:
    assert viewer.get("/search/?catalog=gone&q=channel").status_code == 404


def test_the_number_of_queries_does_not_grow_with_the_hits(
    viewer: Client, sample: Catalog, django_assert_max_num_queries: Callable[[int], object]
) -> None:
    searched(viewer, sample, TELL)
    with django_assert_max_num_queries(20):  # type: ignore[attr-defined]
        searched(viewer, sample, "list", k=50)


@pytest.mark.browser
@pytest.mark.asyncio(loop_scope="session")
async def test_typing_shows_results_and_each_choice_can_be_gone_back_from(sample: Catalog, page: Page) -> None:
    await page.goto("/search/?catalog=office-agent")
    await page.evaluate("window.isSamePage = true")
    await page.keyboard.type("tell the team channel", delay=15)
    await expect(page.locator("#hit-1")).to_have_attribute("aria-current", "true")
    await expect(page).to_have_url(re.compile("q=tell(%20|\\+)the(%20|\\+)team(%20|\\+)channel"))
    await expect(page.locator("#announcer")).to_contain_text("tools match")
    await expect(page).to_have_title("tell the team channel · Search · Pegboard")
    for key in ("ArrowDown", "ArrowDown", "j", "Enter"):
        await page.keyboard.press(key)
    await expect(page.locator("#hit-3")).to_have_attribute("aria-current", "true")
    await expect(page.locator("#hit-3")).to_be_focused()
    await expect(page).to_have_url(re.compile("&why="))
    await page.locator(".hit").nth(1).locator("rect.seg").first.click()
    await expect(page.locator("#hit-2")).to_have_attribute("aria-current", "true")
    assert await page.evaluate("window.isSamePage")
    await page.go_back()
    await expect(page.locator("#hit-3")).to_have_attribute("aria-current", "true")
    await page.go_back()
    await expect(page.locator("#hit-1")).to_have_attribute("aria-current", "true")
    await expect(page.locator("#search-query")).to_have_value("tell the team channel")


@pytest.mark.browser
@pytest.mark.asyncio(loop_scope="session")
async def test_a_word_under_the_pointer_lights_up_wherever_it_counts(sample: Catalog, page: Page) -> None:
    await page.goto("/search/?catalog=office-agent&q=team+channel")
    await page.locator("rect.seg[data-term=channel]").first.hover()
    await expect(page.locator("summary .word.is-lit")).to_have_text("channel")
    await expect(page.locator("mark.is-lit").first).to_be_visible()
    assert set(await page.locator(".is-lit").evaluate_all("lit => lit.map(one => one.dataset.term)")) == {"channel"}


@pytest.mark.browser
@pytest.mark.asyncio(loop_scope="session")
async def test_a_choice_of_catalog_brings_its_servers(sample: Catalog, page: Page) -> None:
    await page.goto("/search/?catalog=office-agent&q=team&server=mail")
    await page.select_option("#search-catalog", "on-call")
    await expect(page.locator("#search-server option", has_text="ops")).to_have_count(1)
    await expect(page).to_have_url(re.compile("catalog=on-call"))
    await expect(page.locator("#results")).to_contain_text("tools match")
