"""An import, from reading to the preview to applying. Its page shows progress, the plan, and what was refused."""

from functools import partial

from django.contrib import messages
from django.core.files.uploadedfile import UploadedFile
from django.core.paginator import Paginator
from django.db import transaction
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_POST
from django.views.decorators.vary import vary_on_headers
from django_htmx.http import HttpResponseClientRedirect

from catalog import background
from catalog.auditing.recording import Act, record
from catalog.forms.servers import UploadForm
from catalog.import_preview import preview
from catalog.importing import ImportRefused, apply, claim
from catalog.models import Import, Server, Tool
from catalog.planning import Plan
from catalog.progress import Progress, progress_of
from catalog.reading import carry_out, read_file, read_live
from catalog.requests import Request
from catalog.roles import Role, needs
from catalog.staging import drop_staged
from catalog.views.gating import let_through
from catalog.whatif.gate import held_act

ROWS_A_PAGE = 50


def begin_reading(request: Request, server: Server) -> Import:
    """Start asking a server for its tools; the page of the import that is returned tells how it goes."""
    importation = _begin(request, server, "the server itself")
    background.submit_for_page(partial(read_live, importation))
    return importation


def begin_upload(request: Request, server: Server, given: UploadedFile[bytes] | str) -> Import:
    """Start reading a file, or a text that was pasted."""
    source = "what was pasted" if isinstance(given, str) else given.name or "a file"
    content = given.encode() if isinstance(given, str) else given.read()
    importation = _begin(request, server, source)
    background.submit_for_page(partial(read_file, importation, content))
    return importation


@transaction.atomic
def _begin(request: Request, server: Server, source: str) -> Import:
    importation = Import.objects.create(server=server, by=request.user, source=source)
    record(Act.IMPORT_READ, server, after={"import": importation.pk, "source": source})
    return importation


@require_POST
@needs(Role.CURATOR)
def import_read(request: Request, slug: str) -> HttpResponse:
    return redirect(begin_reading(request, get_object_or_404(Server, slug=slug)))


@require_POST
@needs(Role.CURATOR)
def import_upload(request: Request, slug: str) -> HttpResponse:
    server = get_object_or_404(Server, slug=slug)
    form = UploadForm(request.POST, request.FILES)
    if not form.is_valid():
        messages.error(request, "Choose a file first.")
        return redirect(server)
    return redirect(begin_upload(request, server, form.cleaned_data["file"]))


@require_GET
@vary_on_headers("HX-Target")
def import_page(request: Request, slug: str, pk: int) -> HttpResponse:
    """The page, or its moving part alone for htmx, which asks again while the import moves; before it, the choice."""
    importation = get_object_or_404(Import.objects.select_related("server"), pk=pk, server__slug=slug)
    plan = Plan.of(importation.plan)
    rows = Paginator(preview(importation, plan), ROWS_A_PAGE).get_page(request.GET.get("page"))
    context = {
        "importation": importation,
        "server": importation.server,
        "plan": plan,
        "rows": rows,
        "drifted": Tool.objects.filter(server=importation.server).drifted().count(),
        "suspicious": Tool.objects.here().filter(server=importation.server).suspicious().count(),
        "progress": progress_of(importation) or Progress(importation.step, importation.done),
        "catalogs": importation.server.in_catalogs.select_related("catalog"),
        "unapproved": Server.objects.unapproved(),
    }
    if importation.state == Import.State.CHOOSING:
        onward = reverse("operations", args=[slug])
        return HttpResponseClientRedirect(onward) if request.htmx.target == "import" else redirect(onward)
    template = "catalog/_import.html" if request.htmx.target == "import" else "catalog/import.html"
    return render(request, template, context)


@require_POST
@needs(Role.CURATOR)
def import_apply(request: Request, slug: str, pk: int) -> HttpResponse:
    importation = get_object_or_404(Import, pk=pk, server__slug=slug)
    try:
        held = held_act(lambda: _try(request, pk), request.user)
        return let_through(request, lambda: _applied(request, importation), held)
    except ImportRefused as error:
        messages.error(request, str(error))
    return redirect(importation)


def _applied(request: Request, importation: Import) -> HttpResponse:
    """Raises ImportRefused."""
    claim(importation)
    background.submit_for_page(partial(carry_out, importation, request.user, request.POST.getlist("accept")))
    return redirect(importation)


def _try(request: Request, pk: int) -> None:
    """Raises ImportRefused."""
    importation = Import.objects.get(pk=pk)
    claim(importation)
    apply(importation, request.user, request.POST.getlist("accept"))


@require_POST
@needs(Role.CURATOR)
@transaction.atomic
def import_discard(request: Request, slug: str, pk: int) -> HttpResponse:
    """Drop a plan, or stop before there is one; the server stays as it was."""
    droppable = [Import.State.PLANNED, Import.State.READING]
    found = Import.objects.filter(pk=pk, server__slug=slug, state__in=droppable)
    if found.update(state=Import.State.DISCARDED):
        drop_staged(Import(pk=pk))
        record(Act.IMPORT_DISCARDED, Server.objects.get(slug=slug), before={"import": pk})
        messages.success(request, "The import was discarded. Nothing was changed.")
    else:
        messages.error(request, "It is too late to discard it: it was applied, or discarded already.")
    return redirect("server", slug)
