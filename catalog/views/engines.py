"""Keeping the engine of a search, as it was asked, for the catalog, and undoing that."""

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

BEFORE = "engine_before"
"""What the session keeps of the engine that was replaced last."""


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
    request.session[BEFORE] = {"catalog": slug, "engine": catalog.engine, "settings": catalog.engine_settings}
    catalog.engine, catalog.engine_settings = asked.engine, changed(asked.chosen.settings)
    catalog.save(update_fields=["engine", "engine_settings", "updated_at"])
    said = f"{catalog.title} now asks {asked.said}, in runs too."
    messages.success(request, said, extra_tags=reverse("catalog_engine_undo", args=[slug]))
    kept = read_search(catalog, QueryDict(request.POST["search"])).form
    return redirect(f"{reverse('search')}?{kept.query_string}")


@require_POST
@needs(Role.CURATOR)
def catalog_engine_undo(request: Request, slug: str) -> HttpResponse:
    """Have the catalog ask as it did before this session last changed that."""
    catalog = get_object_or_404(Catalog, slug=slug)
    before = request.session.pop(BEFORE, {})
    if before.get("catalog") != slug:
        messages.error(request, "There is nothing to undo here: choose the engine anew.")
    else:
        catalog.engine, catalog.engine_settings = before["engine"], before["settings"]
        catalog.save(update_fields=["engine", "engine_settings", "updated_at"])
        messages.success(request, f"Undone: {catalog.title} asks as it did before.")
    return redirect(f"{reverse('search')}?catalog={slug}")
