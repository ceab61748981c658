"""Tools: the list with its filters, one tool with its history, and the form of its overlay."""

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_GET, require_http_methods
from django.views.decorators.vary import vary_on_headers

from catalog.editing import save_overlay
from catalog.forms.tools import ToolFilterForm, ToolForm
from catalog.history import edits_of, history_of
from catalog.invisible import cleaned
from catalog.models import Tool
from catalog.models.tool import ToolQuerySet
from catalog.placement import places_of
from catalog.requests import Request
from catalog.roles import Role, needs

TOOLS_A_PAGE = 50
VERSIONS_SHOWN = 20


@require_GET
@vary_on_headers("HX-Target")
def tool_list(request: Request) -> HttpResponse:
    """The page, or its results alone where htmx replaces them."""
    form = ToolFilterForm(request.GET)
    found = _filtered(form) if form.is_valid() else Tool.objects.none()
    page = Paginator(found.prefetch_related("server").defer("parameters"), TOOLS_A_PAGE).get_page(
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
        "places": places_of(tool),
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


def _filtered(form: ToolFilterForm) -> ToolQuerySet:
    tools: ToolQuerySet = Tool.objects.all()
    match form.cleaned_data["state"]:
        case "":
            tools = tools.here()
        case "edited":
            tools = tools.edited()
        case "gone":
            tools = tools.exclude(gone_at=None)
    if server := form.cleaned_data["server"]:
        tools = tools.filter(server=server)
    return tools.matching(form.cleaned_data["q"])
