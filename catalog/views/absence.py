"""Why not? A tool that is not among the hits: its gates, the edits that would bring it in, and carrying one out."""

import secrets
from dataclasses import asdict
from typing import Any

from django.contrib import messages
from django.http import HttpResponse, HttpResponseBadRequest
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_POST

from catalog.absence.answering import answer, answer_of_version
from catalog.absence.rows import ChangedSince, Undo, carry_out, tool_called, undo
from catalog.absence.steps import done
from catalog.asking import Search
from catalog.editions import Edition
from catalog.forms.absence import BringInForm
from catalog.invisible import cleaned
from catalog.models import Catalog, Tool
from catalog.requests import Request
from catalog.roles import Role, needs
from catalog.search.ranking import Ranking
from catalog.views.gating import gated

NAMES_OFFERED = 20
"""Tools that the picker offers."""
MOST_NAMES = 200
"""Tools among which the best are chosen."""
NEAR_NAMES = 5
"""Tools that are offered in the place of one that there is not."""
UNDO = "undo"
"""What the session keeps of the last edit."""


def why_not(request: Request, edition: Edition, search: Search, context: dict[str, Any]) -> dict[str, Any]:
    """For the search page: what it tells of the tool that its address asks for, if that is not returned."""
    name = search.why
    ranking: Ranking | None = context.get("ranking")
    if not name or "indexed" in context or (ranking and any(hit.tool.name == name for hit in ranking.hits)):
        return {}
    tool = tool_called(name, edition.catalog)
    if not edition.is_live and (held := answer_of_version(search, edition, tool, ranking)):
        return {"asked_why": name, "why_not": held, "is_held": True}
    if tool is None:
        return {"asked_why": name, "near_names": _matching(name)[:NEAR_NAMES], "is_unknown": True}
    told = answer(search, edition.catalog, tool, ranking, with_edits="edits" in request.GET)
    return {"asked_why": name, "why_not": told}


@require_GET
def tool_names(request: Request) -> HttpResponse:
    """The tools, of any server, whose name or text has the words of `why`: what the picker offers."""
    tools = _matching(request.GET.get("why", ""))[:NAMES_OFFERED]
    return render(request, "catalog/_tool_names.html", {"tools": tools})


@require_POST
@needs(Role.CURATOR)
@gated
def bring_in(request: Request, slug: str) -> HttpResponse:
    """Carry out an edit, then go back to the search, which offers to undo it."""
    catalog = get_object_or_404(Catalog, slug=slug)
    form = BringInForm(request.POST)
    if not form.is_valid():
        return HttpResponseBadRequest("No such edit.")
    server, _, name = form.cleaned_data["tool"].partition("/")
    tool = get_object_or_404(Tool.objects.select_related("server"), server__slug=server, name=name)
    edit, token = carry_out(form.steps, catalog, tool, request.user), secrets.token_urlsafe(8)
    request.session[UNDO] = {"token": token, "edit": asdict(edit), "next": _search_address(form.cleaned_data["next"])}
    said = cleaned(f"{tool.exposed_name}: {done(form.steps)}.")
    messages.success(request, said, extra_tags=reverse("bring_in_undo", args=[token]))
    return redirect(_search_address(form.cleaned_data["next"]))


@require_POST
@needs(Role.CURATOR)
def bring_in_undo(request: Request, token: str) -> HttpResponse:
    """Undo the last edit of this session, if this is its token and nobody changed the same since."""
    kept = request.session.get(UNDO) or {}
    if kept.get("token") != token:
        messages.error(request, "That edit can no longer be undone here. The tool's history has it.")
        return redirect("search")
    del request.session[UNDO]
    try:
        tool = undo(Undo(**kept["edit"]), request.user)
        messages.success(request, f"Undone: {cleaned(tool.exposed_name)} is as it was.")
    except (ChangedSince, Catalog.DoesNotExist, Tool.DoesNotExist) as error:
        messages.error(request, f"Nothing was undone: {cleaned(str(error))}.")
    return redirect(kept["next"])


def _matching(name: str) -> list[Tool]:
    """The tools that have all words of what was typed, or else any of them in their names; best first."""
    words = name.replace("__", " ").replace("/", " ").replace("_", " ").split()
    tools = Tool.objects.here().select_related("server").order_by("name")
    found = tools.matching(" ".join(words))[:MOST_NAMES] or tools.named_like(words)[:MOST_NAMES]
    return sorted(found, key=lambda tool: sum(word.lower() not in tool.exposed_name.lower() for word in words))


def _search_address(address: str) -> str:
    """An address to return to, if it is one of the search page, and no other place."""
    page = reverse("search")
    return address if address.startswith(f"{page}?") else page
