"""Importing runs from elsewhere: what logs hold is shown first, then what is ticked is imported at once."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from catalog.requests import Request
from catalog.roles import Role, needs
from playground.foreign.formats import READERS
from playground.import_forms import KINDS, LogsForm, ThreadsForm
from playground.models import RunImport
from playground.runs.brought_logs import keep, kept, plan, reread
from playground.runs.importing import import_threads


@require_http_methods(["GET", "POST"])
@needs(Role.PRESENTER)
def run_import_add(request: Request) -> HttpResponse:
    """Logs, as files or text; read, without their secrets, they wait for what their person ticks."""
    form = LogsForm(request.POST, request.FILES) if request.method == "POST" else LogsForm()
    if form.is_valid():
        return redirect(keep(form.logs, request.user))
    titles = [reader.title for reader in READERS.values()]
    return render(request, "playground/run_import_add.html", {"form": form, "titles": titles})


@require_http_methods(["GET", "POST"])
@needs(Role.PRESENTER)
def run_import(request: Request, pk: int) -> HttpResponse:
    """The preview, for the person who brought the logs; `act` is reread, discard or, without one, import."""
    row = get_object_or_404(RunImport, pk=pk, by=request.user)
    act = request.POST.get("act", "")
    if act == "discard":
        row.delete()
        messages.success(request, "The logs were discarded. Nothing was imported.")
        return redirect("run_import_add")
    if act == "reread":
        kinds = [request.POST.get(f"kind-{number}", "") for number in range(len(row.logs))]
        reread(row, [kind if kind in READERS else "" for kind in kinds])
        return redirect(row)
    logs = plan(kept(row))
    form = ThreadsForm(logs, request.POST if request.method == "POST" else None)
    if form.is_valid():
        threads = import_threads(form.cleaned_data["threads"], request.user, form.cleaned_data["catalog"])
        row.delete()
        told = f"Imported: {threads[0].title}" if len(threads) == 1 else f"Imported: {len(threads):,} threads."
        messages.success(request, told)
        return redirect(threads[0]) if len(threads) == 1 else redirect(f"{reverse('runs')}?nested=imported")
    context = {
        "row": row,
        "logs": logs,
        "form": form,
        "kinds": KINDS,
        "threads": sum(len(log.threads) for log in logs),
        "redacted": sum(log.log.redacted for log in logs),
    }
    return render(request, "playground/run_import.html", context)
