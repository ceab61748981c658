"""The search page with other engines than its first: one that does not rank, and explanations of any shape."""

import re
from collections.abc import Callable
from typing import ClassVar

import pytest
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st
from playwright.async_api import Page, expect

from catalog.models import Catalog
from catalog.patterns import compile_regex, matched_spans
from catalog.roles import Role
from catalog.search import ENGINES
from catalog.search.cutting import cut_at
from catalog.search.engine import Corpus
from catalog.search.explanation import Explanation, best_of, fact, product_of, sum_of
from catalog.search.ranking import Hit, QueryReading, Ranking
from catalog.search.settings import DEFAULTS, TypedSettings
from catalog.tools import ToolSpec
from tests.catalog.test_search_page import PARTIAL, TELL, figures, hit_names, searched


@pytest.fixture
def viewer(client_as: Callable[[Role], Client]) -> Client:
    return client_as(Role.VIEWER)


class StandIn:
    """Finds every tool; `told` explains it."""

    slug: ClassVar[str] = "stand-in"
    title: ClassVar[str] = "Stand-in"
    summary: ClassVar[str] = "Finds everything."
    query_help: ClassVar[str] = "Anything at all"
    scored: ClassVar[bool] = True
    Settings: ClassVar[type[TypedSettings]] = TypedSettings

    def __init__(self, corpus: Corpus, settings: TypedSettings = DEFAULTS) -> None:
        self.tools = corpus.tools

    def told(self, tool: ToolSpec) -> Explanation:
        return fact(1.0, "it is there")

    def search(self, query: str, limit: int, servers: frozenset[str] = frozenset()) -> Ranking:
        found = [Hit(rank, tool, self.told(tool)) for rank, tool in enumerate(self.tools, start=1)]
        hits, cuts = cut_at(limit, found)
        count = len(found)
        return Ranking(self.slug, QueryReading(query), hits, cuts, count, count, self.scored)


def stand_in(monkeypatch: pytest.MonkeyPatch, told: Explanation, *, scored: bool = True) -> str:
    """Registers an engine that explains every tool so."""
    slug = f"stand-in-{id(told)}"
    kind = type("Made", (StandIn,), {"slug": slug, "scored": scored, "told": lambda self, tool: told})
    monkeypatch.setitem(ENGINES, slug, kind)
    return slug


def asked(client: Client, catalog: Catalog, q: str, engine: str = "mcpagent", **params: str | int) -> str:
    return searched(client, catalog, q, None, engine=engine, **params)


def marked(page: str) -> list[str]:
    hits = page[page.index('<ol class="hits') :]
    return re.findall(r"<mark[^>]*>(.*?)</mark>", hits[: hits.index("</ol>")])


def test_the_engine_that_is_asked_is_chosen_in_the_form(viewer: Client, team: Catalog) -> None:
    page = asked(viewer, team, "channel")
    (chosen,) = re.findall(r'<input type="radio" name="engine"[^>]*value="([\w-]+)" checked', page)
    assert chosen == "mcpagent"
    assert "A regular expression (RE2 syntax, case ignored)" in page
    assert 'value="pegboard" checked' in searched(viewer, team, "channel")


def test_an_unknown_engine_is_said_and_ignored(viewer: Client, sample: Catalog) -> None:
    page = searched(viewer, sample, TELL, engine="altavista")
    assert "altavista is no engine: Pegboard was asked." in page
    assert hit_names(page) == hit_names(searched(viewer, sample, TELL))


def test_the_hint_follows_the_engine_without_a_reload(viewer: Client, team: Catalog) -> None:
    results = searched(viewer, team, "channel", PARTIAL, engine="mcpagent")
    assert re.search(r'id="search-hint" hx-swap-oob="true">A regular expression over names', results)
    assert "hx-swap-oob" not in asked(viewer, team, "channel")


