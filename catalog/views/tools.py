"""One tool: its page with its history, the form of its overlay, undoing an edit, and going back to a version."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.models import User
from django.db import transaction
from django.http import HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_GET, require_http_methods, require_POST
from django.views.decorators.vary import vary_on_headers

from catalog.auditing.recording import Act, audited
from catalog.drifting import restore_definition
from catalog.editing import EditedMeanwhileError, change_overlay, restore_overlay, undo_edit
from catalog.finding_pages import for_pages
from catalog.forms.gate import OverrideForm
from catalog.forms.tools import ToolForm, VersionsForm
from catalog.forms.what_if import draft_address
from catalog.history import Comparison, compared, edits_of, history_of, offered
from catalog.invisible import cleaned
from catalog.models import Finding, Tool, ToolVersion
from catalog.placement import places_of
from catalog.prompt_size import estimate_tool
from catalog.requests import Request
from catalog.returning import return_address
from catalog.roles import Role, needs
from catalog.sources.skills import texts_of
from catalog.views.tool_details import detail_of, form_of, list_at, list_query
from catalog.whatif.gate import held_edit
from catalog.whatif.verdicts import Held

VERSIONS_SHOWN = 20


@require_GET
def tool_page(request: Request, server: str, name: str) -> HttpResponse:
    tool = get_object_or_404(Tool.objects.select_related("server"), server__slug=server, name=name)
    history, versions = history_of(tool, VERSIONS_SHOWN), VersionsForm(request.GET)
    comparison = _compared(tool, versions)
    context = {
        "tool": tool,
        "spec": tool.to_spec(),
        "edits": edits_of(tool),
        "history": history,
        "comparison": comparison,
        "offered": offered(history, comparison),
        "incomparable": versions.is_valid() and comparison is None,
        "drift": tool.drifts.waiting().first(),
        "places": places_of(tool),
        "findings": for_pages(Finding.objects.here().about([tool.pk])),
        "texts": list(texts_of(tool.files)),
    }
    return render(request, "catalog/tool.html", context)


@require_http_methods(["GET", "POST"])
@vary_on_headers("HX-Target")
@needs(Role.CURATOR)
def tool_edit(request: Request, server: str, name: str) -> HttpResponse:
    """The form of the overlay, as a page or in the rail beside the list. An edit that is newer than the form is not lost:
    nothing is saved then, and both are shown."""
    tool = get_object_or_404(Tool.objects.select_related("server"), server__slug=server, name=name)
    if request.method == "GET":
        return _form_page(request, tool, form_of(tool))
    form = ToolForm(request.POST, instance=tool)
    if not form.is_valid():
        return _form_page(request, tool, form)
    held, override = held_edit(tool, request.user), OverrideForm(request.POST)
    if held and not (held.may_override and override.reason):
        return _form_page(request, tool, form, held=held, override=override, address=draft_address(tool, request.POST))
    try:
        made = _saved(tool, form, request.user, held, override.reason)
    except EditedMeanwhileError as error:
        return _both(request, tool, form, error.newest)
    said = f"{cleaned(tool.name)} was saved. The next search reads it so."
    messages.success(request, said, extra_tags=reverse("tool_undo", args=[server, name, made.pk]))
    if request.htmx.target != "detail":
        return redirect(_after(request, tool))
    return _in_place(request, tool)


@require_POST
@needs(Role.CURATOR)
def tool_preview(request: Request, server: str, name: str) -> HttpResponse:
    """What the form as it is filled in would have a model read, and what that costs; nothing is saved."""
    tool = get_object_or_404(Tool.objects.select_related("server"), server__slug=server, name=name)
    tokens = estimate_tool(tool.to_spec())
    tool.own_description = request.POST.get("own_description", "").strip() or None
    context = {"tool": tool, "tokens": estimate_tool(tool.to_spec()), "tokens_before": tokens}
    return render(request, "catalog/_tool_preview.html", context)


@require_POST
@needs(Role.CURATOR)
def tool_undo(request: Request, server: str, name: str, pk: int) -> HttpResponse:
    """Have the overlay be as before the edit that made the version `pk`, if that is still the newest."""
    tool = get_object_or_404(Tool.objects.select_related("server"), server__slug=server, name=name)
    version = get_object_or_404(tool.versions, pk=pk, layer=ToolVersion.Layer.OVERLAY)
    try:
        undo_edit(tool, version, request.user)
        messages.success(request, f"Undone: {cleaned(tool.name)} is as it was.")
    except EditedMeanwhileError as error:
        by = error.newest.by or "somebody"
        messages.error(request, f"Nothing was undone: {by} edited {cleaned(tool.name)} since. Its history has both.")
    if request.htmx.target != "detail":
        return redirect(_after(request, tool))
    return _in_place(request, tool)


@require_POST
@needs(Role.CURATOR)
def tool_looked_at(request: Request, server: str, name: str) -> HttpResponse:
    """A person has looked at what is suspicious, just as it stood on the page."""
    tool = get_object_or_404(Tool.objects.select_related("server"), server__slug=server, name=name)
    if request.POST.get("upstream_hash") != tool.upstream_hash:
        messages.error(request, "The tool was changed since you looked at it. Look again.")
    else:
        with audited(Act.SUSPICION_LOOKED_AT, tool):
            tool.suspicions_seen_at = timezone.now()
            tool.save(update_fields=["suspicions_seen_at", "updated_at"])
        messages.success(request, f"{cleaned(tool.name)} can be found again. What you looked at stays marked.")
    return redirect(tool)


@require_POST
@needs(Role.CURATOR)
def tool_revert(request: Request, server: str, name: str) -> HttpResponse:
    """Have a version of the history be in force again; that is a new version, so nothing is lost."""
    tool = get_object_or_404(Tool.objects.select_related("server"), server__slug=server, name=name)
    version = get_object_or_404(tool.versions, pk=request.POST.get("version", 0))
    with audited(Act.TOOL_REVERTED, tool):
        if version.layer == ToolVersion.Layer.OVERLAY:
            restore_overlay(tool, version, request.user)
        else:
            restore_definition(tool, version.content, request.user)
    messages.success(request, f"{cleaned(tool.name)} is as it was on {version.at:%d %B %Y, %H:%M}.")
    return redirect(tool)


def _saved(tool: Tool, form: ToolForm, by: User, held: Held | None, reason: str) -> ToolVersion:
    """Raises EditedMeanwhileError."""
    with transaction.atomic():
        made = change_overlay(tool, form.overlay, form.cleaned_data["began_from"] or 0, by)
        if held:
            held.tell(tool, reason, by)
    return made


def _compared(tool: Tool, form: VersionsForm) -> Comparison | None:
    """The two versions that the address names."""
    return compared(tool, form.cleaned_data["since"], form.cleaned_data["until"]) if form.is_valid() else None


def _form_page(request: Request, tool: Tool, form: ToolForm, **context: Any) -> HttpResponse:
    """The form in the rail where htmx shows it there, else as a page."""
    if request.htmx.target == "detail":
        shown = detail_of(_as_saved(tool), request) | {"overlay": form, "form": form}
        return render(request, "catalog/_tool_detail.html", shown | context)
    shown = {"form": form, "overlay": form, "tool": tool, "next": return_address(request)} | context
    return render(request, "catalog/tool_form.html", shown, status=409 if context else 200)


def _both(request: Request, tool: Tool, form: ToolForm, newest: ToolVersion) -> HttpResponse:
    """The form as the person filled it in, which may now be saved over the newer edit, and beside it what that one says."""
    theirs = _as_saved(tool).overlay()
    differing = [(name, theirs[name], value) for name, value in form.overlay.items() if theirs[name] != value]
    again = request.POST.copy()
    again["began_from"] = str(newest.pk)
    form.data = again
    return _form_page(request, tool, form, newest=newest, differing=differing)


def _as_saved(tool: Tool) -> Tool:
    """The tool as it stands in the database, whatever a form made of it."""
    return Tool.objects.select_related("server").get(pk=tool.pk)


def _in_place(request: Request, tool: Tool) -> HttpResponse:
    """The rail with the tool as it is now, its row of the list, the counts of the facets, and what there is to say; the
    address without the form."""
    shown = detail_of(_as_saved(tool), request) | {"list": list_at(QueryDict(list_query(request)))}
    shown["tokens"] = {tool.pk: shown["tool_tokens"]}
    answer = render(request, "catalog/_tool_saved.html", shown)
    answer["HX-Push-Url"] = _after(request, tool)
    return answer


def _after(request: Request, tool: Tool) -> str:
    """Where to go on: to the list with the tool beside it, if that is where the form was, to the page that led to it, or to the
    tool's own."""
    if "list" not in request.POST:
        return return_address(request) or tool.get_absolute_url()
    query = QueryDict(list_query(request), mutable=True)
    query["tool"] = str(tool)
    return f"{reverse('tools')}?{query.urlencode(safe='/')}"
