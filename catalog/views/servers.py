"""Servers: the list, one server, adding, editing, approving, switching off, deleting."""

from functools import partial

from django.conf import settings
from django.contrib import messages
from django.db import transaction
from django.db.models.functions import Lower
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_GET, require_http_methods, require_POST
from django.views.decorators.vary import vary_on_headers

from catalog import background
from catalog.auditing.recording import Act, audited
from catalog.connections import command_of
from catalog.contacting import begin_test, carry_out_test
from catalog.finding_pages import findings_of
from catalog.forms.any_server import ServerForm
from catalog.forms.openapi import OpenApiAddForm
from catalog.forms.server_edits import edit_form
from catalog.forms.servers import SERVER_FORMS, UploadForm
from catalog.health import health_of, with_last_contacts
from catalog.locking import in_one_transaction, row_to_save
from catalog.models import ApiDocument, Drift, Introduction, Server, ServerSignIn
from catalog.naming import meetings
from catalog.requests import Request
from catalog.roles import Role, needs
from catalog.samples import sample_slugs
from catalog.sessions.current import close_soon, review_soon, standing
from catalog.sources.addresses import address_warnings
from catalog.sources.writing import FORMATS
from catalog.spawning import command_warnings, resolved, sandbox_in_use
from catalog.switching import drop_server, switch_server, why_kept
from catalog.views.imports import begin_reading, begin_upload

TOOLS_SHOWN = 50
ADD_FORMS: dict[str, type[ServerForm]] = {**SERVER_FORMS, "openapi": OpenApiAddForm}


@require_GET
def server_list(request: Request) -> HttpResponse:
    """Those that people connected first, then the sample."""
    counted = Server.objects.with_tool_counts().select_related("app").order_by(Lower("title"), "pk")
    servers = list(with_last_contacts(counted))
    context = {
        "own": [server for server in servers if server.slug not in sample_slugs()],
        "sample": [server for server in servers if server.slug in sample_slugs()],
        "has_mcp": any(server.kind == Server.Kind.MCP and server.enabled for server in servers),
        "drifted": Drift.objects.waiting().count(),
    }
    return render(request, "catalog/servers.html", context)


@require_GET
@needs(Role.CURATOR)
def server_ways(request: Request) -> HttpResponse:
    return render(request, "catalog/server_ways.html")


@require_http_methods(["GET", "POST"])
@needs(Role.CURATOR)
def server_add(request: Request, kind: str) -> HttpResponse:
    """A form a kind: `file`, `skills`, `command`, `address`, `openapi`."""
    if kind not in ADD_FORMS:
        raise Http404(kind)
    form = ADD_FORMS[kind](request.POST or None, request.FILES or None)
    if request.method == "POST" and form.is_valid():
        with audited(Act.SERVER_ADDED, form.instance):
            server = form.save()
        if given := form.cleaned_data.get("file") or form.cleaned_data.get("text"):
            return redirect(begin_upload(request, server, given))
        messages.success(request, f"{server.title} was added. Nothing was started or reached yet.")
        return redirect(server)
    return render(request, "catalog/server_form.html", {"form": form, "kind": kind, "server": None})


@require_GET
@vary_on_headers("HX-Target")
def server_page(request: Request, slug: str) -> HttpResponse:
    """The page, or its health alone for htmx, which asks again while the connection is tested."""
    server = get_object_or_404(Server.objects.with_tool_counts().select_related("app"), slug=slug)
    context = {
        "server": server,
        "tools": server.tools.here().defer("files")[:TOOLS_SHOWN],
        "gone": server.tools.exclude(gone_at=None).defer("files")[:TOOLS_SHOWN],
        "imports": server.imports.defer("plan", "problems", "suspicions")[:10],
        "catalogs": server.in_catalogs.select_related("catalog"),
        "upload": UploadForm(),
        "formats": FORMATS,
        "document": ApiDocument.objects.filter(server=server).first(),
        "drifted": server.tools.here().drifted().count(),
        "findings": findings_of(server, None).open().count(),
        "standing": standing(server),
        "health": health_of(server),
        "sign_in": ServerSignIn.objects.select_related("by").filter(server=server).first(),
        "introduction": Introduction.objects.filter(server=server).first(),
        **_facts(server),
    }
    template = "catalog/_server_health.html" if request.htmx.target == "health" else "catalog/server.html"
    return render(request, template, context)


