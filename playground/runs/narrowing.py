"""Runs narrowed by what happened in them: what was asked for, which tool was called, what went wrong."""

import json
from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery, Value
from django.db.models.fields.json import KT
from django.db.models.functions import StrIndex

from playground.agent.events import (
    CallFinished,
    CallSent,
    ModelAnswered,
    OfferMade,
    RunStarted,
    SearchAnswered,
    ToolsDenied,
)
from playground.models import RunEvent, RunFinding
from playground.models.run import RunQuerySet
from playground.reviewing.rules import RULES

DEEDS = {
    "searched": "Searched",
    "called": "Called a tool",
    "failed": "Had a call fail",
    "refused": "Had a call not sent",
    "denied": "Had a call denied",
    "viewed": "Had the tool in view at the end",
    "priced": "Cost something that is known",
}
"""What a run did, by the word in an address. Those of a call or a view may be of one tool."""
FINDINGS = {f"finding-{slug}": f"Finding: {rule.title}" for slug, rule in RULES.items()}
"""What a rule found in a run, by the word in an address."""


def that_did(runs: RunQuerySet, deed: str, tool: str = "") -> RunQuerySet:
    """`deed` is one of DEEDS or FINDINGS; `tool` is a name as models call it, empty for any."""
    if deed in FINDINGS:
        return runs.filter(Exists(RunFinding.objects.filter(run=OuterRef("pk"), rule=deed.removeprefix("finding-"))))
    of_tool = {"body__tool": tool} if tool else {}
    match deed:
        case "searched":
            return runs.filter(_has(kind=SearchAnswered.kind))
        case "called":
            return runs.filter(_has(kind=CallSent.kind, **of_tool))
        case "denied":
            return runs.filter(Exists(_denied_calls(tool)))
        case "viewed":
            return runs.filter(Exists(_last_offers(tool)))
        case "priced":
            no_price = Q(body__cost=None) | Q(body__cost__isnull=True)
            free = _has(kind=RunStarted.kind, body__scripted=True)
            return runs.filter(
                ~free, _has(kind=ModelAnswered.kind), ~Exists(_events(kind=ModelAnswered.kind).filter(no_price))
            )
    return runs.filter(_has(kind=CallFinished.kind, body__outcome=deed, **of_tool))


def that_asked(runs: RunQuerySet, query: str) -> RunQuerySet:
    """Those in which a search was for exactly this text."""
    return runs.filter(_has(kind=SearchAnswered.kind, body__query=query))


def _events(**fields: Any) -> QuerySet[RunEvent]:
    return RunEvent.objects.filter(run=OuterRef("pk"), **fields)


def _has(**fields: Any) -> Exists:
    return Exists(_events(**fields))


def _denied_calls(tool: str) -> QuerySet[RunEvent]:
    """Of one event the denials of calls are of calls alone."""
    denied = _with("denials", "phase", "active", _events(kind=ToolsDenied.kind).exclude(body__call_id=""))
    return _with("denials", "tool", tool, denied) if tool else denied


def _last_offers(tool: str) -> QuerySet[RunEvent]:
    last = RunEvent.objects.filter(run=OuterRef("run"), kind=OfferMade.kind).order_by("-seq").values("pk")[:1]
    offers = _events(kind=OfferMade.kind, pk=Subquery(last))
    return _with("tools", "name", tool, offers) if tool else offers


def _with(part: str, name: str, value: str, events: QuerySet[RunEvent]) -> QuerySet[RunEvent]:
    """Those whose list `part` has something named so; the list is asked as JSON text, which databases space differently."""
    key, said = json.dumps(name), json.dumps(value, ensure_ascii=False)
    close, wide = (StrIndex("text", Value(f"{key}{colon}{said}")) for colon in (":", ": "))
    texts = events.annotate(text=KT(f"body__{part}")).annotate(close=close, wide=wide)
    return texts.filter(Q(close__gt=0) | Q(wide__gt=0))
