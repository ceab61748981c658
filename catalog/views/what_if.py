"""What if: what a change that is not saved does to the queries that are known, beside its form and as a page."""

from typing import Any

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_GET, require_POST
from django.views.decorators.vary import vary_on_headers

from catalog.forms.tools import ToolForm
from catalog.forms.what_if import WhatIfAddress, draft_address
from catalog.indexing import indexed
from catalog.models import Tool
from catalog.requests import Request
from catalog.roles import Role, needs
from catalog.search.index import UnreadableIndexError
from catalog.views.what_if_shown import Shown, ask, listed, read_address
from catalog.whatif.changes import tool_change
from catalog.whatif.choosing import catalog_named, catalogs_of
from catalog.whatif.drafts import filled_in
from catalog.whatif.packing import UnfitDraftError
from catalog.whatif.proposing import proposals
from catalog.whatif.under_way import A_MOMENT, Change, begin
from catalog.whatif.writers import sources as writers

PATIENCE = 2.0
"""Seconds that the page waits, which is whole without script if all is done by then."""
PARTS = {"what-if-page": "catalog/_what_if_page.html", "what-if": "catalog/_what_if_panel.html"}
"""What htmx gets of the page, by what it is put into."""


@require_POST
@needs(Role.CURATOR)
def tool_what_if(request: Request, server: str, name: str) -> HttpResponse:
    """The panel beside the form of an overlay, as it is filled in; without script, the page of that draft."""
    tool = get_object_or_404(Tool.objects.select_related("server"), server__slug=server, name=name)
    address = draft_address(tool, request.POST, request.GET.get("catalog", ""))
    shown = Shown(address, catalogs_of(tool), tool=tool)
    shown.catalog = catalog_named(address.catalog, shown.catalogs)
    if not request.htmx:
        return redirect(address.to())
    try:
        filled_in(tool, request.POST)
        ask(request, shown, A_MOMENT)
    except UnfitDraftError as error:
        shown.problem = str(error)
    return render(request, "catalog/_what_if.html", {**shown.told, "writers": writers.writers()})


@require_POST
@needs(Role.CURATOR)
def tool_proposals(request: Request, server: str, name: str) -> HttpResponse:
    """Edits that would help, each tried on top of the form as it is filled in."""
    tool = get_object_or_404(Tool.objects.select_related("server"), server__slug=server, name=name)
    catalog = catalog_named(request.GET.get("catalog", ""), catalogs_of(tool))
    context: dict[str, Any] = {"tool": tool, "field": ToolForm()["search_text"].id_for_label}
    try:
        filled_in(tool, request.POST)
        if catalog is not None and indexed(catalog) is None:
            context |= _proposed(request, tool, tool_change(catalog, tool))
    except (UnfitDraftError, UnreadableIndexError) as error:
        context["problem"] = str(error)
    return render(request, "catalog/_proposals.html", context)


def _proposed(request: Request, tool: Tool, change: Change) -> dict[str, Any]:
    found = begin(change, f"{request.session.session_key} {tool} proposals")
    if change.queries:
        found.wait(PATIENCE)
    if change.queries and not found.is_over:
        return {"is_early": True}
    helping, tried = proposals(change, tool, tuple(found.shifts))
    return {"proposals": helping, "tried": tried}


@require_GET
@vary_on_headers("HX-Target")
def what_if(request: Request) -> HttpResponse:
    """The page: all figures, the queries in lists, and one query with the explanations of both sides; or a panel of it."""
    shown, part = read_address(WhatIfAddress(request.GET)), PARTS.get(request.htmx.target or "")
    ask(request, shown, A_MOMENT if request.htmx else PATIENCE)
    if shown.catalog and not shown.problem and part != PARTS["what-if"]:
        shown.context |= listed(request, shown)
    return render(request, part or "catalog/what_if.html", shown.told)
