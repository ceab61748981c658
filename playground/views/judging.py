"""Judging recorded queries, in the queue and inside a run, and taking it back."""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.http import require_GET, require_POST
from django.views.decorators.vary import vary_on_headers

from catalog.models import Catalog
from catalog.requests import Request
from catalog.roles import Role, needs
from playground.agent.events import SearchAnswered
from playground.models import Run, RunEvent
from playground.review_forms import JudgeForm
from playground.reviewing.judging import say, take_back
from playground.reviewing.opening import opened_search
from playground.reviewing.wording import query_digest
from playground.views.reviewing import UNDO, VERDICTS, queue_context

MOST_UNDO = 50


@require_POST
@needs(Role.PRESENTER)
def review_judge(request: Request) -> HttpResponse:
    """Keep one person's word; for htmx, the query as it stands then."""
    form = JudgeForm(request.POST)
    if not form.is_valid():
        return _back(request, " ".join(str(one) for problems in form.errors.values() for one in problems))
    said = form.cleaned_data
    before = say(said["catalog"], said["query"], said["tool"], said["verdict"], request.user)
    _remember(request, [said["catalog"].pk, query_digest(said["query"]), before])
    return _answered(request, said["catalog"])


@require_POST
@needs(Role.PRESENTER)
def review_undo(request: Request) -> HttpResponse:
    """Have one's words be as before the last act, and open the query that it was on."""
    stack = request.session.get(UNDO, [])
    pk, words, before = stack.pop() if stack else (None, "", [])
    request.session[UNDO] = stack
    catalog = Catalog.objects.filter(pk=pk).first() if pk else None
    if catalog is None:
        return _back(request, "There is nothing to undo.")
    take_back(catalog, words, before, request.user)
    messages.success(request, "Your last verdict was taken back.")
    address = QueryDict(request.POST.get("address", ""), mutable=True)
    address["catalog"], address["q"] = catalog.slug, words
    return redirect(f"{reverse('review')}?{address.urlencode()}#open")


@require_GET
@vary_on_headers("HX-Request")
def run_judge(request: Request, run_id: UUID) -> HttpResponse:
    """The hits of one search of a run, to judge where one reads it; without htmx, the way to its query in the queue."""
    run = get_object_or_404(Run.objects.select_related("catalog"), pk=run_id)
    body = _search(run, request.GET.get("call", ""))
    if run.catalog is None or body is None:
        raise Http404("There is no such search, or its catalog was deleted.")
    if request.htmx:
        return _judging(request, run, run.catalog, body)
    address = {"catalog": run.catalog.slug, "days": "all", "which": "all", "q": query_digest(body["query"])}
    return redirect(f"{reverse('review')}?{urlencode(address)}")


def _search(run: Run, call: str) -> dict[str, Any] | None:
    searches = RunEvent.objects.filter(run=run, kind=SearchAnswered.kind, body__call_id=call)
    return searches.values_list("body", flat=True).first()


def _judging(request: Request, run: Run, catalog: Catalog, body: dict[str, Any]) -> HttpResponse:
    opened = opened_search(catalog, body, request.user)
    context = {"opened": opened, "verdicts": VERDICTS, "in_run": run, "call": body["call_id"]}
    return render(request, "playground/review/_judging.html", context)


def _answered(request: Request, catalog: Catalog) -> HttpResponse:
    """The query as it stands now, in the queue or in the run that was judged in; without htmx, the page again."""
    if not request.htmx:
        return _back(request)
    if in_run := request.POST.get("run"):
        run = get_object_or_404(Run, pk=in_run)
        body = _search(run, request.POST.get("call", ""))
        if body is None:
            raise Http404("There is no such search.")
        return _judging(request, run, catalog, body)
    context = queue_context(request, catalog, QueryDict(request.POST.get("address", "")))
    context["from_found"] = request.POST.get("part") == "found"
    return render(request, "playground/review/_answered.html", context)


def _remember(request: Request, act: list[Any]) -> None:
    request.session[UNDO] = [*request.session.get(UNDO, []), act][-MOST_UNDO:]


def _back(request: Request, problem: str = "") -> HttpResponse:
    """The page that was judged on, which says what went wrong."""
    if problem:
        messages.error(request, problem)
    return redirect(f"{reverse('review')}?{request.POST.get('address', '')[:2_000]}#open")
