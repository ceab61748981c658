"""What the views of a run's page show, each from the same state."""

from typing import Any

from django.utils.http import urlencode

from playground.forms import RUN_VIEWS, TRACE_PARTS, ReplayForm
from playground.models import Run
from playground.runs.exchanges import exchanges_of
from playground.runs.model_calls import model_calls
from playground.runs.state import RunState
from playground.runs.toolset import toolset_of
from playground.runs.trace import trace_of
from playground.view_fragments import MOST_ROWS


def view_context(form: ReplayForm, run: Run, state: RunState) -> dict[str, Any]:
    """`keep` and `keep_at` are what links carry over of the address: view and moment, or the moment alone."""
    view, kept = form.shown_view, form.kept
    at = {"at": form.at_event} if form.at_event else {}
    address = {"view": view, "views": RUN_VIEWS, "keep": _query(kept), "keep_at": _query(at)}
    return address | _PARTS[view](form, run, state)


def _query(kept: dict[str, Any]) -> str:
    return f"&{urlencode(kept)}" if kept else ""


def _chat(form: ReplayForm, run: Run, state: RunState) -> dict[str, Any]:
    return {}


def _trace(form: ReplayForm, run: Run, state: RunState) -> dict[str, Any]:
    return {"trace": trace_of(state), "opened": form.opened, "part": form.part, "parts": TRACE_PARTS}


def _raw(form: ReplayForm, run: Run, state: RunState) -> dict[str, Any]:
    calls = model_calls(state)
    call = next((one for one in calls if one.turn == form.asked_turn), calls[-1] if calls else None)
    exchanges = list(exchanges_of(run.pk, call.turn)) if call else []
    return {"calls": calls, "call": call, "exchanges": exchanges}


def _toolset(form: ReplayForm, run: Run, state: RunState) -> dict[str, Any]:
    whole = toolset_of(state)
    return {"toolset": whole if form.has_all_rows else whole.shortened(MOST_ROWS)}


_PARTS = {"chat": _chat, "trace": _trace, "raw": _raw, "toolset": _toolset}
