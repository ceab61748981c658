"""Lint: what stands in the way of choosing a tool, with its evidence; looking again; setting a finding aside."""

from functools import partial
from urllib.parse import urlsplit

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.http import require_GET, require_POST
from django.views.decorators.vary import vary_on_headers
from django_htmx.http import HttpResponseClientRedirect

from catalog import background
from catalog.finding_pages import counts, findings_of, for_pages, last_look, shown
from catalog.forms.lint import AsideForm, FindingFilterForm, PlaceForm
from catalog.keeping_findings import reopen, set_aside
from catalog.linting import carry_out
from catalog.models import Finding, Look, Server
from catalog.models.finding import FindingQuerySet
from catalog.progress import progress_of
from catalog.requests import Request
from catalog.returning import return_address
from catalog.roles import Role, needs

FINDINGS_A_PAGE = 20


@require_GET
@vary_on_headers("HX-Target")
def lint_list(request: Request) -> HttpResponse:
    """The page, or its results alone where htmx replaces them."""
    form = FindingFilterForm(request.GET)
    found = _in_state(form) if form.is_valid() else Finding.objects.none()
    chosen = found.filter(rule=form.cleaned_data["rule"]) if form.is_valid() and form.cleaned_data["rule"] else found
    page = Paginator(for_pages(chosen), FINDINGS_A_PAGE).get_page(request.GET.get("page"))
    look = last_look(form.cleaned_data.get("server"), form.cleaned_data.get("catalog"))
    context = {
        "form": form,
        "page": page,
        "findings": list(shown(page)),
        "counts": counts(found),
        "look": look,
        "progress": look and progress_of(look),
        "narrowed": any(request.GET.get(name) for name in form.fields),
    }
    if request.htmx.target == "results":
        return render(request, "catalog/_findings.html", context | {"in_place": True})
    servers = Server.objects.order_by("slug").values_list("slug", "title")
    return render(request, "catalog/findings.html", context | {"servers": servers})


@require_GET
def finding_page(request: Request, pk: int) -> HttpResponse:
    finding = get_object_or_404(for_pages(Finding.objects.all()), pk=pk)
    return _page(request, finding, AsideForm())


@require_POST
@needs(Role.CURATOR)
def lint_look(request: Request) -> HttpResponse:
    """Ask every rule, in the background, of what the form names."""
    form = PlaceForm(request.POST)
    if form.is_valid() and not Look.objects.filter(ended_at=None).exists():
        place = {name: value for name, value in form.cleaned_data.items() if value}
        look = Look.objects.create(by=request.user, **place)
        background.submit_in_line(partial(carry_out, look))
    kept = {name: value for name in ("server", "catalog") if (value := request.POST.get(name))}
    return redirect(reverse("lint") + (f"?{urlencode(kept)}" if kept else ""))


@require_POST
@needs(Role.CURATOR)
def finding_aside(request: Request, pk: int) -> HttpResponse:
    """Set a finding aside, with the reason, just as it stood on the page."""
    finding = get_object_or_404(for_pages(Finding.objects.all()), pk=pk)
    form = AsideForm(request.POST)
    if not form.is_valid():
        return _whole(request, finding) if request.htmx else _page(request, finding, form)
    if form.cleaned_data["rests_on"] != finding.rests_on:
        messages.error(request, "The texts were changed since you looked at them. Look again.")
        return _whole(request, finding)
    set_aside(finding, request.user, form.cleaned_data["reason"])
    if request.htmx:
        return _row(request, finding)
    messages.success(request, "Set aside, until the texts that it rests on change.")
    return redirect(_back(request))


@require_POST
@needs(Role.CURATOR)
def finding_reopen(request: Request, pk: int) -> HttpResponse:
    finding = get_object_or_404(for_pages(Finding.objects.all()), pk=pk)
    reopen(finding)
    if request.htmx:
        return _row(request, finding)
    messages.success(request, "The finding is open again.")
    return redirect(_back(request))


def _page(request: Request, finding: Finding, form: AsideForm) -> HttpResponse:
    context = {"finding": finding, "one": next(shown([finding])), "form": form, "next": reverse("lint")}
    return render(request, "catalog/finding.html", context)


def _row(request: Request, finding: Finding) -> HttpResponse:
    """The finding as it is now, in its place of the list, and what the rules count then."""
    address = _back(request)
    query = QueryDict(urlsplit(address).query)
    form = FindingFilterForm(query)
    found = _in_state(form) if form.is_valid() else Finding.objects.none()
    context = {"finding": finding, "one": next(shown([finding])), "next": address}
    context |= {"form": form, "query": query, "counts": counts(found)}
    return render(request, "catalog/_finding_saved.html", context)


def _whole(request: Request, finding: Finding) -> HttpResponse:
    """To the finding's own page, also from its row of a list."""
    address = reverse("finding", args=[finding.pk])
    return HttpResponseClientRedirect(address) if request.htmx else redirect(address)


def _in_state(form: FindingFilterForm) -> FindingQuerySet:
    found = findings_of(form.cleaned_data["server"], form.cleaned_data["catalog"])
    match form.cleaned_data["state"]:
        case "":
            return found.open()
        case Finding.State.ASIDE:
            return found.filter(state=Finding.State.ASIDE)
    return found


def _back(request: Request) -> str:
    """Where the reader came from, if that is a page of ours."""
    return return_address(request) or reverse("lint")
