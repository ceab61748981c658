"""Two catalogs side by side, and a catalog made from another."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_GET, require_POST

from catalog.cloning import clone
from catalog.comparing import compare
from catalog.indexing import exposure_of
from catalog.models import Catalog
from catalog.publishing.acts import publish_first
from catalog.requests import Request
from catalog.roles import Role, needs


@require_GET
def catalog_compare(request: Request) -> HttpResponse:
    """`?a=` and `?b=` are short names of catalogs; without both the page asks for them."""
    catalogs = list(Catalog.objects.with_parts())
    by_slug = {catalog.slug: catalog for catalog in catalogs}
    a, b = (by_slug.get(request.GET.get(name, "")) for name in ("a", "b"))
    compared = compare((a, exposure_of(a)), (b, exposure_of(b))) if a and b else None
    unknown = [request.GET[name] for name in ("a", "b") if request.GET.get(name) and request.GET[name] not in by_slug]
    context = {"catalogs": catalogs, "a": a, "b": b, "compared": compared, "unknown": unknown}
    return render(request, "catalog/compare.html", context)


@require_POST
@needs(Role.CURATOR)
def catalog_clone(request: Request, slug: str) -> HttpResponse:
    copy = clone(get_object_or_404(Catalog, slug=slug))
    publish_first(copy, request.user)
    messages.success(request, f"{copy.title} was made, with all that the other has. Give it a name of its own.")
    return redirect("catalog_edit", copy.slug)
