"""Evaluations of tasks: the list, beginning one when its cost was seen, one with all its trials, stopping it, going on."""

from typing import Any, cast
from uuid import UUID

from asgiref.sync import sync_to_async
from django.contrib import messages
from django.contrib.auth.models import User
from django.core.paginator import Paginator
from django.db.models import Count, Q, QuerySet
from django.http import HttpResponse
from django.shortcuts import aget_object_or_404, get_object_or_404, redirect, render
from django.views.decorators.http import require_GET, require_http_methods, require_POST
from django.views.decorators.vary import vary_on_headers
from django_htmx.http import HttpResponseClientRefresh

from catalog.requests import Request
from catalog.roles import Role, needs
from playground.evaluating.planning import TrialsPlan, plan_trials
from playground.evaluating.playing import is_playing, play
from playground.evaluating.reading import page_of
from playground.evaluating.trials import CannotGoOnError, begin, stop, take_up_again
from playground.models import TaskEvaluation
from playground.runs import executing
from playground.runs.database import write
from playground.task_evaluation_forms import CapForm, TaskEvaluationForm, initial_of

ROWS_A_PAGE = 30


def task_evaluations_of() -> QuerySet[TaskEvaluation]:
    """With what pages tell of them."""
    return TaskEvaluation.objects.select_related("catalog", "version", "chat_model", "by")


@require_GET
def task_evaluations(request: Request) -> HttpResponse:
    counted = (
        task_evaluations_of()
        .annotate(
            successes=Count("trials", filter=Q(trials__success=True)),
            measured=Count("trials", filter=Q(trials__success__isnull=False)),
            trials_all=Count("trials"),
        )
        .order_by("-created_at")
    )
    page = Paginator(counted, ROWS_A_PAGE).get_page(request.GET.get("page"))
    return render(request, "playground/task_evaluations.html", {"page": page})


@require_http_methods(["GET", "POST"])
@needs(Role.PRESENTER)
async def task_evaluation_add(request: Request) -> HttpResponse:
    """What is posted is begun if its cost was shown to the person; else that is shown first."""
    if request.method == "GET":
        form = TaskEvaluationForm(initial=await sync_to_async(initial_of)(request.GET.dict()))
        return await sync_to_async(_form_page)(request, form, None)
    form = TaskEvaluationForm(request.POST)
    plan = await sync_to_async(_plan)(form)
    if plan is None or form.errors or form.cleaned_data["shown"] != plan.shown:
        return await sync_to_async(_form_page)(request, form, None if form.errors else plan)
    by = cast(User, await request.auser())
    row = await write(begin, form.trying, by)
    play(row, by)
    return redirect(row)


@require_GET
@vary_on_headers("HX-Target")
def task_evaluation(request: Request, evaluation_id: UUID) -> HttpResponse:
    """The page, or its moving part alone for htmx, which asks again until it has ended."""
    row = get_object_or_404(task_evaluations_of(), pk=evaluation_id)
    is_part = request.htmx.target == "evaluation"
    if is_part and not row.is_moving:
        return HttpResponseClientRefresh()
    context = {"evaluation": row, "form": CapForm(initial={"cap": row.cap}), **page_of(row, request.GET.dict())}
    template = "playground/_task_evaluation.html" if is_part else "playground/task_evaluation.html"
    return render(request, template, context)


@require_POST
@needs(Role.PRESENTER)
async def task_evaluation_stop(request: Request, evaluation_id: UUID) -> HttpResponse:
    """Begin no further trial, and have those that are under way end as stopped."""
    row = await aget_object_or_404(TaskEvaluation, pk=evaluation_id)
    for run_id in await write(stop, row):
        await executing.stop(run_id)
    return redirect(row)


@require_POST
@needs(Role.PRESENTER)
async def task_evaluation_go_on(request: Request, evaluation_id: UUID) -> HttpResponse:
    """Play the trials that are missing, under the cap that is written."""
    row = await aget_object_or_404(task_evaluations_of(), pk=evaluation_id)
    form, by = CapForm(request.POST), cast(User, await request.auser())
    if not form.is_valid():
        return await sync_to_async(_back)(request, row, " ".join(map(str, form.errors["cap"])))
    try:
        if is_playing(row.pk):
            raise CannotGoOnError("Some of its runs are still ending. Try again in a moment.")
        await write(take_up_again, row, form.cleaned_data["cap"])
    except CannotGoOnError as problem:
        return await sync_to_async(_back)(request, row, str(problem))
    await row.arefresh_from_db(fields=["cap", "state", "owner"])
    play(row, by)
    return redirect(row)


def _plan(form: TaskEvaluationForm) -> TrialsPlan | None:
    """None where the form cannot be read; what stands against beginning is among its errors."""
    if not form.is_valid():
        return None
    plan = plan_trials(form.trying)
    if plan.problem:
        form.add_error("catalog", plan.problem)
    elif form.trying.cap is not None and not plan.has_price:
        title = form.trying.chat_model.title
        form.add_error("chat_model", f"No price of {title} is known, so a cap cannot hold it: take the cap away.")
    return plan


def _form_page(request: Request, form: TaskEvaluationForm, plan: TrialsPlan | None) -> HttpResponse:
    context: dict[str, Any] = {"form": form, "plan": plan}
    return render(request, "playground/task_evaluation_form.html", context)


def _back(request: Request, row: TaskEvaluation, problem: str) -> HttpResponse:
    messages.error(request, problem)
    return redirect(row)
