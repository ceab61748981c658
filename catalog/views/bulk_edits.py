"""Edits of many tools: from the selection to a plan, its preview, applying it, and undoing it."""

from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_POST
from django.views.decorators.vary import vary_on_headers

from catalog.bulk_acts import ACTS, words_of
from catalog.bulk_applying import NotNowError, apply_edit, undo_edit
from catalog.bulk_planning import plan_edit
from catalog.bulk_telling import told
from catalog.forms.bulk_edits import BulkEditForm
from catalog.models import BulkEdit
from catalog.progress import progress_of
from catalog.requests import Request
from catalog.roles import Role, needs
from catalog.views.draft_gate import PATIENCE
from catalog.views.gating import let_through
from catalog.views.tool_details import list_at
from catalog.whatif.edits_of_many import Looked, held_edit_of_many, looks_at_edit
from catalog.whatif.gate import with_gate
from catalog.whatif.looks import wait_for
from catalog.whatif.under_way import A_MOMENT

ROWS_A_PAGE = 50


@require_POST
@needs(Role.CURATOR)
def bulk_edit_plan(request: Request) -> HttpResponse:
    """Plan an edit of the selected tools, or of all that a list holds, and show it. Nothing is changed by that."""
    form = BulkEditForm(request.POST)
    if not form.is_valid():
        context = {"form": form, "acts": ACTS, "count": len(request.POST.getlist("selected"))}
        return render(request, "catalog/bulk_edit_form.html", context)
    said = form.cleaned_data
    tools = _all_of(said["query"]) if said["all"] else said["selected"]
    return redirect(plan_edit(said["act"], said["value"], tools, request.user, said["query"]))


@require_GET
@vary_on_headers("HX-Target")
def bulk_edit(request: Request, pk: int) -> HttpResponse:
    """The page, or its moving part alone for htmx, which asks again while the edit moves."""
    edit = get_object_or_404(BulkEdit.objects.select_related("by").defer("plan", "outcome"), pk=pk)
    template = "catalog/_bulk_edit.html" if request.htmx.target == "bulk-edit" else "catalog/bulk_edit.html"
    return render(request, template, _shown(request, edit))


@require_POST
@needs(Role.CURATOR)
def bulk_edit_apply(request: Request, pk: int) -> HttpResponse:
    edit = get_object_or_404(BulkEdit, pk=pk)
    if edit.state != BulkEdit.State.PLANNED:
        return _applied(request, edit)
    return let_through(request, lambda: _applied(request, edit), held_edit_of_many(edit, request.user))


@require_GET
@vary_on_headers("HX-Target")
def bulk_edit_gate(request: Request, pk: int) -> HttpResponse:
    """What applying the edit would do to judged queries, tool by tool; the part alone for htmx, which asks again."""
    edit = get_object_or_404(BulkEdit, pk=pk)
    is_partial, looks, more = request.htmx.target == "edit-gate", list[Looked](), 0
    if edit.state == BulkEdit.State.PLANNED:
        looks, more = looks_at_edit(edit)
    wait_for([one.look for one in looks], A_MOMENT if is_partial else PATIENCE)
    context = {
        "edit": edit,
        "words": words_of(edit.act),
        "looks": looks,
        "more": more,
        "is_over": all(one.look.is_over for one in looks),
    }
    return render(request, "catalog/_bulk_gate.html" if is_partial else "catalog/bulk_gate.html", context)


def _applied(request: Request, edit: BulkEdit) -> HttpResponse:
    try:
        apply_edit(edit, request.user)
    except NotNowError:
        messages.error(request, "This edit was applied already.")
    return redirect(edit)


@require_POST
@needs(Role.CURATOR)
def bulk_edit_undo(request: Request, pk: int) -> HttpResponse:
    edit = get_object_or_404(BulkEdit, pk=pk)
    try:
        undo_edit(edit, request.user)
    except NotNowError:
        messages.error(request, "Nothing was undone: the edit is not in force.")
    return redirect(edit)


def _all_of(query: str) -> list[int]:
    """The keys of all tools of the list at an address, in its order."""
    tools = list_at(QueryDict(query))
    return list(tools.tools.values_list("pk", flat=True)) if tools else []


def _shown(request: Request, edit: BulkEdit) -> dict[str, Any]:
    """While it moves its plan, which may be megabytes, is not read: the page asks every second."""
    shown = {"edit": edit, "words": words_of(edit.act)}
    if edit.is_moving:
        return shown | {"progress": progress_of(edit)}
    parts = told(edit)
    part = parts.part(request.GET.get("part", ""))
    page = Paginator(part.rows, ROWS_A_PAGE).get_page(request.GET.get("page"))
    return shown | {
        "told": parts,
        "part": part,
        "page": page,
        "rows": parts.rows(page.object_list),
        "list_address": f"{reverse('tools')}?{edit.query}",
        "gated": edit.state == BulkEdit.State.PLANNED and with_gate().exists(),
    }
