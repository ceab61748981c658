"""An output of a run that was too large for its prompt, whole."""

from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_GET

from catalog.requests import Request
from playground.agent.large_outputs.files import UnfitNameError, UnreadableError
from playground.agent.large_outputs.reading import first_bytes
from playground.models import Run
from playground.runs.kept_outputs import files_of

MOST_SHOWN = 2 << 20
"""Bytes that a page shows."""


@require_GET
def run_output(request: Request, run_id: UUID, file: str) -> HttpResponse:
    """The page; where the file is gone, it says so."""
    run = get_object_or_404(Run, pk=run_id)
    try:
        text = files_of(run.pk).read(file).decode()
    except (UnfitNameError, UnreadableError):
        return render(request, "playground/output.html", {"run": run, "file": file}, status=404)
    shown = first_bytes(text, MOST_SHOWN)
    context = {"run": run, "file": file, "text": shown, "size": len(text.encode()), "is_cut": shown != text}
    return render(request, "playground/output.html", context)
