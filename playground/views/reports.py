"""The report of a catalog, and the searches and tools behind its numbers."""

import json
from collections.abc import Iterable
from typing import Any

from django.core.paginator import Paginator
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.views.decorators.http import require_GET

from catalog.auditing.recording import Act, record
from catalog.indexing import exposure_of
from catalog.models import Catalog
from catalog.requests import Request
from playground.models import Run, RunSearch
from playground.report_forms import DAYS, PeriodForm, SearchesForm, ToolsForm
from playground.reporting.links import Links
from playground.reporting.listing import queries_in, searches_for, tools_in
from playground.reporting.making import Found, find, report_of
from playground.reporting.measures import measured
from playground.reporting.trails import Asked
from playground.reporting.writing import markdown, table_csv, to_json

ROWS_A_PAGE = 50


@require_GET
def catalog_report(request: Request, slug: str) -> HttpResponse:
    catalog = get_object_or_404(Catalog, slug=slug)
    form = PeriodForm(request.GET)
    found = find(catalog, form.period)
    context = _about(catalog, form) | {"report": report_of(found), "made_at": timezone.now()}
    context["totals"] = found.measures.now.totals
    return render(request, "playground/report.html", context)


@require_GET
def catalog_report_searches(request: Request, slug: str) -> HttpResponse:
    """Every query of the period, with what came of it."""
    catalog = get_object_or_404(Catalog, slug=slug)
    form = SearchesForm(request.GET)
    said = form.cleaned_data if form.is_valid() else {}
    trails = measured(catalog, form.period).now.trails
    tool = said.get("tool", "")
    found = [(one, one.found[tool], one.called[tool]) for one in queries_in(trails, said.get("led", ""), tool)]
    context = _about(catalog, form) | {"page": _page(request, found), "tool": tool, "trails": trails}
    context["kept"] = [("led", said.get("led")), ("tool", tool), ("query", said.get("query"))]
    if "query" in request.GET:
        each = searches_for(trails, said.get("query", ""), said.get("led", ""), tool)
        context |= {"page": _page(request, each), "query": said.get("query", "")}
        context["each"] = _in_their_runs(context["page"])
    return render(request, "playground/report_searches.html", context)


@require_GET
def catalog_report_tools(request: Request, slug: str) -> HttpResponse:
    """Every tool of the catalog and every one that a run met, with what came of it."""
    catalog = get_object_or_404(Catalog, slug=slug)
    form = ToolsForm(request.GET)
    said = form.cleaned_data if form.is_valid() else {}
    found = tools_in(measured(catalog, form.period), exposure_of(catalog).pool, said.get("which", ""))
    context = _about(catalog, form) | {"page": _page(request, found), "kept": [("which", said.get("which"))]}
    return render(request, "playground/report_tools.html", context)


@require_GET
def catalog_report_markdown(request: Request, slug: str) -> HttpResponse:
    found = _exported(request, slug, "Markdown")
    text = markdown(report_of(found), request.build_absolute_uri("/").rstrip("/"))
    return _download(found, "md", text, "text/markdown")


@require_GET
def catalog_report_json(request: Request, slug: str) -> HttpResponse:
    found = _exported(request, slug, "JSON")
    text = json.dumps(to_json(found, report_of(found)), ensure_ascii=False, indent=1)
    return _download(found, "json", text, "application/json")


@require_GET
def catalog_report_table(request: Request, slug: str, name: str) -> HttpResponse:
    """One table of the report as CSV."""
    catalog = get_object_or_404(Catalog, slug=slug)
    found = find(catalog, PeriodForm(request.GET).period)
    table = report_of(found).table(name)
    if table is None:
        raise Http404(f"the report has no table {name}")
    record(Act.EXPORTED, catalog, after={"as": f"report, {name} as CSV"})
    return _download(found, f"{name}.csv", table_csv(table), "text/csv")


def _in_their_runs(searches: Iterable[Asked]) -> list[tuple[Run, int, Asked]]:
    """Each with its run, and the number of its step there; of a run that was not read yet the number of the answer."""
    found = list(searches)
    runs = Run.objects.in_bulk([one.run for one in found])
    rows = RunSearch.objects.filter(run__in=runs).values_list("run", "answer", "seq")
    steps = {(run, answer): seq for run, answer, seq in rows}
    return [(runs[one.run], steps.get((one.run, one.answer), one.answer), one) for one in found if one.run in runs]


def _exported(request: Request, slug: str, kind: str) -> Found:
    catalog = get_object_or_404(Catalog, slug=slug)
    record(Act.EXPORTED, catalog, after={"as": f"report, {kind}"})
    return find(catalog, PeriodForm(request.GET).period)


def _about(catalog: Catalog, form: PeriodForm) -> dict[str, Any]:
    period = form.period
    return {"catalog": catalog, "form": form, "period": period, "links": Links(catalog.slug, period), "days": DAYS}


def _page(request: Request, rows: list[Any]) -> Any:
    return Paginator(rows, ROWS_A_PAGE).get_page(request.GET.get("page"))


def _download(found: Found, ending: str, text: str, kind: str) -> HttpResponse:
    made = found.measures
    answer = HttpResponse(text, content_type=f"{kind}; charset=utf-8")
    name = f"{made.catalog.slug}-{made.period.since}-{made.period.until}.{ending}"
    answer["Content-Disposition"] = f'attachment; filename="{name}"'
    return answer
