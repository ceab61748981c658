"""Sessions as Claude Code keeps them: JSON Lines, each a part of a message, with what its client did between."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from playground.foreign.anthropic_blocks import answer_of, user_messages
from playground.foreign.records import Record, each
from playground.foreign.runs import Conversation, Detail, ForeignRuns, Problem
from playground.foreign.telling import tell
from playground.foreign.values import SEARCHES, count, mapping, moment, usage_of, words
from playground.transcript import ToolMessage, UserMessage

TITLE = "Claude Code session"
INTERRUPTED = "[Request interrupted by user"


@dataclass(slots=True)
class _Session:
    """One line of messages: a session, or a subagent of one."""

    conversation: Conversation
    names: dict[str, str] = field(default_factory=dict)
    answers: dict[str, tuple[int, list[Any]]] = field(default_factory=dict)
    """By the id of the model's message, its place and its blocks: each line brings one more block of it."""
    last_at: datetime | None = None


def holds(value: dict[str, Any]) -> bool:
    if value.get("type") not in ("user", "assistant", "system", "summary", "attachment", "progress"):
        return False
    return "sessionId" in value or "parentUuid" in value or "leafUuid" in value


def read(text: str) -> ForeignRuns:
    """A thread for each session and for each subagent. The log has no list of tools: what was in view is told where
    Claude Code's own search for tools loaded it."""
    sessions: dict[str, _Session] = {}
    problems: list[Problem] = []
    seen: set[str] = set()
    for record in each(text):
        line = record.value
        uuid = words(line.get("uuid"))
        if uuid and uuid in seen:
            continue
        seen.add(uuid)
        if line.get("type") in ("user", "assistant") and isinstance(line.get("message"), dict):
            key = _key(line)
            session = sessions.setdefault(key, _Session(Conversation(key)))
            problems += _take(session, record)
        elif line.get("subtype") == "compact_boundary":
            problems.append(Problem(record.line, "here the conversation was cut short to a summary of itself."))
    return ForeignRuns.of((tell(session.conversation) for session in sessions.values()), problems)


def _key(line: dict[str, Any]) -> str:
    session = words(line.get("sessionId")) or "session"
    if line.get("isSidechain") is not True:
        return session
    return f"{session} subagent {words(line.get('agentId'))}".rstrip()


def _take(session: _Session, record: Record) -> Iterator[Problem]:
    line, message = record.value, record.value["message"]
    at = moment(line.get("timestamp"))
    if line["type"] == "user":
        _take_user(session, line, message, at)
    elif line.get("isApiErrorMessage") is True:
        yield Problem(record.line, "the model could not be asked; what Claude Code said of it is left out.")
    else:
        _take_answer(session, message, at)
    session.last_at = at or session.last_at


def _take_answer(session: _Session, message: dict[str, Any], at: datetime | None) -> None:
    told = session.conversation.told
    session.conversation.model = words(message.get("model")) or session.conversation.model
    content = message.get("content")
    place, blocks = session.answers.setdefault(words(message.get("id")) or f"line {len(told)}", (len(told), []))
    blocks += content if isinstance(content, list) else [{"type": "text", "text": content}]
    answer, replies = answer_of(blocks)
    began = session.last_at if place == len(told) else told[place][1].began
    detail = Detail(at, began, usage=usage_of(message.get("usage")), finish_reason=words(message.get("stop_reason")))
    if place == len(told):
        told.append((answer, detail))
    else:
        told[place] = (answer, replace(detail, finish_reason=detail.finish_reason or told[place][1].finish_reason))
    session.names |= {call.id: call.name for call in answer.calls}
    known = {message.call_id for message, _ in told[place:] if isinstance(message, ToolMessage)}
    told += [(reply, Detail(at)) for reply in replies if reply.call_id not in known]


def _take_user(session: _Session, line: dict[str, Any], message: dict[str, Any], at: datetime | None) -> None:
    for told in user_messages(message.get("content"), session.names):
        if isinstance(told, UserMessage):
            if line.get("isMeta") is True or line.get("isCompactSummary") is True:
                continue
            if told.text.startswith(INTERRUPTED):
                session.conversation.ending = "The person interrupted it."
                continue
            session.conversation.ending = ""
            session.conversation.told.append((told, Detail(at)))
        elif isinstance(told, ToolMessage):
            session.conversation.told.append((told, _detail(told, mapping(line.get("toolUseResult")), at)))


def _detail(reply: ToolMessage, result: dict[str, Any], at: datetime | None) -> Detail:
    millis = count(result.get("durationMs")) or count(result.get("totalDurationMs"))
    searches = reply.tool.startswith(SEARCHES)
    seconds = None if millis is None else millis / 1000
    return Detail(at, seconds=seconds, searches=searches, searched=count(result.get("total_deferred_tools")))
