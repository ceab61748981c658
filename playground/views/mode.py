"""The mode of a catalog: how its agents find tools, and what their first prompt will be."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_GET, require_POST
from django.views.decorators.vary import vary_on_headers

from catalog.auditing.recording import Act, audited
from catalog.indexing import exposure_in
from catalog.locking import in_one_transaction, row_to_save
from catalog.models import Catalog
from catalog.policy_rows import policy_to_try
from catalog.publishing.standing import standing_of
from catalog.requests import Request
from catalog.roles import Role, needs
from catalog.search import ENGINES
from catalog.search.settings import changed
from catalog.views.gating import gated
from playground.forms import ModeForm
from playground.modes import MODES
from playground.runs.first_call import FirstCall, first_call


@require_GET
@vary_on_headers("HX-Target")
def catalog_mode(request: Request, slug: str) -> HttpResponse:
    """The page; `?mode=` and that mode's options show the first prompt as it would be, and change nothing."""
    catalog = get_object_or_404(Catalog, slug=slug)
    form = ModeForm(request.GET.dict() if "mode" in request.GET else None, catalog)
    form.is_trial = True
    return _page(request, catalog, form)


@require_POST
@needs(Role.CURATOR)
@gated
@in_one_transaction
def catalog_mode_keep(request: Request, slug: str) -> HttpResponse:
    catalog = row_to_save(request, Catalog.objects.all(), slug=slug)
    form = ModeForm(request.POST.dict(), catalog)
    if not form.is_valid():
        return _page(request, catalog, form)
    with audited(Act.CATALOG_MODE, catalog):
        catalog.mode, catalog.mode_options = form.chosen, changed(form.options)
        catalog.save()
    messages.success(request, f"Agents of {catalog.title} find their tools as in {form.chosen_mode.title}.")
    return redirect("catalog_mode", catalog.slug)


def _page(request: Request, catalog: Catalog, form: ModeForm) -> HttpResponse:
    engine = catalog.engine if catalog.engine in ENGINES else MODES[form.chosen].default_engine
    call, title = _call(catalog, form, engine), ENGINES[engine].title
    context = {"catalog": catalog, "form": form, "call": call, "engine_title": title}
    is_partial = request.htmx.target == "mode-page"
    context |= {} if is_partial else {"standing": standing_of(catalog)}
    return render(
        request, "playground/_mode.html" if is_partial else "playground/mode.html", context, status=form.status
    )


def _call(catalog: Catalog, form: ModeForm, engine: str) -> FirstCall | None:
    """The first call as the form has it; none while it cannot be read."""
    if form.is_bound and not form.is_valid() and not form.is_only_stale:
        return None
    pool = exposure_in(catalog, form.chosen, changed(form.options)).pool
    return first_call(pool, form.chosen, engine, form.options, timezone.localdate(), policy_to_try(catalog))
