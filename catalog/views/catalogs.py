"""Catalogs: the list, one catalog with what it exposes and why the rest is left out, and shaping it."""

from collections.abc import Callable, Sequence
from typing import Literal

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse, HttpResponseBadRequest
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_GET, require_http_methods, require_POST
from django.views.decorators.vary import vary_on_headers

from catalog.auditing.recording import Act, audited, record
from catalog.catalog_yaml.documents import document_of
from catalog.catalog_yaml.writing import text_of
from catalog.exposure import Exposure, LeftOut
from catalog.finding_pages import findings_of
from catalog.forms.catalogs import CatalogForm
from catalog.indexing import exposure_of
from catalog.locking import in_one_transaction, row_to_save
from catalog.models import Catalog, Tool
from catalog.platforms import PLATFORMS, on_platform, platform_of
from catalog.publishing.acts import publish_first
from catalog.publishing.standing import standing_of
from catalog.requests import Request
from catalog.roles import Role, needs
from catalog.shaping import exclude, include, move, show_upfront, withdraw
from catalog.tools import ToolSpec
from catalog.views.gating import gated

TOOLS_A_PAGE = 50
Part = Literal["upfront", "discoverable", "left-out"]
ACTIONS: dict[str, Callable[[Catalog, Tool], None]] = {
    "show": show_upfront,
    "withdraw": withdraw,
    "exclude": exclude,
    "include": include,
    "up": lambda catalog, tool: move(catalog, tool, -1),
    "down": lambda catalog, tool: move(catalog, tool, +1),
}


@require_GET
def catalog_list(request: Request) -> HttpResponse:
    catalogs = [(catalog, exposure_of(catalog), standing_of(catalog)) for catalog in Catalog.objects.with_parts()]
    return render(request, "catalog/catalogs.html", {"catalogs": catalogs})


@require_GET
@vary_on_headers("HX-Target")
def catalog_page(request: Request, slug: str) -> HttpResponse:
    """What the catalog exposes: `?part=` upfront, discoverable or left-out, `?q=` by words."""
    catalog = get_object_or_404(Catalog.objects.with_parts(), slug=slug)
    platform = platform_of(catalog.context_to_try)
    exposure = on_platform(exposure_of(catalog), platform)
    part = request.GET.get("part", "discoverable")
    query = request.GET.get("q", "")
    context = {
        "catalog": catalog,
        "exposure": exposure,
        "platform": PLATFORMS.get(platform, platform),
        "part": part,
        "query": query,
        "page": Paginator(_tools(exposure, part, query), TOOLS_A_PAGE).get_page(request.GET.get("page")),
        "servers": catalog.servers.all(),
        "findings": findings_of(None, catalog).open().count(),
        "standing": standing_of(catalog),
        "chosen": {str(row.tool) for row in catalog.pre_discovered.all()},
    }
    template = "catalog/_catalog_tools.html" if request.htmx.target == "tools" else "catalog/catalog.html"
    return render(request, template, context)


@require_http_methods(["GET", "POST"])
@needs(Role.CURATOR)
def catalog_add(request: Request) -> HttpResponse:
    form = CatalogForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        with audited(Act.CATALOG_ADDED, form.instance):
            catalog = form.save()
        publish_first(catalog, request.user)
        messages.success(request, f"{catalog.title} was made. Now say which servers are in it.")
        return redirect("catalog_servers", catalog.slug)
    return render(request, "catalog/catalog_form.html", {"form": form})


@require_http_methods(["GET", "POST"])
@needs(Role.CURATOR)
@gated
@in_one_transaction
def catalog_edit(request: Request, slug: str) -> HttpResponse:
    catalog = row_to_save(request, Catalog.objects.all(), slug=slug)
    form = CatalogForm(request.POST or None, instance=catalog)
    if request.method == "POST" and form.is_valid():
        with audited(Act.CATALOG_EDITED, catalog):
            saved = form.save()
        return redirect(saved)
    stands = Catalog.objects.get(slug=slug)
    context = {"form": form, "catalog": stands, "standing": standing_of(stands)}
    return render(request, "catalog/catalog_settings.html", context, status=form.status)


@require_GET
def catalog_yaml(request: Request, slug: str) -> HttpResponse:
    """The catalog as a file to keep; `?overlays=1` with what people say over its tools."""
    catalog = get_object_or_404(Catalog, slug=slug)
    record(Act.EXPORTED, catalog, after={"as": "YAML"})
    text = text_of(document_of(catalog, with_overlays=request.GET.get("overlays") == "1"))
    named = {"Content-Disposition": f'attachment; filename="{slug}.yaml"'}
    return HttpResponse(text, content_type="application/yaml; charset=utf-8", headers=named)


@require_POST
@needs(Role.CURATOR)
def catalog_delete(request: Request, slug: str) -> HttpResponse:
    catalog = get_object_or_404(Catalog, slug=slug)
    with audited(Act.CATALOG_DELETED, catalog):
        catalog.delete()
    messages.success(request, f"{catalog.title} was deleted. Its servers, tools and runs are kept.")
    return redirect("catalogs")


@require_POST
@needs(Role.CURATOR)
def catalog_tool(request: Request, slug: str) -> HttpResponse:
    """One change to one tool's place in the catalog: `action` is a key of ACTIONS, `tool` a key `server/name`."""
    catalog = get_object_or_404(Catalog, slug=slug)
    server, _, name = request.POST.get("tool", "").partition("/")
    action = ACTIONS.get(request.POST.get("action", ""))
    if action is None:
        return HttpResponseBadRequest("No such action.")
    tool = get_object_or_404(Tool, server__slug=server, name=name)
    with audited(Act.CATALOG_SHAPED, catalog):
        action(catalog, tool)
    return redirect(request.POST.get("next", "") if is_of(catalog, request.POST.get("next", "")) else catalog)


def is_of(catalog: Catalog, address: str) -> bool:
    """Whether an address to return to is one of this catalog's pages, and no other place."""
    return address.startswith(catalog.get_absolute_url())


def _tools(exposure: Exposure, part: str, query: str) -> Sequence[LeftOut] | Sequence[ToolSpec]:
    words = query.lower().split()
    if part == "left-out":
        return [out for out in exposure.left_out if _has(out.tool, words)] if words else exposure.left_out
    tools = exposure.pool.upfront if part == "upfront" else exposure.pool.deferred
    return [tool for tool in tools if _has(tool, words)] if words else tools


def _has(tool: ToolSpec, words: list[str]) -> bool:
    text = f"{tool.name} {tool.title} {tool.description}".lower()
    return all(word in text for word in words)