def test_links_keep_the_engine(viewer: Client, sample: Catalog) -> None:
    page = asked(viewer, sample, "list", k=2)
    links = re.findall(r'href="\?([^"#]*(?:why=|k=12)[^"#]*)', page)
    assert links
    assert all("engine=mcpagent" in link for link in links)


def test_an_engine_that_does_not_rank_shows_no_scores(viewer: Client, sample: Catalog) -> None:
    page = asked(viewer, sample, "calendar|event", k=3)
    assert "mcpagent pattern does not rank: its hits stand in the order of the catalog." in page
    assert 'class="stack"' not in page
    assert figures(page, "hit-score") == figures(page, "why-value") == []
    assert "the cut is at" not in page


def test_what_an_unranked_hit_matched_in_is_told(viewer: Client, team: Catalog) -> None:
    page = asked(viewer, team, "channel")
    (fields,) = re.findall(r'<p class="hit-fields">(.*?)</p>', page)
    assert re.sub(r"<.*?>", " ", fields).split() == ["matched", "in", "name", "description"]
    assert "The pattern matches “channel” in the name and “channel” in the description." in page


def test_the_cut_of_an_unranked_list_counts_what_else_matches(viewer: Client, team: Catalog) -> None:
    page = asked(viewer, team, ".", k=2)
    assert "top-k 2 · <b>3 more match</b>" in page


def test_what_a_pattern_matched_is_marked_in_name_and_description(viewer: Client, team: Catalog) -> None:
    page = asked(viewer, team, "y_ch|visible.*whole")
    assert marked(page) == ["y_ch", "visible to the whole"]


def test_a_match_across_the_prefix_of_a_name_is_marked_on_both_sides(viewer: Client, sample: Catalog) -> None:
    assert marked(asked(viewer, sample, "^mail__get_m")) == ["mail__", "get_m"]


def test_the_part_of_an_explanation_that_was_not_needed_is_faint(viewer: Client, team: Catalog) -> None:
    page = asked(viewer, team, "channel")
    lost = re.findall(r'<li class="lost">(.*?)</li>', page, re.S)
    assert len(lost) == 1
    assert "“channel” in the description" in lost[0]
    assert "not needed, one match is enough" in lost[0]


def test_a_bad_pattern_is_said(viewer: Client, team: Catalog) -> None:
    page = asked(viewer, team, "(")
    assert "The query could not be run." in page
    assert "invalid regex pattern: missing )" in page


def test_the_fuzzy_fallback_is_said_and_has_bars_and_marks(viewer: Client, team: Catalog) -> None:
    page = asked(viewer, team, "wether")
    assert "fuzzy fallback by the likeness of words; the formula is Pegboard&#x27;s own" in page
    assert "does not rank" not in page
    assert 'class="stack"' in page
    assert marked(page) == ["getWeather", "weather"]


def test_more_is_not_offered_where_it_was_not_the_top_k_that_cut(viewer: Client, sample: Catalog) -> None:
    page = asked(viewer, sample, "mesage", k=5)
    assert "fuzzy limit 5" in page
    assert "Return the top" not in page


def test_letters_inside_a_word_are_marked(viewer: Client, team: Catalog) -> None:
    assert marked(asked(viewer, team, "hann", "like")) == ["hann", "hann"]
    assert marked(asked(viewer, team, "+HANN", "eino-keyword")) == ["hann", "hann"]


def test_more_is_offered_only_where_the_top_k_cut(viewer: Client, sample: Catalog) -> None:
    assert "Return the top 15" in asked(viewer, sample, "e", k=5)
    assert "Return the top" not in asked(viewer, sample, "liste", k=20)


def test_no_match_offers_the_other_engines(viewer: Client, team: Catalog) -> None:
    page = asked(viewer, team, "zzqqxx")
    assert "mcpagent pattern looks for this: A regular expression over names" in page
    assert re.search(r'<a href="\?[^"]*engine=bm25f[^"]*">Whoosh BM25F</a>', page)


