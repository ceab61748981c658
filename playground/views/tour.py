"""The tour: a recorded run that ships with the product, a moment at a time, each with its caption; then one to start."""

from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.http import require_GET

from catalog.models import Catalog, Tool
from catalog.requests import Request
from catalog.search import ENGINES
from playground.forms import ReplayForm, TourForm
from playground.models import ChatModel
from playground.models.chat_model import SCRIPTED
from playground.runs.steps import Searched
from playground.showcase.tour import Stop, script, stop_at, stops


@require_GET
def tour(request: Request) -> HttpResponse:
    """A stop of the tour; behind the last one, what to try. `?at=` is a moment of the run, for the links within it."""
    last = len(stops()) + 1
    form, moment = TourForm(request.GET), ReplayForm(request.GET)
    step = min(form.cleaned_data["step"] or 1, last) if form.is_valid() else 1
    if moment.is_valid() and (at := moment.cleaned_data["at"]):
        step = stop_at(at).number
    context = {
        "step": step,
        "last": last,
        "all": range(1, last + 1),
        "previous": step - 1,
        "next": step + 1 if step < last else 0,
        **(_of_stop(stops()[step - 1]) if step < last else _to_try()),
    }
    return render(request, "playground/tour.html", context)


@require_GET
def tour_search(request: Request, seq: int) -> HttpResponse:
    """The way to the search page, where a search of the recorded run is explained."""
    state = stops()[-1].state
    queries = [step.found.query for step in state.steps if isinstance(step, Searched) and step.seq == seq]
    if not queries:
        raise Http404("The tour has no such search.")
    query = {"catalog": script().catalog, "q": queries[0]}
    engine = state.about.engine
    return redirect(f"{reverse('search')}?{urlencode({**query, 'engine': engine} if engine in ENGINES else query)}")


@require_GET
def tour_tool(request: Request) -> HttpResponse:
    """The way to a tool of the recorded run, or to the tools where it is a meta-tool or gone."""
    server, _, name = request.GET.get("name", "").partition("__")
    if Tool.objects.here().filter(server__slug=server, name=name).exists():
        return redirect("tool", server, name)
    return redirect("tools")


def _of_stop(stop: Stop) -> dict[str, Any]:
    return {"stop": stop, "state": stop.state, "here": stop.here, "arriving": stop.arriving}


def _to_try() -> dict[str, Any]:
    """A task to start. Nothing to start it with where the sample's catalog or the demo model is not there."""
    told = script()
    return {
        "catalog": Catalog.objects.filter(slug=told.catalog).first(),
        "chat_model": ChatModel.objects.filter(name=SCRIPTED, enabled=True).first(),
        "task": told.suggested,
    }
