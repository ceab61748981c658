"""The queue of recorded queries, one of them open beside it."""

from typing import Any

from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import render
from django.utils.crypto import get_random_string
from django.utils.http import urlencode
from django.views.decorators.http import require_GET
from django.views.decorators.vary import vary_on_headers

from catalog.models import Catalog, Judgement, Suite
from catalog.requests import Request
from playground.models import Run
from playground.review_forms import PERIODS, QueueForm
from playground.reviewing.judging import reviewed_slug
from playground.reviewing.opening import opened, tools_with
from playground.reviewing.queries import asked_with
from playground.reviewing.queue import Queued, queue, wanted

ROWS_A_PAGE = 50
MOST_ASKED = 100
"""Searches with the words that are open that are listed, the latest."""
UNDO = "judged_before"
"""In the session: what was said before each of the last acts."""
VERDICTS = [(value, label, key) for (value, label), key in zip(Judgement.Verdict.choices, "1230", strict=True)]
"""Value, words and key of each."""


@require_GET
@vary_on_headers("HX-Target")
def review(request: Request) -> HttpResponse:
    """The page; or what is found where one looks for a tool, for htmx."""
    catalogs = list(Catalog.objects.all())
    catalog = _catalog(catalogs, request.GET.get("catalog", ""))
    if catalog is None:
        return render(request, "playground/review.html", {"form": QueueForm(request.GET)})
    context = queue_context(request, catalog, request.GET)
    is_partial = request.htmx.target == "review-found"
    template = "playground/review/_found.html" if is_partial else "playground/review.html"
    return render(request, template, {"catalogs": catalogs, **context})


def queue_context(request: Request, catalog: Catalog, address: QueryDict) -> dict[str, Any]:
    """What the page shows, by its address."""
    form = QueueForm(address)
    everything = queue(catalog, form.since, request.user, form.asked("order"))
    shown = wanted(everything, form.asked("which"))
    named = form.asked("q") or (shown[0].query.words if shown else "")
    chosen = next((one for one in everything if one.query.words == named), None)
    context: dict[str, Any] = {
        "catalog": catalog,
        "form": form,
        "address": _within(address, catalog),
        "periods": PERIODS,
        "all_queries": len(everything),
        "is_named": bool(form.asked("q")),
        "verdicts": VERDICTS,
        "chosen": chosen,
        "seed": form.asked("shuffle"),
        "new_seed": get_random_string(6),
        "suite": Suite.objects.filter(slug=reviewed_slug(catalog)).first(),
        "may_undo": bool(request.session.get(UNDO)),
        **_window(address.get("page", ""), shown, chosen),
    }
    if chosen is not None:
        context["asked"] = asked_with(catalog, chosen.query.words, form.since)[:MOST_ASKED]
        context["following"] = _following(everything, shown, chosen)
        context["opened"] = opened(catalog, chosen.query, request.user, form.asked("shuffle"))
        if words := form.asked("find"):
            found = tools_with(catalog, words, request.user, chosen.query.text)
            context |= {"find": words, "found": found}
    return context


def _within(address: QueryDict, catalog: Catalog) -> str:
    """What of the page's address holds for every query of the list."""
    kept = {name: value for name in ("days", "which", "order", "shuffle") if (value := address.get(name))}
    return urlencode({"catalog": catalog.slug, **kept})


def _window(named: str, shown: list[Queued], chosen: Queued | None) -> dict[str, Any]:
    """The rows of the page asked for, else those around the one that is open."""
    place = next((at for at, one in enumerate(shown) if chosen and one.query.words == chosen.query.words), 0)
    page = max(int(named), 1) if named.isdecimal() and len(named) < 6 else place // ROWS_A_PAGE + 1
    start, pages = (page - 1) * ROWS_A_PAGE, -(-len(shown) // ROWS_A_PAGE)
    return {
        "rows": shown[start : start + ROWS_A_PAGE],
        "count": len(shown),
        "first": start + 1,
        "before": page - 1 if page > 1 else None,
        "after": page + 1 if page < pages else None,
    }


def _following(everything: list[Queued], shown: list[Queued], chosen: Queued) -> Queued | None:
    """The next query of those shown, wherever the open one stands; from the last on, the first again."""
    order = {one.query.words: at for at, one in enumerate(everything)}
    others = [one for one in shown if one.query.words != chosen.query.words]
    later = (one for one in others if order[one.query.words] > order[chosen.query.words])
    return next(later, others[0] if others else None)


def _catalog(catalogs: list[Catalog], slug: str) -> Catalog | None:
    """The one that is named, else the one whose runs searched last, else the first."""
    if slug:
        found = next((one for one in catalogs if one.slug == slug), None)
        if found is None:
            raise Http404(f"there is no catalog {slug}")
        return found
    latest = Run.objects.filter(catalog__isnull=False, searches__isnull=False).order_by("-created_at")
    pk = latest.values_list("catalog", flat=True).first()
    return next((one for one in catalogs if one.pk == pk), catalogs[0] if catalogs else None)
