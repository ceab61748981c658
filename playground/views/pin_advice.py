"""Which tools a catalog should show from the start, by what its recorded runs would have cost."""

from dataclasses import dataclass
from typing import Any

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_GET

from catalog.forms.versions import version_of
from catalog.models import Catalog
from catalog.requests import Request
from catalog.upfront_lists import order_of
from playground.advice_forms import AdviceForm
from playground.reviewing.advice import LEAST_NEEDED, LEAST_RUNS, Advice, Checked
from playground.reviewing.advising import Advised, advised_for, plan_of
from playground.reviewing.curve_chart import Chart, chart_of
from playground.reviewing.kept_trails import MOST_RUNS

RUNS_NAMED = 50
"""Runs that are named for one tool, the latest."""


@dataclass(frozen=True, slots=True)
class Row:
    """A list of the curve, and how it differs from the one before it."""

    point: Checked
    gained: tuple[str, ...]
    lost: tuple[str, ...]


@require_GET
def pin_advice(request: Request, slug: str) -> HttpResponse:
    """`?pins=` chooses the list of that length, `?tool=` opens the runs that needed a tool (`server/name`), `?runs=1` all runs."""
    catalog = get_object_or_404(Catalog.objects.with_parts(), slug=slug)
    form = AdviceForm(request.GET)
    advised = advised_for(catalog, form.since, form.cached_price, form.turn_worth)
    opened = next((one for one in advised.spent if one.tool == request.GET.get("tool")), None)
    context: dict[str, Any] = {
        "catalog": catalog,
        "form": form,
        "advised": advised,
        "often": sum(len(one.needs) >= LEAST_NEEDED for one in advised.spent),
        "opened": opened,
        "named": opened.needs[:RUNS_NAMED] if opened else (),
        "too_few": f"Advice takes at least {LEAST_RUNS} completed runs that had to find tools; there are {len(advised.trails)}. "
        "Run tasks of this catalog, or look at a longer period.",
        "most": MOST_RUNS,
    }
    if advised.advice is not None:
        context |= _chosen(advised, advised.advice, request.GET.get("pins", ""))
        context["version"] = version_of(order_of(catalog), catalog)
        if request.GET.get("runs") == "1":
            told = advised.advice.run_by_run(context["chosen"].pins)
            context["run_by_run"] = list(zip(advised.trails, told, strict=True))[::-1]
    return render(request, "playground/pin_advice.html", context)


def _chosen(advised: Advised, advice: Advice, named: str) -> dict[str, Any]:
    lengths = {str(len(point.pins)): point for point in advice.points}
    chosen = lengths.get(named, advice.best)
    return {
        "advice": advice,
        "chosen": chosen,
        "plan": plan_of(advised, chosen.pins),
        "rows": _rows(advice),
        "charts": [("Tokens of prompts per run", _tokens(advice)), ("Turns per run", _turns(advice))],
    }


def _rows(advice: Advice) -> list[Row]:
    before: frozenset[str] = frozenset()
    rows = []
    for point in advice.points:
        rows.append(Row(point, tuple(sorted(point.pins - before)), tuple(sorted(before - point.pins))))
        before = point.pins
    return rows


def _tokens(advice: Advice) -> Chart:
    older, newest = [one.older.tokens for one in advice.points], [one.newest.tokens for one in advice.points]
    return chart_of(older, newest, (len(advice.present.pins), advice.present.older.tokens))


def _turns(advice: Advice) -> Chart:
    older, newest = [one.older.turns for one in advice.points], [one.newest.turns for one in advice.points]
    return chart_of(older, newest, (len(advice.present.pins), advice.present.older.turns))
