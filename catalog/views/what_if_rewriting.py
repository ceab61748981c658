"""A description that a model writes anew, tried on every known query before it is shown."""

from typing import Any

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_POST

from catalog.auditing.recording import Act, record
from catalog.forms.tools import ToolForm
from catalog.indexing import indexed
from catalog.models import Catalog, Tool
from catalog.requests import Request
from catalog.roles import Role, needs
from catalog.search.index import UnreadableIndexError
from catalog.whatif.changes import tool_change
from catalog.whatif.choosing import catalog_named, catalogs_of
from catalog.whatif.drafts import filled_in
from catalog.whatif.packing import UnfitDraftError
from catalog.whatif.rewriting import rewrite
from catalog.whatif.under_way import begin
from catalog.whatif.writers import Writer, WritingFailedError, writer_numbered

PATIENCE = 2.0
"""Seconds that are waited for the queries before the model is asked."""


@require_POST
@needs(Role.CURATOR)
def tool_rewrite(request: Request, server: str, name: str) -> HttpResponse:
    """What the model `writer` makes of the description, on top of the form as it is filled in."""
    tool = get_object_or_404(Tool.objects.select_related("server"), server__slug=server, name=name)
    catalog = catalog_named(request.GET.get("catalog", ""), catalogs_of(tool))
    writer = writer_numbered(request.POST.get("writer", ""))
    context: dict[str, Any] = {"field": ToolForm()["own_description"].id_for_label, "writer": writer}
    if catalog is None or writer is None or indexed(catalog) is not None:
        context["problem"] = "There is no model to ask, or no catalog to try it in."
    else:
        try:
            filled_in(tool, request.POST)
            context |= _rewritten(request, catalog, tool, writer)
        except (UnfitDraftError, UnreadableIndexError, WritingFailedError) as error:
            context["problem"] = str(error)
    return render(request, "catalog/_rewrite.html", context)


def _rewritten(request: Request, catalog: Catalog, tool: Tool, writer: Writer) -> dict[str, Any]:
    change = tool_change(catalog, tool)
    found = begin(change, f"{request.session.session_key} {tool} rewrite")
    if change.queries:
        found.wait(PATIENCE)
        if not found.is_over:
            return {"is_early": True}

    def ask(task: str, material: str) -> str:
        record(Act.REWRITE_ASKED, tool, after={"model": writer.title}, by=request.user)
        return writer.ask(task, material)

    return {"rewrite": rewrite(change, str(tool), tuple(found.shifts), ask)}
