"""One task in several lanes, before they are started: the form, what it would cost, and the start."""

from typing import Any, cast

from asgiref.sync import sync_to_async
from django.contrib.auth.models import User
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_POST

from catalog.publishing.asking import edition_of
from catalog.requests import Request
from catalog.roles import Role, needs
from catalog.sources import sample
from playground.lane_forms import LaneForm, LanesForm, expected_of
from playground.models import ChatModel, LaneSet
from playground.runs.lane_plans import LanePlan, plan_all, plan_lane
from playground.runs.lanes import Undertaking, begin_lanes
from playground.runs.threads import Setup

LONGEST_ADDRESS = 8_000
"""Characters of an address that every server and browser takes; what is longer is shown without one."""
RECENT = 5
MOST_SUGGESTIONS = 6


@require_GET
def lanes(request: Request) -> HttpResponse:
    """The form; its address fills it in."""
    answer = _page(request, LanesForm(request.GET.dict()))
    if request.htmx:
        answer["HX-Replace-Url"] = request.get_full_path()
    return answer


@require_POST
def lanes_choose(request: Request) -> HttpResponse:
    """The form as it was sent, after `act`, at an address of its own."""
    form = LanesForm(request.POST.dict()).changed(request.POST.get("act", ""))
    if len(form.address) > LONGEST_ADDRESS:
        return _page(request, form)
    return redirect(f"{reverse('lanes')}?{form.address}")


@require_POST
@needs(Role.PRESENTER)
async def lanes_start(request: Request) -> HttpResponse:
    """Start every lane and go to the page where all are watched."""
    form = await sync_to_async(LanesForm)(request.POST.dict(), is_start=True)
    if not await sync_to_async(_is_ready)(form):
        return await sync_to_async(_page)(request, form)
    said, by = form.common.cleaned_data, cast(User, await request.auser())
    common = Undertaking(said["task"], by, said["cap"], said["expected"])
    return redirect(await begin_lanes(common, [_setup(form, lane, by) for lane in form.lanes]))


def _is_ready(form: LanesForm) -> bool:
    """Whether it can be started; under a cap no lane can whose model has no price."""
    if not form.is_valid():
        return False
    for lane in form.lanes:
        plan = _plan(form, lane)
        if plan.problem:
            lane.add_error("catalog", plan.problem)
        elif form.common.cleaned_data["cap"] is not None and plan.first_cost is None:
            title = lane.cleaned_data["chat_model"].title
            lane.add_error("chat_model", f"No price of {title} is known, so a cap cannot hold it: take the cap away.")
    return all(not lane.errors for lane in form.lanes)


def _setup(form: LanesForm, lane: LaneForm, by: User) -> Setup:
    made, (mode, options) = lane.cleaned_data, lane.made
    return Setup(
        made["catalog"],
        made["chat_model"],
        form.common.cleaned_data["task"],
        by,
        mode,
        options,
        context=form.common.cleaned_data["context"],
        limits=form.limits.limits,
        edition=made["version"],
    )


def _plan(form: LanesForm, lane: LaneForm) -> LanePlan:
    """Of a valid lane, with what is readable of all else."""
    made, said, (mode, options) = lane.cleaned_data, form.common.cleaned_data, lane.made
    edition = edition_of(made["catalog"], made["version"])
    limits = form.limits.limits if form.limits.is_valid() else {}
    task, context = said.get("task") or "", said.get("context") or {}
    return plan_lane(edition, mode, made["chat_model"], task, context, limits, options)


def _page(request: Request, form: LanesForm) -> HttpResponse:
    form.common.is_valid()
    planned = [(lane, _plan(form, lane) if lane.is_valid() else None) for lane in form.lanes]
    task = form.data.get("task", "")
    context: dict[str, Any] = {
        "form": form,
        "planned": planned,
        "costs": plan_all([plan for _, plan in planned if plan], form.common.cleaned_data.get("cap")),
        "chat_models": ChatModel.objects.filter(enabled=True),
        "expected_tools": expected_of(task),
        "suggestions": sample.tasks()[:MOST_SUGGESTIONS] if _is_sample(planned) else (),
        "recent": LaneSet.objects.select_related("by")[:RECENT],
    }
    return render(request, "playground/lanes.html", context)


def _is_sample(planned: list[tuple[LaneForm, LanePlan | None]]) -> bool:
    """Whether the first lane's catalog offers the tools of the sample's first task."""
    first = planned[0][1] if planned else None
    tools = first.first.pool.by_name if first and first.first else {}
    return any(all(name in tools for name in task.expects) for task in sample.tasks())
