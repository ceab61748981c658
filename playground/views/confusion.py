"""Which tools are mistaken for which in recorded runs: the map of a catalog, and one pair with all that it rests on."""

from typing import Any

from django.core.paginator import Paginator
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.utils.http import urlencode
from django.views.decorators.http import require_GET
from django.views.decorators.vary import vary_on_headers

from catalog.lint.side_by_side import side_by_side
from catalog.models import Catalog, Tool
from catalog.requests import Request
from playground.models import Run
from playground.review_forms import PeriodForm
from playground.reviewing.confusing import Confusion, confusion_in, finding_about
from playground.reviewing.confusion import Pair, matrix_of
from playground.reviewing.kept_trails import MOST_RUNS
from playground.reviewing.matrix_drawing import drawn
from playground.reviewing.mistaken import KINDS

PAIRS_A_PAGE = 50
PIECES_SHOWN = 100
"""Pieces of evidence of one kind, and searches, that a pair's page lists, the latest."""


@require_GET
@vary_on_headers("HX-Target")
def confusion_map(request: Request) -> HttpResponse:
    """The page, or its table alone where htmx replaces it. `?q=` keeps pairs with these words, `?kind=` with this evidence."""
    catalogs, form = list(Catalog.objects.all()), PeriodForm(request.GET)
    catalog = _catalog(catalogs, request.GET.get("catalog", ""))
    context: dict[str, Any] = {
        "catalogs": catalogs,
        "catalog": catalog,
        "form": form,
        "kinds": KINDS,
        "most": MOST_RUNS,
    }
    if catalog is not None:
        confusion = confusion_in(catalog, form.since)
        query = request.GET.get("q", "")
        found = _with_words(confusion.pairs, query, request.GET.get("kind", ""))
        page = Paginator(found, PAIRS_A_PAGE).get_page(request.GET.get("page"))
        rows = [(pair, confusion.overlap(pair.right, pair.mistaken)) for pair in page]
        matrix = drawn(matrix_of(confusion.pairs))
        context |= {"confusion": confusion, "page": page, "rows": rows, "query": query, "matrix": matrix}
        context["kind_chosen"] = request.GET.get("kind", "")
        context |= {"address": _address(catalog, form), "suites": catalog.suites.all()}
    is_partial = request.htmx.target == "pairs"
    return render(request, "playground/confusion/_pairs.html" if is_partial else "playground/confusion.html", context)


@require_GET
def confused_pair(request: Request) -> HttpResponse:
    """Two tools: `?right=` that should have been taken, `?mistaken=` for which it was; with both directions of evidence."""
    catalogs, form = list(Catalog.objects.all()), PeriodForm(request.GET)
    catalog = _catalog(catalogs, request.GET.get("catalog", ""))
    keys = request.GET.get("right", ""), request.GET.get("mistaken", "")
    if catalog is None or not all("/" in key for key in keys) or keys[0] == keys[1]:
        raise Http404("no such pair")
    confusion = confusion_in(catalog, form.since)
    found = {(pair.right, pair.mistaken): pair for pair in confusion.pairs}
    directions = [found.get(pair) or Pair(*pair, ()) for pair in (keys, keys[::-1])]
    together = confusion.together(*keys)
    context = {
        "catalog": catalog,
        "form": form,
        "address": _address(catalog, form),
        "right": keys[0],
        "mistaken": keys[1],
        "directions": [
            (pair, [(kind, _pieces(pair, kind.slug), count) for kind, count in pair.counts]) for pair in directions
        ],
        "overlap": confusion.overlap(*keys),
        "sides": _sides(confusion, keys),
        "together": together,
        "together_shown": together[:PIECES_SHOWN],
        "finding": finding_about(*keys),
        "shown": PIECES_SHOWN,
    }
    return render(request, "playground/confused_pair.html", context)


def _pieces(pair: Pair[Run], kind: str) -> list[Any]:
    return [one for one in pair.evidence if one.kind.slug == kind][:PIECES_SHOWN]


def _sides(confusion: Confusion, keys: tuple[str, str]) -> list[Any]:
    """The two tools, each with its row and its texts in pieces; none where the catalog lacks one."""
    specs = [confusion.tools.get(key) for key in keys]
    if specs[0] is None or specs[1] is None:
        return []
    rows = [
        Tool.objects.select_related("server")
        .filter(server__slug=spec.server, name=spec.upstream_name or spec.name)
        .first()
        for spec in specs
        if spec
    ]
    sides = side_by_side(specs[0], specs[1])
    return [(row, side) for row, side in zip(rows, sides, strict=True) if row]


def _with_words(pairs: tuple[Pair[Run], ...], query: str, kind: str) -> list[Pair[Run]]:
    words = query.casefold().split()
    if kind:
        pairs = tuple(pair for pair in pairs if any(one.kind.slug == kind for one in pair.evidence))
    return [pair for pair in pairs if all(word in f"{pair.right} {pair.mistaken}".casefold() for word in words)]


def _address(catalog: Catalog, form: PeriodForm) -> str:
    """What the addresses of pairs keep of the map's."""
    days = form.chosen_days
    return urlencode({"catalog": catalog.slug} | ({"days": days} if days else {}))


def _catalog(catalogs: list[Catalog], slug: str) -> Catalog | None:
    """The one that is named, else the one that was run last, else the first."""
    if slug:
        found = next((one for one in catalogs if one.slug == slug), None)
        if found is None:
            raise Http404(f"there is no catalog {slug}")
        return found
    latest = Run.objects.filter(catalog__isnull=False).order_by("-created_at").values_list("catalog", flat=True).first()
    return next((one for one in catalogs if one.pk == latest), catalogs[0] if catalogs else None)
