"""A configuration of MCP servers: bringing one, choosing of it, and taking the servers here out as one."""

from django.contrib import messages
from django.http import HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from catalog.auditing.recording import Act, record
from catalog.configurations import add, keep, kept
from catalog.forms.configurations import ConfigurationForm, FoundServersForm
from catalog.models import Configuration, Server
from catalog.requests import Request
from catalog.roles import Role, needs
from catalog.writing.configurations import mcp_servers_of


@require_http_methods(["GET", "POST"])
@needs(Role.CURATOR)
def configuration_add(request: Request) -> HttpResponse:
    form = ConfigurationForm(request.POST, request.FILES) if request.method == "POST" else ConfigurationForm()
    if form.is_valid():
        return redirect(keep(form.found, form.source, request.user))
    return render(request, "catalog/configuration_add.html", {"form": form, "kind": "configuration"})


@require_http_methods(["GET", "POST"])
@needs(Role.CURATOR)
def configuration(request: Request, pk: int) -> HttpResponse:
    """The servers found, to be ticked and named; only for the person who brought them."""
    row = get_object_or_404(Configuration, pk=pk, by=request.user)
    found = kept(row)
    form = FoundServersForm(found, request.POST if request.method == "POST" else None)
    if form.is_valid():
        added = add(form.chosen)
        row.delete()
        names = ", ".join(server.title for server in added)
        messages.success(
            request, f"Added: {names}. Nothing was started or reached: an admin approves each on its page."
        )
        return redirect(added[0] if len(added) == 1 else "servers")
    return render(request, "catalog/configuration.html", {"configuration": row, "found": found, "form": form})


@require_POST
@needs(Role.CURATOR)
def configuration_discard(request: Request, pk: int) -> HttpResponse:
    get_object_or_404(Configuration, pk=pk, by=request.user).delete()
    messages.success(request, "The configuration was discarded. Nothing was added.")
    return redirect("configuration_add")


@require_GET
def configuration_export(request: Request) -> HttpResponse:
    """The MCP servers here as `mcpServers`: variables and headers by name, their values empty."""
    servers = Server.objects.filter(kind=Server.Kind.MCP, enabled=True).order_by("slug")
    record(Act.EXPORTED, "MCP servers", after={"as": "mcpServers"})
    response = JsonResponse(mcp_servers_of(servers), json_dumps_params={"indent": 2, "ensure_ascii": False})
    response["Content-Disposition"] = 'attachment; filename="mcp-servers.json"'
    return response
