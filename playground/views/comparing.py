"""Two runs side by side, with the calls of one, or those that a person writes down, as what is expected."""

from typing import Any
from uuid import UUID

from django import forms
from django.contrib import messages
from django.db.models import Q
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.http import require_GET, require_POST

from catalog.requests import Request
from playground.models import Run
from playground.run_list_forms import SelectedRunsForm
from playground.runs.comparing import against, compare_runs, side_of
from playground.runs.expectation import UnreadableExpectationError, expectation_of, read_expectation
from playground.runs.outline import Call

RUNS_OFFERED = 60


class CompareForm(forms.Form):
    """Which runs, and the calls that are expected; without them, those of the first run are."""

    a = forms.UUIDField(required=False)
    b = forms.UUIDField(required=False)
    expect = forms.CharField(required=False, max_length=20_000, strip=False)

    calls: tuple[Call, ...] = ()

    def clean_expect(self) -> str:
        text: str = self.cleaned_data["expect"]
        try:
            self.calls = read_expectation(text)
        except UnreadableExpectationError as error:
            raise forms.ValidationError(error.problems) from None
        return text


@require_GET
def runs_compare(request: Request) -> HttpResponse:
    form = CompareForm(request.GET)
    form.is_valid()
    a, b = (_run(form.cleaned_data.get(name)) for name in ("a", "b"))
    context: dict[str, Any] = {"form": form, "a": a, "b": b, "offered": _offered(a, b)}
    if a and b:
        one, other = side_of(a), side_of(b)
        expected = form.calls or one.outline.calls
        context |= {
            "compared": compare_runs(one, other),
            "sides": (one, other),
            "is_written": bool(form.calls),
            "expectation": form["expect"].value() or expectation_of(one.outline.calls),
            "aligned": [(side, against(expected, side)) for side in ((one, other) if form.calls else (other,))],
        }
    return render(request, "playground/runs_compare.html", context)


@require_POST
def runs_compare_choose(request: Request) -> HttpResponse:
    """To the page of the two runs that are selected in the list."""
    form = SelectedRunsForm(request.POST)
    chosen = form.cleaned_data["runs"] if form.is_valid() else []
    if len(chosen) != 2:
        messages.error(request, "Select two runs to compare them.")
        return redirect(reverse("runs"))
    older, newer = Run.objects.filter(pk__in=chosen).order_by("created_at").values_list("pk", flat=True)[:2]
    return redirect(f"{reverse('runs_compare')}?{urlencode({'a': str(older), 'b': str(newer)})}")


def _run(key: UUID | None) -> Run | None:
    return Run.objects.select_related("catalog", "chat_model").filter(pk=key).first() if key else None


def _offered(*chosen: Run | None) -> list[Run]:
    """Those with the same task or of the same thread first, then the newest."""
    given = [run for run in chosen if run]
    akin = Q(task__in=[run.task for run in given if run.task]) | Q(thread__in=[run.thread_id for run in given])
    runs = Run.objects.select_related("catalog", "version__content").defer("version__content__tools")
    related = list(runs.filter(akin)[:RUNS_OFFERED]) if given else []
    newest = list(runs.top_level()[: RUNS_OFFERED - len(related)])
    return list({run.pk: run for run in (*given, *related, *newest)}.values())
