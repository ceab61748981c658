"""What if: what a change that is not saved does to the queries that are known, beside its form and as a page."""

from typing import Any

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_GET, require_POST
from django.views.decorators.vary import vary_on_headers

from catalog.forms.tools import ToolForm
from catalog.forms.what_if import ALL_EDITS, SHOWN, WhatIfAddress, draft_address
from catalog.indexing import indexed
from catalog.models import Tool
from catalog.requests import Request
from catalog.roles import Role, needs
from catalog.search.index import UnreadableIndexError
from catalog.views.tool_details import tool_at
from catalog.whatif.changes import engine_change, publishing_change, tool_change
from catalog.whatif.choosing import catalog_named, catalogs_of
from catalog.whatif.drafts import UnfitDraftError, drafted, filled_in
from catalog.whatif.known import queries_of
from catalog.whatif.opened import Opened, opened
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
    """The page: all figures, the queries in lists, and one query with the explanations of both sides."""
    shown = _read(WhatIfAddress(request.GET))
    if shown.catalog and not shown.problem:
        _ask(request, shown, A_MOMENT if request.htmx else PATIENCE)
        shown.context |= _listed(request, shown)
    is_partial = request.htmx.target == "what-if-page"
    return render(request, "catalog/_what_if_page.html" if is_partial else "catalog/what_if.html", shown.told)


def _read(address: WhatIfAddress) -> _Shown:
    """The catalog and the tool that an address names, the tool as its draft has it."""
    tool = tool_at(address.tool) if address.tool else None
    if address.tool and tool is None:
        raise Http404(f"there is no tool {address.tool}")
    shown = _Shown(address, catalogs_of(tool) if tool else list(Catalog.objects.all()), tool=tool)
    if address.catalog and address.catalog not in {catalog.slug for catalog in shown.catalogs}:
        raise Http404(f"there is no catalog {address.catalog} with this tool")
    shown.catalog = catalog_named(address.catalog, shown.catalogs)
    if tool and address.draft:
        try:
            drafted(tool, address.draft)
        except UnfitDraftError as error:
            shown.problem = str(error)
    return shown


def _ask(request: Request, shown: _Shown, seconds: float) -> None:
    """Have the queries asked, and tell what is known by then."""
    if shown.catalog is None:
        return
    if (done := indexed(shown.catalog)) is not None:
        shown.context |= {"indexed": done}
        return
    change = _change(shown, shown.catalog)
    who = f"{request.session.session_key} {request.path} {shown.address.tool} {shown.catalog.slug}"
    found = begin(change, who)
    if change.queries:
        found.wait(seconds)
    tally = Tally(tuple(found.shifts), shown.address.tool)
    shown.context |= {"what_if": found, "tally": tally, "change": change}


def _change(shown: _Shown, catalog: Catalog) -> Change:
    if shown.tool:
        return tool_change(catalog, shown.tool)
    if edit := shown.address.edit:
        return publishing_change(catalog, queries_of(catalog), "" if edit == ALL_EDITS else edit)
    said = QueryDict(mutable=True)
    said.update(shown.address.settings)
    return engine_change(catalog, engine_of(catalog, said))


def _listed(request: Request, shown: _Shown) -> dict[str, Any]:
    tally: Tally | None = shown.context.get("tally")
    if tally is None:
        return {}
    lists = _lists(tally, shown.address)
    show = shown.address.show or next((name for name in ("worse", "changed") if lists[name]), "changed")
    page = Paginator(lists[show], QUERIES_A_PAGE).get_page(request.GET.get("page"))
    counts = [(name, title, len(lists[name])) for name, title in SHOWN.items() if name in lists]
    return {"lists": counts, "show": show, "page": page, "opened": _opened(shown)}


def _lists(tally: Tally, address: WhatIfAddress) -> dict[str, list[Shift]]:
    lists = {"changed": tally.changed, "better": tally.better, "worse": tally.worse}
    if tally.key:
        lists |= {"higher": tally.higher, "lower": tally.lower}
    lists["out"] = tally.pushed_out.get(address.of, []) if address.of else tally.pushing
    lists["failing"] = tally.failing
    return lists


def _opened(shown: _Shown) -> Opened | None:
    if not shown.address.query:
        return None
    try:
        return opened(shown.context["change"], shown.address.query, shown.address.why or shown.address.tool)
    except UnreadableIndexError:
        return None
