"""The search page: one catalog, one query, each hit with its reasons."""

from functools import partial
from itertools import islice
from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET

from catalog.asking import Search, engine_state, is_changed_since, read_search
from catalog.editions import PUBLISHED, Edition
from catalog.forms.searching import MAX_TOP_K
from catalog.forms.versions import version_of
from catalog.indexing import indexed, ranking_of
from catalog.models import Catalog
from catalog.publishing.asking import NoSuchVersionError, edition_of
from catalog.publishing.standing import editions_of
from catalog.requests import Request
from catalog.search import ENGINES
from catalog.search.constants import CONSTANTS
from catalog.search.ranking import Hit, Ranking
from catalog.search.side_by_side import compare
from catalog.search.words import word_runs
from catalog.views.absence import why_not
from catalog.views.search_json import curl_of, json_address

EXAMPLES = (
    "tell the team channel",
    "book a room for eight",
    "报销",
    "send an invoice",
    "who is on leave",
    "getPullRequest",
)
"""Queries to begin with, offered where a catalog has tools for them."""
EXAMPLES_FOR = {
    "mcpagent": ("send.*message", "calendar|meeting", "报销", "^weather__", "leave|holiday", "forcast"),
    "eino-regex": ("send.*message", "calendar|meeting", "^weather__", "leave|holiday"),
    "eino-keyword": ("send message", "+calendar event", "invoice", "weather forecast"),
}
"""The same for engines that read a query as something else than words."""
MAX_EXAMPLES = 6
VIEWS = (("one", "One engine"), ("side", "Side by side"))
K_STEP = 10
"""How many more hits the page offers to return."""
TYPING = ("search-query", "search-form")
"""What replaces the address when it asks; any choice adds one to the history."""


@require_GET
def search(request: Request) -> HttpResponse:
    """The page, or its results alone for htmx. `?why=` names the hit whose arithmetic is open."""
    catalogs = list(Catalog.objects.all())
    slug = request.GET.get("catalog", "")
    if not catalogs:
        return render(request, "catalog/search_empty.html")
    if request.GET and not slug:
        return redirect(f"{reverse('search')}?catalog={catalogs[0].slug}&{request.GET.urlencode()}")
    catalog = next((catalog for catalog in catalogs if catalog.slug == (slug or catalogs[0].slug)), None)
    if catalog is None:
        raise Http404(f"there is no catalog {slug}")
    edition, unknown = _edition(catalog, request.GET.get("version", ""))
    asked = read_search(edition, request.GET)
    address = f"{reverse('search')}?{asked.form.query_string}"
    if not request.htmx and not unknown and asked.form.address != request.GET:
        return redirect(address)
    context = {"catalogs": catalogs, "catalog": catalog, "unknown_version": unknown, **_found(request, asked)}
    context |= {"edition": edition, "editions": editions_of(catalog, edition)}
    context["version"] = partial(version_of, engine_state(catalog), catalog)
    if not asked.form.columns:
        context |= why_not(request, edition, asked, context)
    if (moment := asked.form.moment) is not None:
        context["is_changed"] = is_changed_since(edition, moment)
    is_partial = request.htmx.target == "results"
    response = render(request, "catalog/_search_results.html" if is_partial else "catalog/search.html", context)
    if request.htmx and asked.form.address != request.GET:
        response["HX-Replace-Url" if request.htmx.trigger in TYPING else "HX-Push-Url"] = address
    return response


def _edition(catalog: Catalog, named: str) -> tuple[Edition, str]:
    """What is searched, and what is wrong with its name: then it is what agents get."""
    try:
        return edition_of(catalog, named), ""
    except NoSuchVersionError:
        return edition_of(catalog, PUBLISHED), f"{catalog.title} has no version {named}: what agents get was searched."


def _found(request: Request, search: Search) -> dict[str, Any]:
    form, exposure = search.form, search.exposure
    engine = form.chosen_engine.slug
    context: dict[str, Any] = {
        "form": form,
        "about_engine": (f"catalog/engines/{engine}.html", "catalog/engines/any.html"),
        "exposure": exposure,
        "upfront": exposure.pool.upfront_names,
        "constants": CONSTANTS.get(engine, ()),
        "asked_why": search.why,
        "views": VIEWS,
        "view": "side" if form.columns else "one",
        "chose_engine": request.htmx.trigger in [f"search-engine-{slug}" for slug in ENGINES],
    }
    if not exposure.pool.searchable:
        return context
    if (done := indexed(search.catalog)) is not None:
        return context | {"indexed": done}
    if not form.query:
        return context | {"examples": _examples(search)}
    return context | (_side_by_side(search) if form.columns else _alone(request, search))


def _alone(request: Request, search: Search) -> dict[str, Any]:
    ranking = search.ranking(search.form.asked)
    return {
        "ranking": ranking,
        "chosen": _chosen(ranking, search.why),
        "better_query": _better_query(ranking),
        "more_k": _more_k(ranking, search.form.top_k),
        "origin": f"searched in {search.catalog.title}",
        "json_address": json_address(search.form),
        "curl": curl_of(request.build_absolute_uri(json_address(search.form))),
    }


def _side_by_side(search: Search) -> dict[str, Any]:
    engines = [settings.chosen for settings in search.form.settings]
    comparison = compare([(engine, search.ranking(engine)) for engine in engines])
    return {
        "comparison": comparison,
        "explained": [(lane, lane.hit_of(search.why)) for lane in comparison.lanes] if search.why else [],
    }


def _chosen(ranking: Ranking, why: str) -> Hit | None:
    """The hit that is explained: the one asked for, else the first."""
    if why:
        return next((hit for hit in ranking.every_hit() if hit.tool.name == why), None)
    return next(ranking.every_hit(), None)


def _more_k(ranking: Ranking, top_k: int) -> int | None:
    """The top k to go on with; none if it was not the top k that cut."""
    is_cut = any(cut.by == f"top-k {top_k}" for cut in ranking.cuts)
    return min(top_k + K_STEP, MAX_TOP_K) if is_cut and top_k < MAX_TOP_K else None


def _better_query(ranking: Ranking) -> str:
    """The query with each word that no tool has replaced by the near one; empty if there is none."""
    near = {word.text: word.near for word in ranking.reading.words if word.near}
    query = ranking.reading.sent
    for run in reversed(list(word_runs(query))):
        start, end = run.span()
        query = query[:start] + near.get(query[start:end], query[start:end]) + query[end:]
    return query if near else ""


def _examples(search: Search) -> list[Ranking]:
    """Rankings of queries that find something here: common ones, then the words of tools' own names."""
    deferred = search.exposure.pool.deferred
    own = {tool.server: " ".join(tool.upstream_name.replace("-", "_").split("_")) for tool in deferred}
    engine = search.form.asked
    queries = (*EXAMPLES_FOR.get(engine.slug, EXAMPLES), *own.values())
    rankings = (ranking_of(search.catalog, engine, query, 1) for query in queries)
    return list(islice((ranking for ranking in rankings if ranking.matched), MAX_EXAMPLES))
