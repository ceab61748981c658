"""A conversation of another system told with the events of runs here: one run for each message of a person."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime

from playground.agent.events import Event, ModelAnswered, Outcome, RunEnded, RunStarted, TextStreamed
from playground.foreign.calls import Exchanged, tell_calls, tell_provider_searches
from playground.foreign.offers import InView, tell_offer
from playground.foreign.runs import NOT_IN_LOG, Conversation, Detail, ForeignRun, ForeignThread, SeenTool, TimedEvent
from playground.transcript import AssistantMessage, Message, ToolMessage, UserMessage

LONGEST_TITLE = 200
FINAL = ("stop", "end_turn", "stop_sequence", "completed")
"""Why an answer ends that asks for nothing more, as providers say it."""


@dataclass(slots=True)
class _Part:
    """What belongs to one message of a person, which may be none at the beginning of a log."""

    task: str | None
    at: datetime | None
    history: int
    turns: list[Exchanged] = field(default_factory=list)


def tell(conversation: Conversation) -> ForeignThread:
    """The thread; without a single answer of a model it has no runs."""
    parts = [part for part in _parts(conversation.told) if part.turns or part.task is not None]
    in_view = InView()
    runs = []
    for place, part in enumerate(parts):
        in_view = InView(loaded=in_view.loaded)
        reason = conversation.ending if place == len(parts) - 1 else "The person wrote again before this was done."
        runs.append(ForeignRun(part.task or "", tuple(_events(part, conversation.model, in_view, reason))))
    answered = any(part.turns for part in parts)
    title = conversation.title or next((part.task for part in parts if part.task), "") or conversation.origin
    return ForeignThread(conversation.origin, title[:LONGEST_TITLE], tuple(runs) if answered else ())


def _parts(told: list[tuple[Message, Detail]]) -> Iterator[_Part]:
    part = _Part(None, None, 0)
    for place, (message, detail) in enumerate(told):
        match message:
            case UserMessage(text) if part.task is not None and not part.turns:
                part.task = f"{part.task}\n\n{text}"
            case UserMessage(text):
                yield part
                part = _Part(text, detail.at, place)
            case AssistantMessage():
                part.turns.append(Exchanged(message, detail))
            case ToolMessage() if part.turns:
                part.turns[-1].replies.append((message, detail))
            case ToolMessage():
                pass
    yield part


def _events(part: _Part, model: str, in_view: InView, reason: str) -> Iterator[TimedEvent]:
    """The times that the log tells, and for what it does not tell the last one that it did."""
    last = part.at or next(filter(None, (turn.detail.began or turn.detail.at for turn in part.turns)), None)
    untimed = last is None
    yield last, _started(part, model, untimed)
    for at, event in _turns(part, in_view):
        last = max(filter(None, (last, at)), default=None)
        yield last, event
    yield last, RunEnded(*_ending(part, reason))


def _started(part: _Part, model: str, untimed: bool) -> RunStarted:
    tools: dict[str, SeenTool] = {}
    for turn in part.turns:
        tools |= {tool.name: tool for tool in turn.detail.tools or () if not tool.searches}
    known = any(turn.detail.tools is not None for turn in part.turns)
    unknown = ("catalog", "mode", "engine", *(() if known else ("tools_all", "tokens_all")))
    unknown += (
        *(() if model else ("model",)),
        *(("at",) if untimed else ()),
        *(("task",) if part.task is None else ()),
    )
    return RunStarted(
        part.task,
        "",
        NOT_IN_LOG,
        NOT_IN_LOG,
        model or NOT_IN_LOG,
        scripted=False,
        tools_all=len(tools),
        tokens_all=sum(tool.tokens for tool in tools.values()),
        history=part.history,
        unknown=unknown,
    )


def _turns(part: _Part, in_view: InView) -> Iterator[TimedEvent]:
    for turn, exchanged in enumerate(part.turns, start=1):
        answer, detail = exchanged.answer, exchanged.detail
        yield detail.began, tell_offer(turn, detail, in_view, bool(answer.searches))
        if answer.text:
            yield detail.at, TextStreamed(turn, answer.text)
        yield detail.at, _answered(turn, detail)
        for event in tell_provider_searches(turn, answer.searches, detail.tools):
            yield detail.at, event
        following = part.turns[turn].detail.tools if turn < len(part.turns) else None
        yield from tell_calls(turn, exchanged, in_view, following)


def _answered(turn: int, detail: Detail) -> Event:
    usage = detail.usage
    unknown = (*detail.unknown, *(("seconds",) if detail.seconds is None else ()))
    counts = (usage.prompt, usage.completion, usage.cached, usage.written, usage.reasoning)
    return ModelAnswered(turn, detail.finish_reason, detail.seconds or 0.0, *counts, unknown=unknown)


def _ending(part: _Part, reason: str) -> tuple[Outcome, str]:
    if part.turns:
        last = part.turns[-1]
        if not last.answer.calls or last.detail.finish_reason in FINAL:
            return "completed", ""
    return "interrupted", reason or "The log ends here."
