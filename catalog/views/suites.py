"""Suites: the list, making and editing one, and its queries with what people judged."""

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_GET, require_http_methods, require_POST
from django.views.decorators.vary import vary_on_headers

from catalog.auditing.recording import Act, audited
from catalog.forms.suites import QueryFilterForm, QueryForm, SuiteForm
from catalog.judging import changed
from catalog.locking import in_one_transaction, row_to_save
from catalog.models import Evaluation, Suite, SuiteQuery
from catalog.requests import Request
from catalog.roles import Role, needs
from catalog.suite_pages import found, keys_here, shown, tags_of, with_counts

SUITES_A_PAGE, QUERIES_A_PAGE = 30, 50
EXPORTS = (("jsonl", "JSON Lines"), ("csv", "CSV"), ("topics", "TREC topics"), ("qrels", "TREC qrels"))


@require_GET
def suite_list(request: Request) -> HttpResponse:
    page = Paginator(with_counts(Suite.objects.order_by("title")), SUITES_A_PAGE).get_page(request.GET.get("page"))
    done = Evaluation.objects.filter(suite__in=page.object_list, state=Evaluation.State.DONE).order_by("created_at")
    last = {row.suite_id: row for row in done.only("suite", "engine", "figures", "ended_at")}
    return render(request, "catalog/suites.html", {"page": page, "last": last})


@require_http_methods(["GET", "POST"])
@needs(Role.CURATOR)
def suite_add(request: Request) -> HttpResponse:
    form = SuiteForm(request.POST or None, initial={"catalog": request.GET.get("catalog")})
    if request.method == "POST" and form.is_valid():
        form.instance.by = request.user
        with audited(Act.SUITE_ADDED, form.instance):
            suite = form.save()
        messages.success(request, f"{suite.title} was made. Now it needs queries.")
        return redirect(suite)
    return render(request, "catalog/suite_form.html", {"form": form, "suite": None})


@require_http_methods(["GET", "POST"])
@needs(Role.CURATOR)
@in_one_transaction
def suite_edit(request: Request, slug: str) -> HttpResponse:
    suite = row_to_save(request, Suite.objects.all(), slug=slug)
    form = SuiteForm(request.POST or None, instance=suite)
    if request.method == "POST" and form.is_valid():
        with audited(Act.SUITE_EDITED, suite):
            saved = form.save()
            changed(saved)
        return redirect(saved)
    context = {"form": form, "suite": Suite.objects.get(slug=slug)}
    return render(request, "catalog/suite_form.html", context, status=form.status)


@require_POST
@needs(Role.CURATOR)
def suite_delete(request: Request, slug: str) -> HttpResponse:
    suite = get_object_or_404(Suite, slug=slug)
    with audited(Act.SUITE_DELETED, suite):
        suite.delete()
    messages.success(request, f"{suite.title} was deleted, with its judgements and evaluations.")
    return redirect("suites")


@require_GET
@vary_on_headers("HX-Target")
def suite_page(request: Request, slug: str) -> HttpResponse:
    """Its queries, or those alone where htmx replaces them: `?q=` by words, `?tag=`, `?state=`."""
    suite = get_object_or_404(with_counts(Suite.objects.all()), slug=slug)
    form, here = QueryFilterForm(request.GET), keys_here(suite)
    asked = form.cleaned_data if form.is_valid() else {"q": "", "tag": "", "state": ""}
    rows = found(suite, asked["q"], asked["tag"], asked["state"], here)
    page = Paginator(rows, QUERIES_A_PAGE).get_page(request.GET.get("page"))
    context = {
        "suite": suite,
        "form": form,
        "page": page,
        "queries": list(shown(page, here)),
        "tags": tags_of(suite),
        "add_form": QueryForm(instance=SuiteQuery(suite=suite)),
        "evaluations": suite.evaluations.select_related("catalog", "version").filter(state="done")[:3],
        "narrowed": any(asked.values()),
        "exports": EXPORTS,
    }
    template = "catalog/_suite_queries.html" if request.htmx.target == "results" else "catalog/suite.html"
    return render(request, template, context)
