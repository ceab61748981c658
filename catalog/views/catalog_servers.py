"""Which servers a catalog has, and which tools of each: one form for all, a tick list for one, both with a live preview."""

from collections import Counter

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods
from django.views.decorators.vary import vary_on_headers

from catalog.auditing.recording import Act, audited
from catalog.forms.catalogs import CatalogServerForm, FiltersForm, in_words
from catalog.forms.picking import PickForm
from catalog.forms.versions import FIELD, Stale, stale_since, version_of
from catalog.forms.what_if import shape_address
from catalog.indexing import exposure_of
from catalog.locking import in_one_transaction, row_to_save
from catalog.models import Catalog, CatalogServer, Server
from catalog.previewing import preview_filters
from catalog.publishing.standing import standing_of
from catalog.requests import Request
from catalog.roles import Role, needs
from catalog.shaping import filter_of, place_server
from catalog.views.gating import gated
from catalog.whatif.shapes import shape_of

Row = tuple[Server, CatalogServerForm, int]


@require_http_methods(["GET", "POST"])
@needs(Role.CURATOR)
@vary_on_headers("HX-Target")
@gated
@in_one_transaction
def catalog_servers(request: Request, slug: str) -> HttpResponse:
    """Every server with its place in the catalog, saved together; `action=preview` saves nothing."""
    catalog = row_to_save(request, Catalog.objects.with_parts(), slug=slug)
    let_in = Counter(tool.server for tool in exposure_of(catalog).pool)
    mine = {row.server_id: row for row in catalog.servers.all()}
    servers = sorted(Server.objects.with_tool_counts(), key=lambda one: (one.pk not in mine, one.title.casefold()))
    rows = [(server, _server_form(request, server, mine.get(server.pk)), let_in[server.slug]) for server in servers]
    verdicts = [form.is_valid() for _, form, _ in rows]
    is_valid = all(verdicts)
    is_preview = request.POST.get("action") == "preview"
    whole = FiltersForm(request.POST or None, catalog, [(server, form) for server, form, _ in rows])
    whole.is_trial = is_preview
    if is_valid and not is_preview and whole.is_valid():
        return redirect(_saved(catalog, rows))
    preview = preview_filters(catalog, _rows(catalog, rows)) if request.method == "POST" and is_valid else None
    refused = [(server, _first_of(form)) for server, form, _ in rows if request.method == "POST" and form.errors]
    context = {"catalog": catalog, "rows": rows, "form": whole, "preview": preview, "refused": refused}
    context["is_refused"] = is_preview and not is_valid
    context["address"] = shape_address(catalog, shape_of(_rows(catalog, rows))) if preview else None
    is_partial = request.htmx.target == "preview"
    context |= {} if is_partial else {"standing": standing_of(catalog)}
    template = "_shaping_preview" if is_partial else "catalog_servers"
    return render(request, f"catalog/{template}.html", context, status=whole.status)


def _first_of(form: CatalogServerForm) -> str:
    """What is wrong first."""
    return next(str(error) for errors in form.errors.values() for error in errors)


def _saved(catalog: Catalog, rows: list[Row]) -> Catalog:
    with audited(Act.CATALOG_SHAPED, catalog):
        for server, form, _ in rows:
            place_server(catalog, server, form.cleaned_data["choice"], form.names)
    return catalog


@require_http_methods(["GET", "POST"])
@needs(Role.CURATOR)
@vary_on_headers("HX-Target")
@gated
@in_one_transaction
def catalog_pick(request: Request, slug: str, server: str) -> HttpResponse:
    """Tools of one server, ticked in a list that can be searched. Nothing is saved but by `action=save`."""
    catalog = row_to_save(request, Catalog.objects.with_parts(), slug=slug)
    place = get_object_or_404(Server, slug=server)
    row = catalog.servers.filter(server=place).first()
    form = PickForm(place, row.picked if row else [], request.POST)
    preview, address, problem = None, None, ""
    if form.action and form.action != "find":
        if form.picked:
            tried = _with(catalog, place, form.picked)
            preview, address = preview_filters(catalog, tried), shape_address(catalog, shape_of(tried))
        else:
            problem = "Pick at least one tool: a list without any would let none in. To do so, take the server out."
    stale = _stale_picks(request, catalog, row, form) if form.action == "save" else None
    if form.action == "save" and not problem and not stale:
        with audited(Act.CATALOG_SHAPED, catalog):
            place_server(catalog, place, "picked", form.picked)
        messages.success(request, f"{len(form.picked):,} tools of {place.title} are picked for {catalog.title}.")
        return redirect("catalog_servers", catalog.slug)
    began = request.POST.get(FIELD, "") if form.action and not stale else version_of(_filter_now(row), catalog)
    context = {"catalog": catalog, "server": place, "form": form, "preview": preview, "problem": problem}
    context |= {"stale": stale, "version": began, "address": address}
    partials = {"preview": "catalog/_shaping_preview.html", "picks": "catalog/_picks.html"}
    template = partials.get(request.htmx.target or "", "catalog/catalog_pick.html")
    return render(request, template, context, status=409 if stale else 200)


def _stale_picks(request: Request, catalog: Catalog, row: CatalogServer | None, form: PickForm) -> Stale | None:
    now = _filter_now(row)
    differing = [("Its tools", now["says"], in_words("picked", [], form.picked))]
    return stale_since(request.POST.get(FIELD, ""), now, catalog, lambda: differing)


def _filter_now(row: CatalogServer | None) -> dict[str, str]:
    """The filter of a server as it stands, in words."""
    return {"says": in_words(row.choice, row.patterns, row.picked) if row else in_words("none", [], [])}


def _rows(catalog: Catalog, rows: list[Row]) -> list[CatalogServer]:
    """In the order in which saving would leave them: those that are in the catalog stay in their places."""
    forms = {server.pk: (server, form) for server, form, _ in rows}
    old = [row.server_id for row in catalog.servers.all()]
    order = [*old, *(pk for pk in forms if pk not in old)]
    chosen = [forms[pk] for pk in order if forms[pk][1].cleaned_data["choice"] != "none"]
    return [_row(catalog, s, f.cleaned_data["choice"], f.names) for s, f in chosen]


def _with(catalog: Catalog, server: Server, picked: list[str]) -> list[CatalogServer]:
    """The rows of the catalog, with these tools of one server."""
    mine = _row(catalog, server, "picked", picked)
    rows = [mine if row.server_id == server.pk else row for row in catalog.servers.all()]
    return rows if mine in rows else [*rows, mine]


def _row(catalog: Catalog, server: Server, choice: str, names: list[str]) -> CatalogServer:
    return CatalogServer(catalog=catalog, server=server, **filter_of(choice, names))


def _server_form(request: Request, server: Server, row: CatalogServer | None) -> CatalogServerForm:
    initial = {"choice": "none", "patterns": [], "picked": []}
    initial |= {"choice": row.choice, "patterns": row.patterns, "picked": row.picked} if row else {}
    return CatalogServerForm(request.POST or None, prefix=server.slug, initial=initial)
