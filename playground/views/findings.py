"""Findings of runs: by rule and what they are about, each number leading to its runs."""

from typing import Any

from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET
from django.views.decorators.vary import vary_on_headers

from catalog.requests import Request
from playground.models import Run, RunFinding
from playground.reporting.counted import counted_runs
from playground.review_forms import FindingsForm
from playground.reviewing.listing import counts_by_rule, editable_tools, findings_in, grouped, groups_of
from playground.reviewing.rules import RULES

GROUPS_A_PAGE = 30
FINDINGS_A_PAGE = 30


@require_GET
@vary_on_headers("HX-Target")
def run_findings(request: Request) -> HttpResponse:
    """The page, or its results alone where htmx replaces them."""
    form = FindingsForm(request.GET)
    form.is_valid()
    wanted = form.cleaned_data
    reported, catalog = form.reported, wanted.get("catalog")
    found = findings_in(catalog, None if reported else form.since, wanted.get("source", ""))
    if reported and catalog:
        found = found.filter(run__in=counted_runs(catalog, reported).values("pk"))
    rule = wanted.get("rule", "")
    chosen = found.filter(rule=rule) if rule else found
    context: dict[str, Any] = {
        "form": form,
        "counts": counts_by_rule(found),
        "rule": RULES.get(rule),
        "reported": reported,
    }
    if rule and "subject" in request.GET:
        context |= _one_by_one(request, chosen.filter(subject=wanted.get("subject", "")))
    else:
        page = Paginator(grouped(chosen), GROUPS_A_PAGE).get_page(request.GET.get("page"))
        context |= {"page": page, "groups": list(groups_of(list(page)))}
    context["unread"] = Run.objects.filter(review=None, ended_at__isnull=False).count()
    template = "playground/_findings.html" if request.htmx.target == "results" else "playground/findings.html"
    return render(request, template, context)


def _one_by_one(request: Request, found: Any) -> dict[str, Any]:
    rows = found.select_related("run__catalog", "search").order_by("-run__created_at", "seq")
    page = Paginator(rows, FINDINGS_A_PAGE).get_page(request.GET.get("page"))
    findings: list[RunFinding] = list(page)
    first = next(iter(findings), None)
    return {"page": page, "findings": findings, "first": first, "editable": editable_tools(findings)}