@require_http_methods(["GET", "POST"])
@needs(Role.CURATOR)
@in_one_transaction
def server_edit(request: Request, slug: str) -> HttpResponse:
    server = row_to_save(request, Server.objects.all(), slug=slug)
    form = edit_form(server)(request.POST or None, instance=server)
    if request.method == "POST" and form.is_valid():
        with audited(Act.SERVER_EDITED, server):
            saved = form.save()
        transaction.on_commit(review_soon)
        return redirect(saved)
    server = get_object_or_404(Server, slug=slug)
    rules = {str(value): str(words) for value, words in form.fields["name_rule"].choices}  # type: ignore[attr-defined]
    context = {"form": form, "kind": server.kind, "server": server, "meetings": meetings(server, rules)}
    return render(request, "catalog/server_form.html", context, status=form.status)


@require_POST
@needs(Role.ADMIN)
@in_one_transaction
def server_approve(request: Request, slug: str) -> HttpResponse:
    """Approve exactly what the page showed, and read the tools. What has changed since is not approved."""
    server = row_to_save(request, Server.objects.all(), slug=slug)
    if request.POST.get("config_hash") != server.config_hash:
        messages.error(request, "The server was changed since you looked at it. Look again, then approve.")
        return redirect(server)
    with audited(Act.SERVER_APPROVED, server):
        server.approve(by=request.user, at=timezone.now())
        server.save()
    if server.can_be_asked:
        return redirect(begin_reading(request, server))
    messages.success(request, f"{server.title} was approved as it stands. Its tools can be called.")
    return redirect(server)


@require_POST
@needs(Role.CURATOR)
def server_switch(request: Request, slug: str) -> HttpResponse:
    """Switch a server on or off: off, none of its tools is discoverable in any catalog."""
    server = get_object_or_404(Server, slug=slug)
    switch_server(server, not server.enabled)
    messages.success(request, f"{server.title} is now switched {'on' if server.enabled else 'off'}.")
    return redirect(server)


@require_POST
@needs(Role.CURATOR)
def server_delete(request: Request, slug: str) -> HttpResponse:
    server = get_object_or_404(Server, slug=slug)
    if kept := why_kept(server):
        messages.error(request, kept)
        return redirect(server)
    drop_server(server)
    messages.success(request, f"{server.title} and its tools were deleted.")
    return redirect("servers")


@require_POST
@needs(Role.CURATOR)
def server_session_close(request: Request, slug: str) -> HttpResponse:
    """Close the server's sessions; calls under way may end, and the next call opens another."""
    server = get_object_or_404(Server, slug=slug)
    close_soon(server)
    messages.success(request, f"The session with {server.title} is being closed. The next call opens another.")
    return redirect(server)


@require_POST
@needs(Role.CURATOR)
def server_test(request: Request, slug: str) -> HttpResponse:
    """Test the connection; the page tells how it goes. Nothing is read or imported."""
    server = get_object_or_404(Server, slug=slug)
    if not (server.speaks_mcp and server.is_approved):
        messages.error(request, "Only an MCP server that an admin approved as it stands can be tested.")
    elif contact := begin_test(server):
        background.submit(partial(carry_out_test, contact))
    return redirect(f"{server.get_absolute_url()}#health")


def _facts(server: Server) -> dict[str, object]:
    """What an admin should see of a command, or of where calls are sent, before approving it."""
    if server.transport == Server.Transport.CALLBACK:
        return {"warnings": address_warnings(server.url)}
    if server.transport != Server.Transport.STDIO:
        return {}
    command = command_of(server)
    return {
        "resolved": resolved(command),
        "warnings": command_warnings(command),
        "sandbox": sandbox_in_use(settings.PEGBOARD_SANDBOX),
    }