def test_the_first_page_speaks_of_the_engine(viewer: Client, sample: Catalog) -> None:
    page = asked(viewer, sample, "")
    assert "send.*message" in re.findall(r"data-walk-stop>(.*?)</a>", page)
    assert "tools that the fuzzy fallback returns at most" in page
    assert "how much a long field is held against a word" in asked(viewer, sample, "", "bm25f")


SHAPES = [
    fact(2.0, "it is there"),
    fact(0.0, "it counts nothing", field="name"),
    fact(1.5, "its name was asked for", field="name"),
    product_of("likeness", [fact(0.5, "weight"), sum_of("two", [fact(1.0, "one"), fact(0.25, "other")])], field="name"),
    best_of(
        "the better", [product_of("in it", [fact(2, "a"), fact(3, "b")], field="tags"), fact(1, "c", field="name")]
    ),
    sum_of("all", [sum_of("BM25", [fact(1.25, "a word")]), fact(2.0, "a bonus", field="bonus"), fact(-0.5, "a fine")]),
    sum_of("nothing", []),
]


@pytest.mark.parametrize("scored", [True, False], ids=["scored", "unscored"])
@pytest.mark.parametrize("told", SHAPES, ids=lambda told: told.reason)
def test_an_explanation_of_any_shape_is_shown(
    viewer: Client, team: Catalog, monkeypatch: pytest.MonkeyPatch, told: Explanation, scored: bool
) -> None:
    page = asked(viewer, team, "x", k=2, engine=stand_in(monkeypatch, told, scored=scored))
    assert len(hit_names(page)) == 5
    assert "Finds everything." in page
    assert "read as" not in page
    tree = page[page.index('<ul class="why-tree') :]
    assert all(part.reason in tree for part in told.parts or [told] if part.reason != "nothing")
    assert bool(figures(page, "hit-score")) == scored


def test_the_parts_of_a_factor_are_shown_with_their_own_figures(
    viewer: Client, team: Catalog, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = asked(viewer, team, "x", engine=stand_in(monkeypatch, SHAPES[3]))
    assert "0.5 × 1.25" in page
    tree = page[page.index('<ul class="why-tree') : page.index("Open the tool")]
    assert re.findall(r">(?:× )?([\d.]+)</span>", tree) == ["0.625", "0.5", "1.25", "1.000", "0.250"]


@given(st.text("ab报\u0301\ud800😀 ", max_size=30), st.sampled_from(["a", "b*", "报|😀", "a.b", "$"]))
def test_spans_of_a_pattern_are_in_characters(text: str, pattern: str) -> None:
    found = list(matched_spans(compile_regex(pattern), text, 3))
    assert len(found) <= 3
    assert all(re.fullmatch(pattern, text[start:end].replace("\ud800", "?")) for start, end in found)


@pytest.mark.browser
@pytest.mark.asyncio(loop_scope="session")
async def test_a_choice_of_engine_is_live_and_can_be_gone_back_from(sample: Catalog, page: Page) -> None:
    await page.goto("/search/?catalog=office-agent&q=forecast")
    await page.evaluate("window.isSamePage = true")
    await page.get_by_text("mcpagent pattern", exact=True).click()
    await expect(page).to_have_url(re.compile("engine=mcpagent"))
    await expect(page.locator("#search-hint")).to_contain_text("A regular expression (RE2 syntax")
    await expect(page.locator("#results")).to_contain_text("does not rank")
    await expect(page.locator("rect.seg")).to_have_count(0)
    await page.locator(".hit").nth(1).locator("mark").first.click()
    await expect(page.locator("#hit-2")).to_have_attribute("aria-current", "true")
    assert await page.evaluate("window.isSamePage")
    await page.go_back()
    await expect(page.locator("#hit-1")).to_have_attribute("aria-current", "true")
    await page.go_back()
    await expect(page.locator("#search-engine-pegboard")).to_be_checked()
    await expect(page.locator("rect.seg").first).to_be_visible()
