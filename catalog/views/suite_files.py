"""Suites from files and as files: what an import would change is shown first, then applied at once."""

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_GET, require_http_methods

from catalog.auditing.recording import Act, record
from catalog.evaluating.reading import MistakesError
from catalog.evaluating.writing import WRITERS
from catalog.forms.suites import SuiteFileForm
from catalog.indexing import exposure_of
from catalog.judging import entries_of
from catalog.models import Suite
from catalog.requests import Request
from catalog.roles import Role, needs
from catalog.suite_pages import keys_here
from catalog.suites import ChangedError, Plan, apply_entries, plan_entries

SHOWN = 50
"""Queries of a plan that are shown; of more it is told how many."""


@require_http_methods(["GET", "POST"])
@needs(Role.CURATOR)
def suite_import(request: Request, slug: str) -> HttpResponse:
    """Posted, the plan of the file; `action=apply` applies it, if the suite is as it was when the plan was shown."""
    suite = get_object_or_404(Suite.objects.select_related("catalog"), slug=slug)
    form = SuiteFileForm(request.POST or None, request.FILES or None)
    if request.method == "GET" or not form.is_valid():
        return _page(request, suite, {"form": form})
    problem = ""
    try:
        entries = form.entries(_named(suite))
        if request.POST.get("action") == "apply":
            plan = apply_entries(suite, entries, request.POST.get("token", ""), _origin(form), request.user)
            record(Act.SUITE_IMPORTED, suite, after={"queries": len(plan.added), "verdicts": plan.verdicts})
            messages.success(request, f"{len(plan.added):,} queries were added, and {plan.verdicts:,} verdicts kept.")
            return redirect(suite)
    except MistakesError as error:
        return _page(request, suite, {"form": form, "mistakes": error.mistakes})
    except ChangedError:
        problem = "Nothing was applied: the suite was changed since you saw the plan. This is the plan now."
    return _page(request, suite, {"form": form, "problem": problem, **_shown(suite, plan_entries(suite, entries))})


@require_GET
def suite_export(request: Request, slug: str, kind: str) -> HttpResponse:
    """As a file: `kind` is a key of WRITERS."""
    suite = get_object_or_404(Suite, slug=slug)
    if kind not in WRITERS:
        raise Http404(f"there is no export as {kind}")
    record(Act.EXPORTED, suite, after={"as": kind})
    ending, write = WRITERS[kind]
    return as_file(f"{slug}.{ending}", write(entries_of(suite)))


def as_file(name: str, text: str) -> HttpResponse:
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return HttpResponse(text, content_type="text/plain; charset=utf-8", headers=headers)


def _origin(form: SuiteFileForm) -> str:
    return f"from a file, {dict(form.fields['format'].choices)[form.cleaned_data['format']]}"  # type: ignore[attr-defined]


def _named(suite: Suite) -> dict[str, str]:
    """The keys of the catalog's tools by the names under which a model calls them."""
    pool = exposure_of(suite.catalog).pool if suite.catalog else ()
    return {tool.name: tool.key for tool in pool}


def _shown(suite: Suite, plan: Plan) -> dict[str, Any]:
    here, entries = keys_here(suite), (*plan.added, *plan.changed)
    named = {tool for entry in entries for group in entry.groups for tool in group}
    unknown = sorted(named - here) if here is not None else []
    return {"plan": plan, "rows": entries[:SHOWN], "more": max(0, len(entries) - SHOWN), "unknown": unknown}


def _page(request: Request, suite: Suite, context: dict[str, Any]) -> HttpResponse:
    return render(request, "catalog/suite_import.html", {"suite": suite, **context})
