"""What runs in the process that answers one jq query. It can open no file, sees no environment, and has little memory."""

import json
import os
import resource
from collections.abc import Iterable
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import Any, NamedTuple

import jq

MEMORY = 512 << 20
"""Bytes of address space."""
CPU_SECONDS = 5


class Reply(NamedTuple):
    """The results as text, or why there are none."""

    text: str = ""
    problem: str = ""


def answer_query(text: str, program: str, compact: bool, raw: bool, most: int, tells: Connection) -> None:
    """Sends one Reply; nothing at all where the process does not live to do so."""
    _shut_in()
    with tells:
        tells.send(_reply(text, program, compact, raw, most))


def _shut_in() -> None:
    """jq reads modules from any path, writes to the standard error, and knows the environment: none of it is left."""
    os.environ.clear()
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 2)
    os.close(nowhere)
    with suppress(ValueError):  # macOS has no such limit
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    for kind, most in (
        (resource.RLIMIT_CPU, CPU_SECONDS),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_NOFILE, 0),
    ):
        resource.setrlimit(kind, (most, most))


def _reply(text: str, program: str, compact: bool, raw: bool, most: int) -> Reply:
    try:
        return Reply(_written(jq.compile(program).input_text(text), compact, raw, most))
    except ValueError as error:
        return Reply(problem=str(error).strip() or "it failed")
    except (MemoryError, RecursionError):
        return Reply(problem="its result is too large or too deep")


def _written(results: Iterable[Any], compact: bool, raw: bool, most: int) -> str:
    lines: list[str] = []
    left = most
    for result in results:
        line = _line(result, compact, raw)
        lines.append(line[:left])
        if len(line) > left:
            lines.append(f"\n[Cut off here: at most {most:,} characters are answered. Ask for less.]\n")
            break
        left -= len(line)
    return "".join(lines)


def _line(result: Any, compact: bool, raw: bool) -> str:
    if raw and isinstance(result, str):
        return f"{result}\n"
    layout: dict[str, Any] = {"separators": (",", ":")} if compact else {"indent": 2}
    return json.dumps(result, ensure_ascii=False, **layout) + "\n"
