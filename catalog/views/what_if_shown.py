"""What the pages and panels of a what-if show: what an address names, asked for a moment, and its queries in lists."""

from dataclasses import dataclass, field
from typing import Any

from django.core.paginator import Paginator
from django.http import Http404, QueryDict

from catalog.forms.what_if import ALL_EDITS, SHOWN, WhatIfAddress
from catalog.indexing import indexed
from catalog.models import Catalog, Tool
from catalog.requests import Request
from catalog.search.index import UnreadableIndexError
from catalog.views.tool_details import tool_at
from catalog.whatif.changes import engine_change, publishing_change, shape_change, tool_change
from catalog.whatif.choosing import catalog_named, catalogs_of
from catalog.whatif.drafts import drafted
from catalog.whatif.gate import not_counted
from catalog.whatif.in_view import Spared, spared
from catalog.whatif.known import queries_of
from catalog.whatif.opened import Opened, opened
from catalog.whatif.packing import UnfitDraftError
from catalog.whatif.rows import engine_of
from catalog.whatif.shapes import read_shape
from catalog.whatif.shifts import Shift
from catalog.whatif.tally import Tally
from catalog.whatif.under_way import Change, begin

QUERIES_A_PAGE = 25


@dataclass
class Shown:
    """What the templates take; `problem` says why there is nothing, as a sentence."""

    address: WhatIfAddress
    catalogs: list[Catalog] = field(default_factory=list)
    catalog: Catalog | None = None
    tool: Tool | None = None
    problem: str = ""
    context: dict[str, Any] = field(default_factory=dict)

    @property
    def told(self) -> dict[str, Any]:
        said = {name: getattr(self, name) for name in ("address", "catalogs", "catalog", "tool", "problem")}
        return said | self.context


def read_address(address: WhatIfAddress) -> Shown:
    """The catalog and the tool that an address names, the tool as its draft has it."""
    tool = tool_at(address.tool) if address.tool else None
    if address.tool and tool is None:
        raise Http404(f"there is no tool {address.tool}")
    shown = Shown(address, catalogs_of(tool) if tool else list(Catalog.objects.all()), tool=tool)
    if address.catalog and address.catalog not in {catalog.slug for catalog in shown.catalogs}:
        raise Http404(f"there is no catalog {address.catalog} with this tool")
    shown.catalog = catalog_named(address.catalog, shown.catalogs)
    if tool and address.draft:
        try:
            drafted(tool, address.draft)
        except UnfitDraftError as error:
            shown.problem = str(error)
    return shown


def ask(request: Request, shown: Shown, seconds: float) -> None:
    """Have the queries asked, and tell what is known by then."""
    if shown.catalog is None or shown.problem:
        return
    if (done := indexed(shown.catalog)) is not None:
        shown.context |= {"indexed": done}
        return
    try:
        change = _change(shown, shown.catalog)
    except UnfitDraftError as error:
        shown.problem = str(error)
        return
    who = (
        f"{request.session.session_key} {request.path} {request.htmx.target} {shown.address.tool} {shown.catalog.slug}"
    )
    found = begin(change, who)
    if change.queries:
        found.wait(seconds)
    told = found.so_far()
    tally = Tally(told.shifts, shown.address.tool)
    view = spared(change.in_view, tally.shifts) if change.in_view else None
    shown.context |= {"what_if": told, "tally": tally, "change": change, "view": view}


def _change(shown: Shown, catalog: Catalog) -> Change:
    """Raises UnfitDraftError."""
    address = shown.address
    if shown.tool:
        return tool_change(catalog, shown.tool, address.name)
    if address.shape:
        return shape_change(catalog, read_shape(address.shape))
    if address.edit:
        return publishing_change(catalog, queries_of(catalog), "" if address.edit == ALL_EDITS else address.edit)
    said = QueryDict(mutable=True)
    said.update(address.settings)
    return engine_change(catalog, engine_of(catalog, said))


def listed(request: Request, shown: Shown) -> dict[str, Any]:
    """The list that the address shows, and how many each has."""
    tally: Tally | None = shown.context.get("tally")
    if tally is None:
        return {}
    lists, free = _lists(tally, shown.context["view"], shown.address), _not_counted(shown, tally)
    if free:
        lists["free"] = free
    named = shown.address.show if shown.address.show in lists else ""
    show = named or next((name for name in ("worse", "changed", "spared", "again") if lists.get(name)), "changed")
    page = Paginator(lists[show], QUERIES_A_PAGE).get_page(request.GET.get("page"))
    counts = [(name, title, len(lists[name])) for name, title in SHOWN.items() if name in lists]
    return {"lists": counts, "show": show, "page": page, "opened": _opened(shown), "free": free}


def _not_counted(shown: Shown, tally: Tally) -> list[Shift] | None:
    """Where the address has one edit of a draft, and all queries were asked."""
    if shown.catalog is None or shown.address.edit in ("", ALL_EDITS) or not shown.context["what_if"].is_over:
        return None
    return not_counted(shown.catalog, shown.address.edit, tally.worse)


def _lists(tally: Tally, view: Spared | None, address: WhatIfAddress) -> dict[str, list[Shift]]:
    lists = {"changed": tally.changed, "better": tally.better, "worse": tally.worse}
    if tally.key:
        lists |= {"higher": tally.higher, "lower": tally.lower}
    lists["out"] = tally.pushed_out.get(address.of, []) if address.of else tally.pushing
    if view:
        lists |= {"spared": [*view.spared], "again": [*view.again]}
    lists["failing"] = tally.failing
    return lists


def _opened(shown: Shown) -> Opened | None:
    if not shown.address.query:
        return None
    try:
        return opened(shown.context["change"], shown.address.query, shown.address.why or shown.address.tool)
    except UnreadableIndexError:
        return None
