"""Evaluations held against each other: two query by query, engines side by side, a suite's history."""

from typing import Any

from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_GET
from django.views.decorators.vary import vary_on_headers

from catalog.evaluating.changes import KINDS, Change, changes, differing, held
from catalog.evaluating.metrics import MEANINGS, METRICS
from catalog.evaluation_pages import MOST_IN_HISTORY, drawn, engine_said, history, rivals
from catalog.evaluations import measured
from catalog.forms.evaluations import MetricForm, PairForm
from catalog.models import Evaluation, Suite
from catalog.requests import Request
from catalog.roles import Role, role_of
from catalog.views.evaluations import evaluations

SHOWN = 100
"""Queries of one kind that are shown."""
PAIR = (("a", "Before"), ("b", "After"))


@require_GET
def evaluation_compare(request: Request) -> HttpResponse:
    """`?a=` and `?b=` are the evaluations before and after; `?kind=` or `?differs=` (a metric) lists all queries of that kind."""
    form = PairForm(request.GET)
    done = evaluations().filter(state=Evaluation.State.DONE)[:100]
    if not form.is_valid():
        return render(request, "catalog/evaluation_compare.html", {"form": form, "done": done, "pair_names": PAIR})
    a, b = (get_object_or_404(evaluations(), pk=form.cleaned_data[name].pk) for name in ("a", "b"))
    before, after = measured(a), measured(b)
    found = changes(before, after)
    context = {
        "form": form,
        "done": done,
        "pair_names": PAIR,
        "a": a,
        "b": b,
        "sides": [(a, engine_said(a)), (b, engine_said(b))],
        "metrics": [(MEANINGS[name], held(before, after, name)) for name in METRICS],
        "kinds": [(kind, title, [one for one in found if one.kind == kind]) for kind, title in KINDS.items()],
        "shown": SHOWN,
        "limit": f":{SHOWN}",
        **_listed(form, found, request.GET.get("page")),
    }
    return render(request, "catalog/evaluation_compare.html", context)


def _listed(form: PairForm, found: list[Change], page: str | None) -> dict[str, Any]:
    """The queries that a number of the page counts, if the address asks for some."""
    kind, metric = form.cleaned_data["kind"], form.cleaned_data["differs"]
    if not kind and not metric:
        return {}
    rows = differing(found, metric) if metric else [one for one in found if one.kind == kind]
    title = f"Queries whose {metric} differs" if metric else KINDS[kind]
    return {"listed": Paginator(rows, SHOWN).get_page(page), "listed_title": title, "listed_as": metric or kind}


@require_GET
@vary_on_headers("HX-Target")
def bake_off(request: Request, pk: int) -> HttpResponse:
    """The evaluations that were begun together with this one, the best first; those under way below."""
    first = get_object_or_404(evaluations(), pk=pk)
    rows = list(evaluations().filter(begun_with=first.begun_with_id).order_by("pk"))
    form = MetricForm(request.GET)
    done = list(evaluations().filter(pk__in=[row.pk for row in rows], state=Evaluation.State.DONE))
    context = {
        "first": first,
        "form": form,
        "metric": form.chosen,
        "meaning": MEANINGS[form.chosen],
        "metrics": METRICS,
        "rivals": [(one, engine_said(one.evaluation)) for one in rivals(done, form.chosen)],
        "others": [(row, engine_said(row)) for row in rows if row.state != Evaluation.State.DONE],
        "moving": any(row.is_moving for row in rows),
    }
    template = "catalog/_bake_off.html" if request.htmx.target == "bake-off" else "catalog/bake_off.html"
    return render(request, template, context)


@require_GET
def suite_history(request: Request, slug: str) -> HttpResponse:
    """How the figures of a suite went, with what was changed between; `?engine=` draws one alone."""
    suite, form = get_object_or_404(Suite, slug=slug), MetricForm(request.GET)
    rows = evaluations().filter(suite=suite, state=Evaluation.State.DONE)
    engines = sorted(set(rows.order_by().values_list("engine", flat=True)))
    if (engine := request.GET.get("engine", "")) in engines:
        rows = rows.filter(engine=engine)
    told = history(list(rows[:MOST_IN_HISTORY]), form.chosen, with_audit=role_of(request.user) >= Role.CURATOR)
    context = {
        "suite": suite,
        "form": form,
        "metric": form.chosen,
        "meaning": MEANINGS[form.chosen],
        "metrics": METRICS,
        "engines": engines,
        "engine": engine,
        "told": [(one, engine_said(one.evaluation)) for one in reversed(told)],
        "chart_order": told,
        "chart": drawn(told) if told else None,
    }
    return render(request, "catalog/suite_history.html", context)
