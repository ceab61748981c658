"""MCP over the pipes of a started server: one JSON message a line, with bounds that the SDK's own transport lacks."""

from collections import deque
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import anyio
import mcp_types
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.client._transport import TransportStreams
from mcp.shared.message import SessionMessage

from catalog.spawning import CLOSING, PIPE_ENDED, ApprovedCommand, SandboxMode, Started, start

MAX_LINE = 10 * 1024 * 1024
KEPT_LINES = 20
KEPT_LINE_LENGTH = 500


@dataclass(slots=True)
class ServerLog:
    """What a server let slip that helps to understand a failure."""

    last_words: deque[str] = field(default_factory=lambda: deque(maxlen=KEPT_LINES))
    """The last lines that it wrote to stderr."""
    strays: int = 0
    first_stray: str = ""
    """Lines on stdout that are no messages."""
    exit_status: int | None = None
    too_long: bool = False
    """It wrote a line longer than MAX_LINE, and was ended."""
    closing: bool = False
    """From here on it ends because we said so."""
    heard_out: anyio.Event = field(default_factory=anyio.Event)
    """Set when its stderr has ended."""


@asynccontextmanager
async def open_stdio(
    approved: ApprovedCommand, log: ServerLog, sandbox: SandboxMode = "auto", hidden: Sequence[Path] = ()
) -> AsyncIterator[TransportStreams]:
    """A transport as `mcp.Client` takes it. On leaving, however that comes about, no process of the server remains."""
    started = await start(approved, sandbox, hidden)
    to_session, from_server = anyio.create_memory_object_stream[SessionMessage | Exception](0)
    to_server, from_session = anyio.create_memory_object_stream[SessionMessage](0)
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(_read, started, to_session, log)
        tasks.start_soon(_write, started, from_session, to_session, log)
        tasks.start_soon(_listen, started, log)
        try:
            yield from_server, to_server
        finally:
            log.closing = True
            with anyio.CancelScope(shield=True):
                for stream in (from_server, to_server):
                    await stream.aclose()
                await started.end()
            tasks.cancel_scope.cancel()


async def _read(
    started: Started, to_session: MemoryObjectSendStream[SessionMessage | Exception], log: ServerLog
) -> None:
    async with to_session:
        with suppress(*PIPE_ENDED):
            async for line in _lines(started, log):
                if message := _message(line, log):
                    await to_session.send(message)
        await _note_end(started, log)
    with suppress(*PIPE_ENDED):
        while True:  # a server that is stuck writing cannot see that its input ended
            await started.stdout.receive()


async def _lines(started: Started, log: ServerLog) -> AsyncIterator[bytes]:
    parts: list[bytes] = []
    size = 0
    while True:
        *ends, rest = (await started.stdout.receive()).split(b"\n")
        for end in ends:
            yield b"".join([*parts, end])
            parts, size = [], 0
        parts.append(rest)
        size += len(rest)
        if size > MAX_LINE:
            log.too_long = True
            started.let_go()
            return


def _message(line: bytes, log: ServerLog) -> SessionMessage | None:
    if not line.strip():
        return None
    try:
        return SessionMessage(mcp_types.jsonrpc_message_adapter.validate_json(line, by_name=False))
    except ValueError:
        log.strays += 1
        log.first_stray = log.first_stray or line[:KEPT_LINE_LENGTH].decode("utf-8", "replace").strip()
        return None


async def _write(
    started: Started,
    from_session: MemoryObjectReceiveStream[SessionMessage],
    to_session: MemoryObjectSendStream[SessionMessage | Exception],
    log: ServerLog,
) -> None:
    async with from_session:
        try:
            async for outgoing in from_session:
                text = outgoing.message.model_dump_json(by_alias=True, exclude_unset=True)
                await started.stdin.send(text.encode() + b"\n")
        except PIPE_ENDED:
            await _note_end(started, log)
            await to_session.aclose()


async def _note_end(started: Started, log: ServerLog) -> None:
    """Before the session learns that the server is gone: how it ended, and its last words."""
    if not log.closing:
        log.exit_status = await started.exit_status(CLOSING)
        with anyio.move_on_after(CLOSING):
            await log.heard_out.wait()


async def _listen(started: Started, log: ServerLog) -> None:
    rest = b""
    with suppress(*PIPE_ENDED):
        while True:
            *lines, rest = (rest + await started.stderr.receive()).split(b"\n")
            rest = rest[-KEPT_LINE_LENGTH:]
            log.last_words.extend(_readable(line) for line in lines[-KEPT_LINES:] if line.strip())
    if rest.strip():
        log.last_words.append(_readable(rest))
    log.heard_out.set()


def _readable(line: bytes) -> str:
    return line[:KEPT_LINE_LENGTH].decode("utf-8", "replace").rstrip()
