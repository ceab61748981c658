"""Forking: another way to go on from a message or a turn of a run, in a thread of its own."""

from typing import cast
from uuid import UUID

from asgiref.sync import sync_to_async
from django.contrib.auth.models import User
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods

from catalog.requests import Request
from catalog.roles import Role, needs
from playground.agent.well_formed import well_formed
from playground.forms import ForkAtForm
from playground.models import Run
from playground.runs.assembling import redactor_of
from playground.runs.earlier import told
from playground.runs.executing import fork
from playground.runs.forking import ForkPoint, fork_point, result_point
from playground.runs.threads import EditedResult, Setup
from playground.runs.transcripts import awaits_model
from playground.turn_forms import ForkForm, ResultForm


@require_http_methods(["GET", "POST"])
@needs(Role.PRESENTER)
async def run_fork(request: Request, run_id: UUID) -> HttpResponse:
    """`?at=` is the event that began the message or the turn; without it, the fork goes on from the run's end.

    `?result=` is the event that told what a tool answered: the fork goes on from what a person makes of that.
    """
    point = await sync_to_async(_point)(request, run_id)
    form = await sync_to_async(_form)(request, point)
    if request.method == "POST" and await sync_to_async(form.is_valid)():
        setup = Setup(**form.chosen, by=cast(User, await request.auser()))
        edited = await sync_to_async(_edited)(point, form)
        return redirect(await fork(point.run, point.at, setup, edited))
    return await sync_to_async(_page)(request, point, form)


def _point(request: Request, run_id: UUID) -> ForkPoint:
    runs = Run.objects.select_related("thread__forked_from__thread", "catalog", "chat_model", "version")
    run = get_object_or_404(runs, pk=run_id)
    asked = ForkAtForm(request.GET)
    point = _asked_for(run, **asked.cleaned_data) if asked.is_valid() else None
    if point is None:
        raise Http404("A run is forked before a message, before a turn, from a result, or from its end.")
    return point


def _asked_for(run: Run, at: int | None, result: int | None) -> ForkPoint | None:
    return fork_point(run, at) if result is None else result_point(run, result)


def _edited(point: ForkPoint, form: ForkForm) -> EditedResult | None:
    """What was made of the result, without the secrets of the run; none where it stayed as it was."""
    if point.result is None or form.cleaned_data["result"] == point.result.content:
        return None
    content = redactor_of(point.run.pk).text(form.cleaned_data["result"])
    return EditedResult(point.result.call_id, well_formed(content))


def _form(request: Request, point: ForkPoint) -> ForkForm:
    may_go_on = awaits_model(point.history) and not point.is_message
    task = point.run.task if point.is_message else ""
    posted = request.POST if request.method == "POST" else None
    if point.result:
        return ResultForm(posted, point.run, point.result.content)
    return ForkForm(posted, point.run, task, may_go_on)


def _page(request: Request, point: ForkPoint, form: ForkForm) -> HttpResponse:
    context = {"point": point, "run": point.run, "form": form, "earlier": told(point.history)}
    return render(request, "playground/fork.html", context)
