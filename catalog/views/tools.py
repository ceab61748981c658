"""Tools: the list with its filters, one tool with its history, and the form of its overlay."""

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_GET, require_http_methods, require_POST
from django.views.decorators.vary import vary_on_headers

from catalog.drifting import restore_definition
from catalog.editing import restore_overlay, save_overlay
from catalog.finding_pages import for_pages
from catalog.forms.tools import ToolFilterForm, ToolForm, VersionsForm
from catalog.history import Comparison, compared, edits_of, history_of
from catalog.invisible import cleaned
from catalog.models import Finding, Tool, ToolVersion
from catalog.models.tool import ToolQuerySet
from catalog.placement import places_of
from catalog.requests import Request
from catalog.roles import Role, needs
from catalog.sources.skills import texts_of

TOOLS_A_PAGE = 50
VERSIONS_SHOWN = 20


@require_GET
@vary_on_headers("HX-Target")
def tool_list(request: Request) -> HttpResponse:
    """The page, or its results alone where htmx replaces them."""
    form = ToolFilterForm(request.GET)
    found = _filtered(form) if form.is_valid() else Tool.objects.none()
    page = Paginator(found.prefetch_related("server").defer("parameters", "files"), TOOLS_A_PAGE).get_page(
        request.GET.get("page")
    )
    template = "catalog/_tools.html" if request.htmx.target == "results" else "catalog/tools.html"
    return render(request, template, {"form": form, "page": page, "all_tools": Tool.objects.here().count()})


@require_GET
def tool_page(request: Request, server: str, name: str) -> HttpResponse:
    tool = get_object_or_404(Tool.objects.select_related("server"), server__slug=server, name=name)
    context = {
        "tool": tool,
        "spec": tool.to_spec(),
        "edits": edits_of(tool),
        "history": history_of(tool, VERSIONS_SHOWN),
        "comparison": _compared(tool, VersionsForm(request.GET)),
        "drift": tool.drifts.waiting().first(),
        "places": places_of(tool),
        "findings": for_pages(Finding.objects.here().about([tool.pk])),
        "texts": list(texts_of(tool.files)),
    }
    return render(request, "catalog/tool.html", context)


@require_http_methods(["GET", "POST"])
@needs(Role.CURATOR)
def tool_edit(request: Request, server: str, name: str) -> HttpResponse:
    tool = get_object_or_404(Tool.objects.select_related("server"), server__slug=server, name=name)
    form = ToolForm(request.POST or None, instance=tool)
    if request.method == "POST" and form.is_valid():
        save_overlay(form.instance, by=request.user)
        messages.success(request, f"{cleaned(tool.name)} was saved. The next search reads it so.")
        return redirect(tool)
    return render(request, "catalog/tool_form.html", {"form": form, "tool": tool})


@require_POST
@needs(Role.CURATOR)
def tool_looked_at(request: Request, server: str, name: str) -> HttpResponse:
    """A person has looked at what is suspicious, just as it stood on the page."""
    tool = get_object_or_404(Tool.objects.select_related("server"), server__slug=server, name=name)
    if request.POST.get("upstream_hash") != tool.upstream_hash:
        messages.error(request, "The tool was changed since you looked at it. Look again.")
    else:
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
    if version.layer == ToolVersion.Layer.OVERLAY:
        restore_overlay(tool, version, request.user)
    else:
        restore_definition(tool, version.content, request.user)
    messages.success(request, f"{cleaned(tool.name)} is as it was on {version.at:%d %B %Y, %H:%M}.")
    return redirect(tool)


def _compared(tool: Tool, form: VersionsForm) -> Comparison | None:
    """The two versions that the address names."""
    return compared(tool, form.cleaned_data["since"], form.cleaned_data["until"]) if form.is_valid() else None


def _filtered(form: ToolFilterForm) -> ToolQuerySet:
    tools: ToolQuerySet = Tool.objects.all()
    match form.cleaned_data["state"]:
        case "":
            tools = tools.here()
        case "edited":
            tools = tools.edited()
        case "gone":
            tools = tools.exclude(gone_at=None)
        case "suspicious":
            tools = tools.here().suspicious()
        case "drifted":
            tools = tools.here().drifted()
    if server := form.cleaned_data["server"]:
        tools = tools.filter(server=server)
    if kind := form.cleaned_data["kind"]:
        tools = tools.filter(capability=kind)
    return tools.matching(form.cleaned_data["q"])
