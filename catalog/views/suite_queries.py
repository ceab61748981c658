"""The queries of a suite: adding one by hand or from where it was asked, judging its tools, editing and deleting it."""

from django.contrib import messages
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from catalog.auditing.recording import Act, record
from catalog.editions import draft
from catalog.evaluations import asking
from catalog.forms.suites import FilingForm, QueryForm, VerdictForm
from catalog.indexing import indexed
from catalog.invisible import cleaned
from catalog.judging import NO_TOOL, changed, judge, unjudge
from catalog.locking import in_one_transaction, row_to_save
from catalog.models import Judgement, Suite, SuiteQuery, Tool
from catalog.requests import Request
from catalog.roles import Role, needs
from catalog.search import ENGINES
from catalog.search.choosing import choose
from catalog.suite_pages import OFFERED, ShownQuery, keys_here, to_judge

USUAL_ENGINE = "pegboard"


@require_POST
@needs(Role.CURATOR)
def suite_query_add(request: Request, slug: str) -> HttpResponse:
    suite = get_object_or_404(Suite, slug=slug)
    form = QueryForm(request.POST, instance=SuiteQuery(suite=suite, origin=f"by hand, {request.user}"))
    if not form.is_valid():
        for problems in form.errors.values():
            messages.error(request, str(problems[0]))
        return redirect(suite)
    return redirect(_added(form.save()))


@require_http_methods(["GET", "POST"])
@needs(Role.CURATOR)
def suite_file(request: Request) -> HttpResponse:
    """A query that was asked elsewhere, put into a suite; one that is there gets the suggested tool."""
    form = FilingForm(
        request.POST or None, initial={name: request.GET.get(name, "") for name in FilingForm.base_fields}
    )
    if request.method == "GET" or not form.is_valid():
        return render(request, "catalog/suite_file.html", {"form": form, "suites": Suite.objects.exists()})
    filled = form.cleaned_data
    query, is_new = SuiteQuery.objects.get_or_create(
        suite=filled["suite"], text=filled["text"], defaults={"origin": filled["origin"]}
    )
    if filled["tool"] and filled["tool"] not in query.suggested:
        query.suggested = [*query.suggested, filled["tool"]]
        query.save(update_fields=["suggested"])
    if not is_new:
        messages.info(request, "The suite had this query already.")
    return redirect(_added(query) if is_new else query)


@require_GET
def suite_query(request: Request, slug: str, pk: int) -> HttpResponse:
    """A query and its judgements; `?find=` looks for tools to judge by other words than its own."""
    query = get_object_or_404(_queries(), suite__slug=slug, pk=pk)
    words = request.GET.get("find", "").strip()
    judged = {row.key for row in query.judgements.all() if row.by_id == request.user.pk}
    tools = [tool for tool in to_judge(query, _offered(query, words)) if str(tool) not in judged]
    context = {
        "suite": query.suite,
        "query": query,
        "shown": ShownQuery(query, keys_here(query.suite)),
        "judgements": sorted(query.judgements.all(), key=lambda one: (one.need, one.key, one.at)),
        "tools": tools,
        "words": words,
        "verdicts": [one for one in Judgement.Verdict if one != NO_TOOL],
        **_beside(query),
    }
    return render(request, "catalog/suite_query.html", context)


@require_POST
@needs(Role.PRESENTER)
def suite_judge(request: Request, slug: str, pk: int) -> HttpResponse:
    """This person's word on a tool, or taking it back."""
    query, form = get_object_or_404(_queries(), suite__slug=slug, pk=pk), VerdictForm(request.POST)
    if not form.is_valid():
        messages.error(request, str(next(iter(form.errors.values()))[0]))
        return redirect(query)
    tool, verdict = form.cleaned_data["tool"], form.cleaned_data["verdict"]
    if verdict:
        judge(query, tool, Judgement.Verdict(verdict), request.user, need=form.cleaned_data["need"] or 1)
    else:
        unjudge(query, tool, request.user)
    return redirect(query)


@require_http_methods(["GET", "POST"])
@needs(Role.CURATOR)
@in_one_transaction
def suite_query_edit(request: Request, slug: str, pk: int) -> HttpResponse:
    query = row_to_save(request, SuiteQuery.objects.select_related("suite"), suite__slug=slug, pk=pk)
    before = {"query": query.text, "tags": query.tags}
    form = QueryForm(request.POST or None, instance=query)
    if request.method == "POST" and form.is_valid():
        saved = form.save()
        record(Act.SUITE_EDITED, saved.suite, before=before, after={"query": saved.text, "tags": saved.tags})
        changed(saved.suite)
        return redirect(saved)
    context = {"form": form, "query": SuiteQuery.objects.get(pk=pk), "suite": query.suite}
    return render(request, "catalog/suite_query_form.html", context, status=form.status)


@require_POST
@needs(Role.CURATOR)
@transaction.atomic
def suite_query_delete(request: Request, slug: str, pk: int) -> HttpResponse:
    query = get_object_or_404(_queries(), suite__slug=slug, pk=pk)
    record(Act.SUITE_EDITED, query.suite, before={"query": query.text})
    query.delete()
    changed(query.suite)
    messages.success(request, f"“{cleaned(query.text)[:80]}” was taken out of the suite.")
    return redirect(query.suite)


def _added(query: SuiteQuery) -> SuiteQuery:
    record(Act.SUITE_EDITED, query.suite, after={"query": query.text})
    changed(query.suite)
    return query


def _queries() -> QuerySet[SuiteQuery]:
    return SuiteQuery.objects.select_related("suite__catalog").prefetch_related("judgements__by")


def _offered(query: SuiteQuery, words: str) -> list[str]:
    """What a search of the suite's catalog finds for other words or the query's own; without a catalog, tools that have them."""
    catalog = query.suite.catalog
    if catalog is None:
        return [
            str(tool) for tool in Tool.objects.here().select_related("server").matching(words or query.text)[:OFFERED]
        ]
    if indexed(catalog) is not None:
        return []
    engine = catalog.engine if catalog.engine in ENGINES else USUAL_ENGINE
    ranking = asking(draft(catalog), choose(engine))(words or query.text)
    return [hit.tool.key for hit in ranking.every_hit()][:OFFERED]


def _beside(query: SuiteQuery) -> dict[str, SuiteQuery | None]:
    """The queries before and after it, and the next that nobody judged."""
    there = query.suite.queries
    return {
        "before": there.filter(pk__lt=query.pk).order_by("-pk").first(),
        "after": there.filter(pk__gt=query.pk).order_by("pk").first(),
        "next_unjudged": there.filter(judgements=None).exclude(pk=query.pk).order_by("pk").first(),
    }
