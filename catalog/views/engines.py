"""Keeping the engine of a search, as it was asked, for the catalog."""

from django.contrib import messages
from django.http import HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.views.decorators.http import require_POST

from catalog.asking import read_search
from catalog.models import Catalog
from catalog.requests import Request
from catalog.roles import Role, needs
from catalog.search.settings import changed


@require_POST
@needs(Role.CURATOR)
def catalog_engine(request: Request, slug: str) -> HttpResponse:
    """`search` is the address of a search: its engine becomes the catalog's, its settings those that differ from the defaults."""
    catalog = get_object_or_404(Catalog, slug=slug)
    form = read_search(catalog, QueryDict(request.POST.get("search", ""))).form
    if form.problems:
        messages.error(request, f"Nothing was kept. {' '.join(form.problems.values())}")
        return redirect(f"{reverse('search')}?{form.query_string}")
    asked = form.settings[0]
    catalog.engine, catalog.engine_settings = asked.engine, changed(asked.chosen.settings)
    catalog.save(update_fields=["engine", "engine_settings", "updated_at"])
    messages.success(request, f"{catalog.title} now asks {asked.said}, in runs too.")
    kept = read_search(catalog, QueryDict(request.POST["search"])).form
    return redirect(f"{reverse('search')}?{kept.query_string}")
