"""A run written out for download: as JSON, as OpenTelemetry spans, as Markdown, as HTML that plays."""

import json
from typing import Any
from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_GET

from catalog.auditing.recording import Act, record
from catalog.requests import Request
from playground.exports.markdown import markdown
from playground.exports.run_json import redacted_events, run_document
from playground.exports.spans import Exported, spans_of
from playground.forms import ReplayForm
from playground.models import Run
from playground.presenting.deck import Shown
from playground.presenting.one_file import one_file
from playground.presenting.showing import deck_for
from playground.runs.assembling import redactor_of
from playground.runs.exchanges import exchanges_of
from playground.runs.history import history_of
from playground.runs.state import state_of
from playground.templatetags.run_text import dollars, log_title


@require_GET
def run_events(request: Request, run_id: UUID) -> HttpResponse:
    """The run, and each event as it is stored: what an import takes back exactly."""
    run = get_object_or_404(Run, pk=run_id)
    record(Act.EXPORTED, run, after={"as": "JSON"})
    return _download(f"run-{run.pk}.json", _json(run_document(run)), "application/json")


@require_GET
def run_spans(request: Request, run_id: UUID) -> HttpResponse:
    """OTLP, by the semantic conventions for GenAI."""
    run = get_object_or_404(Run, pk=run_id)
    record(Act.EXPORTED, run, after={"as": "spans"})
    title = redactor_of(run.pk).text(run.title)[:200]
    about = Exported(str(run.pk), str(run.thread_id), title, history_of(run))
    return _download(f"run-{run.pk}-spans.json", _json(spans_of(about, redacted_events(run))), "application/json")


@require_GET
def run_markdown(request: Request, run_id: UUID) -> HttpResponse:
    run = get_object_or_404(Run.objects.select_related("agent"), pk=run_id)
    record(Act.EXPORTED, run, after={"as": "Markdown"})
    state = state_of(redacted_events(run))
    about, summary = state.about, state.summary
    facts = {
        "Status": str(summary.status),
        "Begun": run.created_at.isoformat(timespec="seconds") if "at" not in about.unknown else "not in the log",
        "Catalog": about.catalog,
        "Version": about.version,
        "Mode": about.mode,
        "Engine": about.engine,
        "Model": about.model,
        "Turns": str(summary.turn or ""),
        "Tokens in": "" if summary.prompt_tokens is None else f"{summary.prompt_tokens:,}",
        "Cost": dollars(summary.cost) if summary.cost else "",
        "Imported from": f"{log_title(run.imported_from)}, {run.origin}" if run.imported_from else "",
    }
    told = {name: value for name, value in facts.items() if value}
    text = markdown(redactor_of(run.pk).text(run.title)[:200], told, state)
    return _download(f"run-{run.pk}.md", text, "text/markdown")


@require_GET
def run_requests(request: Request, run_id: UUID) -> HttpResponse:
    """What was sent to the model and what came back, of each turn or of `?turn=`."""
    run = get_object_or_404(Run, pk=run_id)
    record(Act.EXPORTED, run, after={"as": "requests"})
    form = ReplayForm(request.GET)
    kept = [one.as_json for one in exchanges_of(run.pk, form.asked_turn)]
    return _download(f"run-{run.pk}-requests.json", _json(kept), "application/json")


@require_GET
def run_html(request: Request, run_id: UUID) -> HttpResponse:
    """One file that plays by itself. `?texts=off` leaves arguments and results out, `?notes=on` takes the notes along."""
    run = get_object_or_404(Run, pk=run_id)
    record(Act.EXPORTED, run, after={"as": "HTML"})
    shown = Shown(texts=request.GET.get("texts") != "off", notes=request.GET.get("notes") == "on", nested=True)
    return _download(f"run-{run.pk}.html", one_file(deck_for(run, shown)), "text/html")


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, indent=1)


def _download(name: str, text: str, kind: str) -> HttpResponse:
    answer = HttpResponse(text, content_type=f"{kind}; charset=utf-8")
    answer["Content-Disposition"] = f'attachment; filename="{name}"'
    return answer
