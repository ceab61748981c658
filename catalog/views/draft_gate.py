"""The gate before publishing: what each edit of a draft does to the judged queries, and leaving one out."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_GET, require_POST
from django.views.decorators.vary import vary_on_headers

from catalog.editing import EditedMeanwhileError
from catalog.invisible import cleaned
from catalog.models import Catalog
from catalog.publishing.acts import plan_publishing
from catalog.publishing.leaving_out import NoWayBackError, leave_out
from catalog.publishing.standing import standing_of
from catalog.requests import Request
from catalog.roles import Role, needs
from catalog.views.tool_details import tool_at
from catalog.whatif.gate import is_gated, look_at_draft
from catalog.whatif.under_way import A_MOMENT

PATIENCE = 20.0
"""Seconds that the page waits, which is whole without script if all is done by then; a part of one waits a moment."""


@require_GET
@vary_on_headers("HX-Target")
def catalog_gate(request: Request, slug: str) -> HttpResponse:
    """Every edit of the draft with the queries that get better and worse; the part alone for htmx, which asks again."""
    catalog = get_object_or_404(Catalog, slug=slug)
    is_partial = request.htmx.target == "draft-gate"
    context: dict[str, object] = {"catalog": catalog, "gated": is_gated(catalog)}
    if context["gated"]:
        look = look_at_draft(catalog)
        look.wait(A_MOMENT if is_partial else PATIENCE)
        context |= {"look": look, "token": plan_publishing(catalog).token}
    if is_partial:
        return render(request, "catalog/_draft_gate.html", context)
    return render(request, "catalog/draft_gate.html", context | {"standing": standing_of(catalog)})


@require_POST
@needs(Role.CURATOR)
def catalog_leave_out(request: Request, slug: str) -> HttpResponse:
    """Have the tool `edit` be as the version in force has it, if the draft is still the one that was shown."""
    catalog = get_object_or_404(Catalog, slug=slug)
    tool, said = tool_at(request.POST.get("edit", "")), "Nothing was changed: "
    if tool is None or plan_publishing(catalog).token != request.POST.get("token"):
        messages.error(request, said + "the draft is not as it was when you looked at it.")
        return redirect("catalog_publish", slug)
    try:
        leave_out(catalog, tool, request.user)
    except NoWayBackError:
        way = "its source changed as well. Its history has every version."
        messages.error(request, f"{said}{cleaned(tool.name)} cannot be put back by its own edits, as {way}")
    except EditedMeanwhileError:
        messages.error(request, f"{said}somebody edited {cleaned(tool.name)} meanwhile.")
    else:
        messages.success(request, f"{cleaned(tool.name)} is as it is published. Its history keeps the edit.")
    return redirect("catalog_publish", slug)
