"""Keeping the engine of a search, as it was asked, for the catalog, and undoing that."""

from django.contrib import messages
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_POST

from catalog.asking import engine_state, read_search
from catalog.auditing.recording import Act, audited
from catalog.forms.versions import FIELD, stale_since
from catalog.locking import in_one_transaction, row_to_save
from catalog.models import Catalog
from catalog.requests import Request
from catalog.roles import Role, needs
from catalog.search.settings import changed
from catalog.views.gating import gated

BEFORE = "engine_before"
"""What the session keeps of the engine that was replaced last."""
CHOOSE = "Both stand below: what it asks now, and what you tried, which you may keep over it."


@require_POST
@needs(Role.CURATOR)
@gated
@in_one_transaction
def catalog_engine(request: Request, slug: str) -> HttpResponse:
    """`search` is the address of a search: its engine becomes the catalog's, its settings those that differ from the defaults."""
    catalog = row_to_save(request, Catalog.objects.all(), slug=slug)
    form = read_search(catalog, QueryDict(request.POST.get("search", ""))).form
    if form.problems:
        messages.error(request, f"Nothing was kept. {' '.join(form.problems.values())}")
        return redirect(f"{reverse('search')}?{form.query_string}")
    if stale := stale_since(request.POST.get(FIELD, ""), engine_state(catalog), catalog, list):
        who = ", ".join(str(save.by) for save in stale.saves) or "somebody"
        messages.error(request, f"Nothing was kept: {who} changed what {catalog.title} asks. {CHOOSE}")
        return redirect(f"{reverse('search')}?{form.query_string}")
    asked = form.settings[0]
    before = engine_state(catalog)
    with audited(Act.CATALOG_ENGINE, catalog):
        catalog.engine, catalog.engine_settings = asked.engine, changed(asked.chosen.settings)
        catalog.save(update_fields=["engine", "engine_settings", "updated_at"])
    request.session[BEFORE] = {"catalog": slug, "before": before, "after": engine_state(catalog)}
    where = "in runs too" if catalog.publishes_itself else "in its draft. Publish it, and runs do too"
    said = f"{catalog.title} now asks {asked.said}, {where}."
    messages.success(request, said, extra_tags=reverse("catalog_engine_undo", args=[slug]))
    kept = read_search(catalog, QueryDict(request.POST["search"])).form
    return redirect(f"{reverse('search')}?{kept.query_string}")


@require_POST
@needs(Role.CURATOR)
@in_one_transaction
def catalog_engine_undo(request: Request, slug: str) -> HttpResponse:
    """Have the catalog ask as it did before this session last changed that, if nobody changed it since."""
    catalog = row_to_save(request, Catalog.objects.all(), slug=slug)
    before = request.session.pop(BEFORE, {})
    if before.get("catalog") != slug:
        messages.error(request, "There is nothing to undo here: choose the engine anew.")
    elif engine_state(catalog) != before["after"]:
        messages.error(request, f"Nothing was undone: what {catalog.title} asks was changed since.")
    else:
        with audited(Act.CATALOG_ENGINE, catalog):
            catalog.engine, catalog.engine_settings = before["before"]["engine"], before["before"]["settings"]
            catalog.save(update_fields=["engine", "engine_settings", "updated_at"])
        messages.success(request, f"Undone: {catalog.title} asks as it did before.")
    return redirect(f"{reverse('search')}?catalog={slug}")
