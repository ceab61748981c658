"""The search page: one catalog, one query, each hit with its reasons."""

from collections import Counter
from itertools import islice
from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET

from catalog.exposure import Exposure
from catalog.forms.searching import MAX_TOP_K, SearchForm
from catalog.indexing import exposure_of, indexed, ranking_of
from catalog.models import Catalog
from catalog.requests import Request
from catalog.search.arithmetic import BOOSTS
from catalog.search.choosing import ChosenEngine
from catalog.search.ranking import Hit, Ranking
from catalog.search.words import word_runs
from catalog.views.absence import why_not

EXAMPLES = (
    "tell the team channel",
    "book a room for eight",
    "报销",
    "send an invoice",
    "who is on leave",
    "getPullRequest",
)
"""Queries to begin with, offered where a catalog has tools for them."""
EXAMPLES_FOR = {"mcpagent": ("send.*message", "calendar|meeting", "报销", "^weather__", "leave|holiday", "forcast")}
"""The same for engines that read a query as something else than words."""
MAX_EXAMPLES = 6
K_STEP = 10
"""How many more hits the page offers to return."""


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
    context = {"catalogs": catalogs, "catalog": catalog, **_found(request, catalog)}
    context |= why_not(request, catalog, context)
    is_partial = request.htmx.target == "results"
    return render(request, "catalog/_search_results.html" if is_partial else "catalog/search.html", context)


def _found(request: Request, catalog: Catalog) -> dict[str, Any]:
    exposure = exposure_of(catalog)
    form = SearchForm(request.GET, catalog, servers=Counter(tool.server for tool in exposure.pool.searchable))
    engine = form.chosen_engine.slug
    context: dict[str, Any] = {
        "form": form,
        "about_engine": (f"catalog/engines/{engine}.html", "catalog/engines/any.html"),
        "exposure": exposure,
        "upfront": exposure.pool.upfront_names,
        "weights": BOOSTS,
    }
    if not exposure.pool.searchable:
        return context
    if (done := indexed(catalog)) is not None:
        return context | {"indexed": done}
    if not form.query:
        return context | {"examples": _examples(catalog, exposure, form.asked)}
    servers = frozenset({form.chosen_server} if form.chosen_server else ())
    ranking = ranking_of(catalog, form.asked, form.query, form.top_k, servers)
    why = request.GET.get("why", "")
    return context | {
        "ranking": ranking,
        "chosen": _chosen(ranking, why),
        "asked_why": why,
        "better_query": _better_query(ranking),
        "more_k": _more_k(ranking, form.top_k),
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


def _examples(catalog: Catalog, exposure: Exposure, engine: ChosenEngine) -> list[Ranking]:
    """Rankings of queries that find something here: common ones, then the words of tools' own names."""
    own = {tool.server: " ".join(tool.upstream_name.replace("-", "_").split("_")) for tool in exposure.pool.deferred}
    queries = (*EXAMPLES_FOR.get(engine.slug, EXAMPLES), *own.values())
    rankings = (ranking_of(catalog, engine, query, 1) for query in queries)
    return list(islice((ranking for ranking in rankings if ranking.matched), MAX_EXAMPLES))
