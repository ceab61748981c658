"""A run as OpenTelemetry spans in OTLP's JSON, by the semantic conventions for GenAI: the run, its turns, its calls."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from playground.agent.events import CallFinished, CallMade, CallSent, ModelAnswered, OfferMade, RunEnded, RunStarted
from playground.agent.events import SearchAnswered as Search
from playground.agent.person_events import CallDecided
from playground.exports.otlp_writing import CLIENT, INTERNAL, Timing, pairs, written_span
from playground.exports.span_messages import answer_parts, told_messages
from playground.runs.state import Recorded
from playground.runs.transcripts import transcript_of
from playground.transcript import Transcript

PROVIDERS = {"gemini": "gcp.gemini", "vertex_ai": "gcp.vertex_ai", "bedrock": "aws.bedrock", "azure": "azure.ai.openai"}
"""LiteLLM's names of providers where the conventions have others."""


@dataclass(frozen=True, slots=True)
class Exported:
    """What the spans say of a run beside its events. `history` is what it went on from."""

    id: str
    thread: str
    title: str
    history: Transcript = ()


def spans_of(run: Exported, recorded: Sequence[Recorded]) -> dict[str, Any]:
    """One trace: `invoke_agent` over a `chat` for each turn and an `execute_tool` for each call that was answered."""
    spans = [_root(run, recorded), *_turns(run, recorded), *_calls(run, recorded)] if recorded else []
    scope = {"scope": {"name": "pegboard"}, "spans": spans}
    resource = {"attributes": pairs({"service.name": "pegboard"})}
    return {"resourceSpans": [{"resource": resource, "scopeSpans": [scope]}]}


def _root(run: Exported, recorded: Sequence[Recorded]) -> dict[str, Any]:
    started = next((event for _, _, event in recorded if isinstance(event, RunStarted)), None)
    ended = next((event for _, _, event in recorded if isinstance(event, RunEnded)), None)
    told: dict[str, Any] = {
        "gen_ai.operation.name": "invoke_agent",
        "gen_ai.conversation.id": run.thread,
        "gen_ai.agent.name": run.title,
    }
    if started:
        told |= _model(started.model) | {
            "pegboard.mode": started.mode,
            "pegboard.engine": started.engine,
            "pegboard.tools": started.tools_all,
            "pegboard.unknown": started.unknown,
        }
    if ended:
        told["pegboard.outcome"] = ended.outcome
    failure = ended.reason if ended and ended.outcome == "failed" else None
    timing = Timing(run.id, 0, recorded[0].at, recorded[-1].at)
    return written_span(timing, f"invoke_agent {run.title}", INTERNAL, told, failure)


def _turns(run: Exported, recorded: Sequence[Recorded]) -> Iterable[dict[str, Any]]:
    started = next((event for _, _, event in recorded if isinstance(event, RunStarted)), None)
    for place, (seq, at, event) in enumerate(recorded):
        if not isinstance(event, OfferMade):
            continue
        rest = recorded[place + 1 :]
        answered = next(((one.at, one.event) for one in rest if isinstance(one.event, ModelAnswered | OfferMade)), None)
        sent = (*run.history, *transcript_of(one.event for one in recorded[:place]))
        told: dict[str, Any] = {
            "gen_ai.operation.name": "chat",
            "gen_ai.conversation.id": run.thread,
            "gen_ai.input.messages": _json(told_messages(sent)),
            "pegboard.turn": event.turn,
            "pegboard.tools.tokens": event.tokens,
            "pegboard.unknown": event.unknown,
            **(_model(started.model) if started else {}),
        }
        if "tools" not in event.unknown:
            told["gen_ai.tool.definitions"] = _json([{"type": "function", "name": tool.name} for tool in event.tools])
        end = recorded[-1].at
        if answered and isinstance(answered[1], ModelAnswered):
            end = answered[0]
            told |= _answer(answered[1])
            told["gen_ai.output.messages"] = _json(answer_parts(event.turn, rest, answered[1].finish_reason))
        name = f"chat {told.get('gen_ai.request.model', '')}".strip()
        yield written_span(Timing(run.id, seq, at, end), name, CLIENT, told)


def _answer(event: ModelAnswered) -> dict[str, Any]:
    return {
        "gen_ai.response.finish_reasons": [event.finish_reason] if event.finish_reason else None,
        "gen_ai.usage.input_tokens": event.prompt_tokens,
        "gen_ai.usage.output_tokens": event.completion_tokens,
        "gen_ai.usage.cache_read.input_tokens": event.cached_tokens,
        "gen_ai.usage.cache_creation.input_tokens": event.written_tokens,
        "gen_ai.usage.reasoning.output_tokens": event.reasoning_tokens,
        "pegboard.cost": event.cost,
    }


def _calls(run: Exported, recorded: Sequence[Recorded]) -> Iterable[dict[str, Any]]:
    made: dict[str, CallMade] = {}
    began: dict[str, datetime] = {}
    servers: dict[str, str] = {}
    searches: dict[str, Search] = {}
    decided: dict[str, CallDecided] = {}
    for seq, at, event in recorded:
        match event:
            case CallMade(call_id=call_id):
                made[call_id], began[call_id] = event, at
            case CallSent(call_id=call_id, server=server):
                began[call_id], servers[call_id] = at, server
            case Search(call_id=call_id):
                searches[call_id] = event
            case CallDecided(call_id=call_id):
                decided[call_id] = event
            case CallFinished(call_id=call_id, tool=tool, outcome=outcome, content=content) if call_id in made:
                told: dict[str, Any] = {
                    "gen_ai.operation.name": "execute_tool",
                    "gen_ai.conversation.id": run.thread,
                    "gen_ai.tool.name": tool,
                    "gen_ai.tool.call.id": call_id,
                    "gen_ai.tool.type": "function",
                    "gen_ai.tool.call.arguments": made[call_id].arguments,
                    "gen_ai.tool.call.result": content,
                    "pegboard.server": servers.get(call_id),
                    "pegboard.outcome": outcome,
                    "pegboard.unknown": event.unknown,
                    **_search(searches.get(call_id)),
                    **_decision(decided.get(call_id)),
                }
                failure = content[:200] if outcome != "ok" else None
                timing = Timing(run.id, seq, began[call_id], at)
                yield written_span(timing, f"execute_tool {tool}", INTERNAL, told, failure)


def _decision(decided: CallDecided | None) -> dict[str, Any]:
    """What a person said of a call that waited for one; `arguments` are those sent in place of the model's."""
    if decided is None:
        return {}
    told = {
        "is": decided.decision,
        "by": decided.by,
        "seconds": decided.seconds,
        "arguments": decided.arguments or None,
    }
    return {f"pegboard.decision.{name}": value for name, value in told.items()}


def _search(search: Search | None) -> dict[str, Any]:
    if search is None:
        return {}
    hits = [{"rank": hit.rank, "name": hit.name, "score": hit.score, "cut_by": hit.cut_by} for hit in search.hits]
    told = {"query": search.query, "engine": search.engine, "matched": search.matched, "hits": _json(hits)}
    return {f"pegboard.search.{name}": value for name, value in told.items()}


def _model(model: str) -> dict[str, Any]:
    """Of LiteLLM's name of a model, the provider and what the provider calls it."""
    provider, slash, name = model.partition("/")
    if not slash:
        return {"gen_ai.request.model": model}
    return {"gen_ai.provider.name": PROVIDERS.get(provider, provider), "gen_ai.request.model": name}


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
