"""Drift: what sources changed and waits for a person; one change with its texts brought together; deciding."""

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.http import require_GET, require_POST
from django.views.decorators.vary import vary_on_headers

from catalog.accepting import accept_rewordings
from catalog.drifting import accept, refuse
from catalog.forms.drift import DecisionForm, DriftFilterForm
from catalog.locking import in_one_transaction
from catalog.models import Drift, Tool
from catalog.models.drift import DriftQuerySet
from catalog.requests import Request
from catalog.roles import Role, needs
from catalog.views.gating import gated

DRIFTS_A_PAGE = 20
DECIDED_MEANWHILE = "Somebody decided this meanwhile, or the source took it back. Nothing was changed by you."


@require_GET
@vary_on_headers("HX-Target")
def drift_list(request: Request) -> HttpResponse:
    """The page, or its results alone where htmx replaces them."""
    form = DriftFilterForm(request.GET)
    found = _filtered(form) if form.is_valid() else Drift.objects.none()
    page = Paginator(found.select_related("tool__server"), DRIFTS_A_PAGE).get_page(request.GET.get("page"))
    context = {
        "form": form,
        "page": page,
        "versions": {drift.pk: DecisionForm(None, drift).version for drift in page},
        "waiting": Drift.objects.waiting().count(),
        "rewordings": _rewordings(found).count(),
        "newest": max((drift.pk for drift in found.order_by("-pk")[:1]), default=0),
    }
    template = "catalog/_drifts.html" if request.htmx.target == "results" else "catalog/drifts.html"
    return render(request, template, context)


@require_GET
def drift_page(request: Request, pk: int) -> HttpResponse:
    drift = get_object_or_404(Drift.objects.select_related("tool__server", "decided_by"), pk=pk)
    return _page(request, drift, DecisionForm(None, drift))


@require_POST
@needs(Role.CURATOR)
@gated
@in_one_transaction
def drift_decide(request: Request, pk: int) -> HttpResponse:
    """Accept or refuse one change, as it stood when it was shown."""
    Tool.objects.select_for_update().filter(drifts=pk).first()
    drift = get_object_or_404(Drift.objects.select_related("tool__server", "decided_by"), pk=pk)
    form = DecisionForm(request.POST, drift)
    if not form.is_valid():
        return _not_decided(request, drift, form)
    if request.POST.get("decision") == "refuse":
        refuse(drift, request.user)
        messages.success(request, f"{drift.tool.name} stays as it is. The same change is not asked about again.")
    else:
        accept(drift, request.user, form.own_description)
        messages.success(request, f"{drift.tool.name} is in force as its source now has it.")
    return redirect(_list_address(request))


def _not_decided(request: Request, drift: Drift, form: DecisionForm) -> HttpResponse:
    """What moved on meanwhile is told; a description that was written is shown beside what stands."""
    if not drift.is_waiting:
        messages.error(request, DECIDED_MEANWHILE)
    if "description" in request.POST:
        return _page(request, drift, form)
    if not drift.is_waiting:
        return redirect(_list_address(request))
    anew = DecisionForm(None, drift)
    anew.stale = form.stale
    return _page(request, drift, anew)


@require_POST
@needs(Role.CURATOR)
@gated
def drift_rewordings(request: Request) -> HttpResponse:
    """Accept every rewording that the filters show, up to the newest that the page knew of."""
    form = DriftFilterForm(request.POST)
    newest = request.POST.get("newest", "")
    if form.is_valid() and newest.isdecimal():
        found = _rewordings(_filtered(form)).filter(pk__lte=int(newest)).only("pk")
        done = accept_rewordings(found, request.user)
        messages.success(
            request, f"{done:,} rewording{'' if done == 1 else 's'} accepted. Each is in its tool’s history."
        )
    return redirect(_list_address(request))


def _page(request: Request, drift: Drift, form: DecisionForm) -> HttpResponse:
    context = {"drift": drift, "tool": drift.tool, "form": form, "filters": DriftFilterForm(request.GET)}
    return render(request, "catalog/drift.html", context, status=form.status)


def _filtered(form: DriftFilterForm) -> DriftQuerySet:
    drifts: DriftQuerySet = Drift.objects.waiting()
    if server := form.cleaned_data["server"]:
        drifts = drifts.filter(tool__server=server)
    match form.cleaned_data["kind"]:
        case "rewording":
            return _rewordings(drifts)
        case "meaning":
            return drifts.filter(changes_meaning=True)
        case "suspicious":
            return drifts.exclude(suspicions=[])
        case "edited":
            return drifts.filter(rewrites=True)
    return drifts


def _rewordings(drifts: DriftQuerySet) -> DriftQuerySet:
    return drifts.filter(changes_meaning=False, rewrites=False)


def _list_address(request: Request) -> str:
    kept = {name: value for name in ("server", "kind") if (value := request.POST.get(name))}
    return reverse("drifts") + (f"?{urlencode(kept)}" if kept else "")
