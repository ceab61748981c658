"""The runs: their list, tags, deleting many, and what they take up."""

from django.conf import settings
from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_POST
from django.views.decorators.vary import vary_on_headers

from catalog.requests import Request
from catalog.roles import Role, needs
from playground.models import Run
from playground.models.run_tag import KEEP
from playground.run_list_forms import RunFilterForm, SelectedRunsForm, TagForm
from playground.runs.closing import closing_figures
from playground.runs.deleting import delete_runs, plan_deletion
from playground.runs.storage import storage_use
from playground.runs.tagging import put_tag, tag_names, take_tag
from playground.runs.waiting import with_waits

RUNS_A_PAGE = 50
RUNS_NAMED = 200
"""Runs that the page of a deletion names; the rest are counted."""


@require_GET
@vary_on_headers("HX-Target")
def run_list(request: Request) -> HttpResponse:
    """The page, or its results alone where htmx replaces them."""
    form = RunFilterForm(request.GET)
    found = with_waits(form.runs()).select_related(
        "catalog", "chat_model", "by", "thread", "agent", "parent", "lane_set"
    )
    page = Paginator(found.prefetch_related("tags"), RUNS_A_PAGE).get_page(request.GET.get("page"))
    template = "playground/_runs.html" if request.htmx.target == "results" else "playground/runs.html"
    figures = closing_figures(page.object_list)
    context = {
        "form": form,
        "page": page,
        "rows": [(run, figures.get(run.pk)) for run in page],
        "all_runs": Run.objects.exists(),
        "tag_names": tag_names(),
        "query": request.GET.urlencode(),
    }
    return render(request, template, context)


@require_POST
@needs(Role.PRESENTER)
def runs_tag(request: Request) -> HttpResponse:
    """Put a tag on the selected runs."""
    form = TagForm(request.POST)
    if form.is_valid():
        tag = form.cleaned_data["tag"]
        said = f"{_runs(put_tag(form.cleaned_data['runs'], tag))} got the tag “{tag}”."
        messages.success(request, said + (" They are not deleted for their age." if tag == KEEP else ""))
    return _back(request, form)


@require_POST
@needs(Role.PRESENTER)
def runs_untag(request: Request) -> HttpResponse:
    """Take a tag off the selected runs."""
    form = TagForm(request.POST)
    if form.is_valid():
        tag = form.cleaned_data["tag"]
        messages.success(request, f"The tag “{tag}” was taken off {_runs(take_tag(form.cleaned_data['runs'], tag))}.")
    return _back(request, form)


@require_POST
@needs(Role.PRESENTER)
def runs_delete(request: Request) -> HttpResponse:
    """What deleting the selected runs would do; with `sure`, do it."""
    form = SelectedRunsForm(request.POST)
    if not form.is_valid():
        return _back(request, form)
    keys = form.cleaned_data["runs"]
    if "sure" not in request.POST:
        plan = plan_deletion(keys, request.user)
        context = {"plan": plan, "named": plan.runs[:RUNS_NAMED], "list_address": _list(request)}
        return render(request, "playground/runs_delete.html", context)
    done = delete_runs(keys, request.user)
    messages.success(request, f"{_runs(len(done.runs))} deleted for good.")
    if done.refused:
        messages.warning(request, f"{_runs(len(done.refused))} stayed: {done.refused[0].why}")
    return redirect(_list(request))


@require_GET
def runs_storage(request: Request) -> HttpResponse:
    context = {"use": storage_use(), "days": settings.PEGBOARD_RUN_DAYS, "keep": KEEP}
    return render(request, "playground/runs_storage.html", context)


def _back(request: Request, form: SelectedRunsForm) -> HttpResponse:
    for problems in form.errors.values():
        messages.error(request, " ".join(str(problem) for problem in problems))
    return redirect(_list(request))


def _list(request: Request) -> str:
    """The address of the list that the selection was made in."""
    return f"{reverse('runs')}?{request.POST.get('query', '')[:2_000]}".rstrip("?")


def _runs(number: int) -> str:
    return f"{number:,} run" if number == 1 else f"{number:,} runs"
