"""Asking recorded searches again, of a draft or a version, without a model."""

from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_GET
from django.views.decorators.vary import vary_on_headers

from catalog.editions import DRAFT
from catalog.models import Catalog
from catalog.publishing.asking import NoSuchVersionError, edition_of
from catalog.publishing.standing import editions_of
from catalog.requests import Request
from playground.review_forms import PERIODS, AskAgainForm
from playground.reviewing.asking_again import CHANGES
from playground.reviewing.kept_askings import asked_again

ROWS_A_PAGE = 50


@require_GET
@vary_on_headers("HX-Target")
def review_replay(request: Request) -> HttpResponse:
    """The page, or its results alone where htmx asks how far it has come."""
    catalogs = list(Catalog.objects.all())
    if not catalogs:
        return render(request, "playground/asking_again.html", {"form": AskAgainForm(request.GET)})
    slug = request.GET.get("catalog", "") or catalogs[0].slug
    catalog = get_object_or_404(Catalog, slug=slug)
    form, unknown = AskAgainForm(request.GET), ""
    try:
        edition = edition_of(catalog, form.chosen_edition)
    except NoSuchVersionError as error:
        edition, unknown = edition_of(catalog, DRAFT), f"There is no such version, so the draft was asked: {error}"
    again = asked_again(edition, form.since)
    change = request.GET.get("change", "")
    found = again.of(change if change in CHANGES else "")
    context = {
        "catalogs": catalogs,
        "catalog": catalog,
        "form": form,
        "periods": PERIODS,
        "edition": edition,
        "editions": editions_of(catalog, edition),
        "unknown": unknown,
        "again": again,
        "counted": again.counted(),
        "change": change,
        "page": Paginator(found, ROWS_A_PAGE).get_page(request.GET.get("page")),
    }
    template = "_asked_again.html" if request.htmx.target == "results" else "asking_again.html"
    return render(request, f"playground/{template}", context)
