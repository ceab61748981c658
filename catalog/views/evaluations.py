"""Evaluations: the list, beginning some, one with its queries, stopping it, a note on it, and taking it out."""

from functools import partial
from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_GET, require_http_methods, require_POST
from django.views.decorators.vary import vary_on_headers
from django_htmx.http import HttpResponseClientRefresh

from catalog import background
from catalog.asked_engine import engine_slug
from catalog.auditing.recording import Act, record
from catalog.editions import PUBLISHED
from catalog.evaluating.entries import entries_of
from catalog.evaluating.picking import TOLD, picked
from catalog.evaluating.writing import WRITERS, run
from catalog.evaluation_pages import by_tag, engine_said, figures_of, search_address, worst_first
from catalog.evaluations import NothingToMeasureError, begin, carry_out, measured, stop
from catalog.forms.evaluations import EvaluationFilterForm, EvaluationForm, MetricForm, NoteForm
from catalog.models import Evaluation, Suite
from catalog.requests import Request
from catalog.roles import Role, needs
from catalog.search import ENGINES
from catalog.views.suite_files import as_file

ROWS_A_PAGE, QUERIES_A_PAGE = 30, 50
RUN, TREC = "run", ("topics", "qrels")


def evaluations() -> QuerySet[Evaluation]:
    """With what pages tell of them; what they were measured on is read where it is asked for."""
    return Evaluation.objects.select_related("suite", "catalog", "version", "by", "content").defer("content__body")


@require_GET
def evaluation_list(request: Request) -> HttpResponse:
    form = EvaluationFilterForm(request.GET)
    asked = {name: value for name, value in form.cleaned_data.items() if value} if form.is_valid() else {}
    rows = evaluations().filter(**asked)
    page = Paginator(rows, ROWS_A_PAGE).get_page(request.GET.get("page"))
    context = {
        "form": form,
        "page": page,
        "rows": [(row, engine_said(row)) for row in page],
        "suites": Suite.objects.exists(),
        "narrowed": bool(asked),
    }
    return render(request, "catalog/evaluations.html", context)


@require_http_methods(["GET", "POST"])
@needs(Role.PRESENTER)
def evaluation_add(request: Request) -> HttpResponse:
    """What is posted is measured in the background, engine by engine."""
    form = EvaluationForm(request.POST or None, initial=_initial(request))
    if request.method == "POST" and form.is_valid():
        try:
            rows = begin(form.cleaned_data["suite"], form.cleaned_data["edition"], form.chosen, request.user)
        except NothingToMeasureError:
            form.add_error("suite", "None of its queries has a tool that is right or also fine. Judge some first.")
        else:
            for row in rows:
                background.submit_in_line(partial(carry_out, row))
            return redirect(rows[0]) if len(rows) == 1 else redirect("bake_off", rows[0].pk)
    return render(request, "catalog/evaluation_form.html", {"form": form, "suites": Suite.objects.exists()})


@require_GET
@vary_on_headers("HX-Target")
def evaluation_page(request: Request, pk: int) -> HttpResponse:
    """The page, or its moving part alone for htmx, which asks again until it has ended.

    `?metric=` leads; `?tag=` and `?which=` (a word of TOLD) choose among its queries.
    """
    row = get_object_or_404(evaluations(), pk=pk)
    if request.htmx.target == "evaluation" and not row.is_moving:
        return HttpResponseClientRefresh()
    context = {
        "evaluation": row,
        "said": engine_said(row),
        "figures": figures_of(row),
        "passed_over": [one.text for one in entries_of(row.content.body) if not one.judged],
        "others": evaluations().filter(suite=row.suite, state="done").exclude(pk=pk)[:20],
        "together": row.begun_with.together.count() if row.begun_with else 1,
        "note_form": NoteForm(initial={"note": row.note}),
        **_queries(request, row),
    }
    template = "catalog/_evaluation.html" if request.htmx.target == "evaluation" else "catalog/evaluation.html"
    return render(request, template, context)


def _queries(request: Request, row: Evaluation) -> dict[str, Any]:
    """Those that the address chooses, and how many each choice has."""
    form, tag, which = MetricForm(request.GET), request.GET.get("tag", ""), request.GET.get("which", "")
    found = measured(row) if row.state == Evaluation.State.DONE else []
    tagged = [one for one in picked(found, which, row.missing) if not tag or tag in one.tags]
    page = Paginator(worst_first(tagged, form.chosen), QUERIES_A_PAGE).get_page(request.GET.get("page"))
    return {
        "metric": form.chosen,
        "tag": tag,
        "tags": by_tag(found, form.chosen) if found else [],
        "which": which,
        "which_told": TOLD.get(which, ""),
        "counts": {name: len(picked(found, name, row.missing)) for name in TOLD},
        "page": page,
        "rows": [(one, search_address(row, one.text)) for one in page],
    }


@require_POST
@needs(Role.PRESENTER)
def evaluation_stop(request: Request, pk: int) -> HttpResponse:
    row = get_object_or_404(Evaluation, pk=pk)
    if not stop(row):
        messages.info(request, "It had ended already.")
    return redirect(row)


@require_POST
@needs(Role.PRESENTER)
def evaluation_note(request: Request, pk: int) -> HttpResponse:
    row, form = get_object_or_404(Evaluation, pk=pk), NoteForm(request.POST)
    if form.is_valid():
        row.note = form.cleaned_data["note"]
        row.save(update_fields=["note"])
    return redirect(row)


@require_GET
def evaluation_export(request: Request, pk: int, kind: str) -> HttpResponse:
    """What it was measured on, by a kind of WRITERS, or what came back as a TREC run.

    Evaluators count every query of the qrels: with the run go only those that were measured.
    """
    row = get_object_or_404(evaluations(), pk=pk)
    entries = entries_of(row.content.body)
    record(Act.EXPORTED, row.suite, after={"evaluation": pk, "as": kind})
    if kind == RUN:
        answers = [(one.query, one.hits) for one in row.answers.order_by("pk")]
        return as_file(f"evaluation-{pk}.run.txt", run(answers, f"pegboard-{row.engine}-{pk}"))
    if kind not in WRITERS:
        raise Http404(f"there is no export as {kind}")
    ending, write = WRITERS[kind]
    told = [entry for entry in entries if entry.judged] if kind in TREC else entries
    return as_file(f"evaluation-{pk}.{ending}", write(told))


def _initial(request: Request) -> dict[str, object]:
    """As the address asks: a suite brings its catalog, `again` what another evaluation measured."""
    again = evaluations().filter(pk=request.GET["again"]).first() if request.GET.get("again", "").isdecimal() else None
    if again:
        settings = [f"{again.engine}.{name} = {value}" for name, value in again.settings.items()]
        asked = {"suite": again.suite.slug, "catalog": again.catalog.slug, "settings": settings}
        return {**asked, "engines": [again.engine], "version": PUBLISHED}
    suite = Suite.objects.select_related("catalog").filter(slug=request.GET.get("suite", "")).first()
    catalog = suite.catalog if suite else None
    engines = list(ENGINES) if "all" in request.GET else [engine_slug(catalog) if catalog else "pegboard"]
    return {
        "suite": suite.slug if suite else None,
        "catalog": catalog.slug if catalog else None,
        "engines": engines,
        "version": request.GET.get("version", PUBLISHED),
    }
