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
from playground.forms import ReplayForm
from playground.models import Run
from playground.runs.earlier import told
from playground.runs.executing import fork
from playground.runs.forking import ForkPoint, fork_point
from playground.runs.threads import Setup
from playground.runs.transcripts import awaits_model
from playground.turn_forms import ForkForm


@require_http_methods(["GET", "POST"])
@needs(Role.PRESENTER)
async def run_fork(request: Request, run_id: UUID) -> HttpResponse:
    """`?at=` is the event that began the message or the turn; without it, the fork goes on from the run's end."""
    point = await sync_to_async(_point)(request, run_id)
    form = await sync_to_async(_form)(request, point)
    if request.method == "POST" and await sync_to_async(form.is_valid)():
        setup = Setup(**form.chosen, by=cast(User, await request.auser()))
        return redirect(await fork(point.run, point.at, setup))
    return await sync_to_async(_page)(request, point, form)


def _point(request: Request, run_id: UUID) -> ForkPoint:
    runs = Run.objects.select_related("thread__forked_from__thread", "catalog", "chat_model", "version")
    run = get_object_or_404(runs, pk=run_id)
    asked = ReplayForm(request.GET)
    point = fork_point(run, asked.cleaned_data["at"]) if asked.is_valid() else None
    if point is None:
        raise Http404("A run is forked before a message, before a turn, or from its end.")
    return point


def _form(request: Request, point: ForkPoint) -> ForkForm:
    may_go_on = awaits_model(point.history) and not point.is_message
    task = point.run.task if point.is_message else ""
    return ForkForm(request.POST if request.method == "POST" else None, point.run, task, may_go_on)


def _page(request: Request, point: ForkPoint, form: ForkForm) -> HttpResponse:
    context = {"point": point, "run": point.run, "form": form, "earlier": told(point.history)}
    return render(request, "playground/fork.html", context)
