"""The tools page: rails of servers and facets, the list, and the tool that its address names; and views that people save."""

from collections.abc import Iterator
from typing import Any

from asgiref.sync import sync_to_async
from django.contrib import messages
from django.http import Http404, HttpResponse, StreamingHttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_POST
from django.views.decorators.vary import vary_on_headers

from catalog.auditing.recording import Act, record
from catalog.bulk_acts import ACTS
from catalog.forms.tools import SavedViewForm, ToolFilterForm
from catalog.models import SavedView, Tool
from catalog.requests import Request
from catalog.roles import Role, role_of
from catalog.sources.writing import FORMATS
from catalog.streaming import streamed
from catalog.token_counts import count_tokens, tokens_as_kept
from catalog.tool_lists import ToolList
from catalog.views.tool_details import detail_of, list_at, list_query, tool_at
from catalog.writing.tools import written_tools


@require_GET
@vary_on_headers("HX-Target")
def tool_list(request: Request) -> HttpResponse:
    """The page, or where htmx replaces a part, the list with its facets alone, or the tool alone."""
    if request.htmx.target == "detail":
        return render(request, "catalog/_tool_detail.html", _detail(request))
    context = _listed(request)
    if request.htmx.target == "results":
        return render(request, "catalog/_tools.html", context | {"in_place": True})
    return render(request, "catalog/tools.html", context | _detail(request) | _views(request))


@require_GET
async def tool_export(request: Request, kind: str) -> StreamingHttpResponse:
    """The tools of the same filters as a file, in one of the formats of `writing.FORMATS`, sent as they are read."""
    pieces = await sync_to_async(_written)(request, kind)
    response = StreamingHttpResponse(streamed(pieces), content_type=f"{FORMATS[kind].content_type}; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{FORMATS[kind].file_name}"'
    return response


@require_POST
def view_save(request: Request) -> HttpResponse:
    """Keep an address of the tools page under a name; a name that the person has already is given the new address."""
    form = SavedViewForm(request.POST)
    if form.is_valid():
        SavedView.objects.update_or_create(
            by=request.user, name=form.cleaned_data["name"], defaults={"query": form.cleaned_data["query"]}
        )
        messages.success(request, f"The view “{form.cleaned_data['name']}” was saved for you.")
    else:
        messages.error(request, "A view needs a name of at most 60 characters.")
    return redirect(f"{reverse('tools')}?{request.POST.get('query', '')}")


@require_POST
def view_delete(request: Request, pk: int) -> HttpResponse:
    view = get_object_or_404(SavedView, pk=pk, by=request.user)
    view.delete()
    messages.success(request, f"The view “{view.name}” was deleted.")
    return redirect("tools")


def _written(request: Request, kind: str) -> Iterator[str]:
    tools = list_at(request.GET)
    if kind not in FORMATS or tools is None:
        raise Http404(kind)
    record(Act.EXPORTED, "tools", after={"as": kind, "filters": request.GET.urlencode()})
    return written_tools(tools.tools, kind)


def _listed(request: Request) -> dict[str, Any]:
    form = ToolFilterForm(request.GET)
    context: dict[str, Any] = {"form": form, "all_tools": Tool.objects.here().count()}
    if not form.is_valid():
        return context
    sort = form.cleaned_data["sort"]
    waiting = count_tokens() if "tokens" in sort else 0
    tools = ToolList(form.cleaned_data["q"], form.chosen, sort, request.GET)
    page = tools.pages.get_page(request.GET.get("page"))
    return context | {
        "list": tools,
        "of_all": Tool.objects.count() if tools.chosen.with_gone else context["all_tools"],
        "page": page,
        "tokens": tokens_as_kept(page.object_list),
        "uncounted": waiting,
        "query": tools.address(tool=""),
        "acts": ACTS,
        "formats": FORMATS,
    }


def _detail(request: Request) -> dict[str, Any]:
    """What is told of the tool that the address names; `edit` in the address opens its form to those who may fill it in."""
    key = request.GET.get("tool", "")
    tool = tool_at(key)
    if tool is None:
        return {"unknown_tool": key, "list_query": list_query(request)}
    is_edited = "edit" in request.GET and role_of(request.user) >= Role.CURATOR
    return detail_of(tool, request, is_edited=is_edited)


def _views(request: Request) -> dict[str, Any]:
    return {"views": SavedView.objects.filter(by=request.user)}
