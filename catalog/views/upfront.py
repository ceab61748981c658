"""What a catalog shows from the start and what it excludes: arranging both, with prices."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse, HttpResponseBadRequest
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_GET, require_POST
from django.views.decorators.vary import vary_on_headers

from catalog.auditing.recording import Act, audited
from catalog.forms.versions import FIELD, stale_since, version_of
from catalog.indexing import exposure_of
from catalog.locking import in_one_transaction, row_to_save
from catalog.models import Catalog, Tool
from catalog.publishing.standing import standing_of
from catalog.requests import Request
from catalog.roles import Role, needs
from catalog.shaping import move_to
from catalog.upfront import MOST_FOUND, found_in, upfront_of
from catalog.upfront_lists import order_of


@require_GET
@vary_on_headers("HX-Target")
def catalog_upfront(request: Request, slug: str) -> HttpResponse:
    """`?add=` finds tools that can be shown from the start or excluded."""
    catalog = get_object_or_404(Catalog.objects.with_parts(), slug=slug)
    exposure, query = exposure_of(catalog), request.GET.get("add", "")
    context: dict[str, Any] = {
        "catalog": catalog,
        "upfront": upfront_of(catalog, exposure),
        "query": query,
        "found": found_in(catalog, exposure, query),
        "most_found": MOST_FOUND,
        "version": version_of(order_of(catalog), catalog),
    }
    is_partial = request.htmx.target == "found"
    context |= {} if is_partial else {"standing": standing_of(catalog)}
    return render(request, "catalog/_upfront_found.html" if is_partial else "catalog/upfront.html", context)


@require_POST
@needs(Role.CURATOR)
@in_one_transaction
def catalog_upfront_place(request: Request, slug: str) -> HttpResponse:
    """Move the pre-discovered `tool` (`server/name`) to `place`, of which the first is 0: a place in the order that was shown."""
    catalog = row_to_save(request, Catalog.objects.all(), slug=slug)
    server, _, name = request.POST.get("tool", "").partition("/")
    place = request.POST.get("place", "")
    if not (place.isascii() and place.isdigit() and len(place) < 9):
        return HttpResponseBadRequest("No such place.")
    if stale_since(request.POST.get(FIELD, ""), order_of(catalog), catalog, list):
        messages.error(
            request, "The order was changed since you looked at it. Nothing was moved: look again, then move it."
        )
        return redirect("catalog_upfront", catalog.slug)
    tool = get_object_or_404(Tool, server__slug=server, name=name)
    with audited(Act.CATALOG_SHAPED, catalog):
        move_to(catalog, tool, int(place))
    return redirect("catalog_upfront", catalog.slug)
