"""Calling a tool by hand: the form of its arguments, the call, and the calls made before."""

from typing import Any

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST

from catalog.models import Tool
from catalog.requests import Request
from catalog.roles import Role, needs
from catalog.sources.json_text import object_or_list
from playground.call_forms import AS_JSON, CallForm, filled_form, read_form
from playground.call_texts import call_text
from playground.models import HandCall
from playground.runs.by_hand import KEPT, asks_first, call_by_hand, is_simulated, why_not

NOT_CONFIRMED = "Say that it is meant: the tick above is missing."


@require_http_methods(["GET", "POST"])
@needs(Role.CURATOR)
def tool_call(request: Request, server: str, name: str) -> HttpResponse:
    """The form; a call that was made is shown at `?call=`. Only a POST calls, and only with arguments that fit."""
    tool = _tool(server, name)
    if request.method == "GET":
        return render(request, "playground/tool_call.html", _page(request, tool))
    form = read_form(tool, request.POST)
    is_meant = not asks_first(tool) or bool(request.POST.get("meant"))
    if why_not(tool) or not form.is_sound or not is_meant:
        problem = "" if is_meant else NOT_CONFIRMED
        context = {
            **_page(request, tool),
            "form": form,
            "was_refused": True,
            "not_meant": problem,
            "is_meant": is_meant,
        }
        return render(request, "playground/tool_call.html", context)
    call = call_by_hand(tool, form.arguments, request.user)
    written = f"&as={AS_JSON}" if form.is_json else ""
    return redirect(f"{reverse('tool_call', args=[server, name])}?call={call.pk}{written}")


@require_POST
@needs(Role.CURATOR)
def tool_call_arguments(request: Request, server: str, name: str) -> HttpResponse:
    """What the form says as JSON, while it is written. Nothing is called."""
    tool = _tool(server, name)
    return render(request, "playground/_call_arguments.html", _arguments(read_form(tool, request.POST)))


def _tool(server: str, name: str) -> Tool:
    return get_object_or_404(Tool.objects.select_related("server"), server__slug=server, name=name)


def _page(request: Request, tool: Tool) -> dict[str, Any]:
    calls = HandCall.objects.filter(tool=tool, by=request.user)
    chosen = request.GET.get("call", "")
    call = get_object_or_404(calls, pk=chosen) if chosen.isdecimal() else None
    is_json = request.GET.get("as") == AS_JSON
    form = filled_form(tool, call.arguments if call else {}, is_json)
    return {
        "tool": tool,
        "call": call,
        "calls": calls.defer("result", "pictures")[:KEPT],
        "why_not": why_not(tool),
        "asks_first": asks_first(tool),
        "is_simulated": is_simulated(tool),
        "result_json": object_or_list(call.result) if call else None,
        **_arguments(form),
    }


def _arguments(form: CallForm) -> dict[str, Any]:
    return {"form": form, "tool": form.tool, "as_request": call_text(form.tool, form.arguments)}
