"""Configurations of MCP servers, as Claude Desktop, Cursor, VS Code and Windsurf keep them (`mcpServers`, `servers`).

Nothing of them is started or reached here. A bad entry costs that entry.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from catalog.sources.errors import SourceError
from catalog.sources.fields import kind_of
from catalog.sources.json_comments import without_comments
from catalog.sources.json_text import JsonParsing, decoded, inflated, place_in, why_not
from catalog.sources.listing import Problem
from catalog.sources.mcp_server_entry import FoundServer, read_server
from catalog.sources.placeholders import Asked, asked_of, read_inputs
from catalog.sources.storable import UnfitError, storable_text

MAX_BYTES = 1024 * 1024
MAX_SERVERS = 200


@dataclass(frozen=True, slots=True)
class FoundServers:
    """The servers of a configuration, in its order, and the values that it leaves open."""

    servers: tuple[FoundServer, ...] = ()
    inputs: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    problems: tuple[Problem, ...] = ()

    @property
    def asked(self) -> tuple[Asked, ...]:
        return asked_of(self.servers, self.inputs)


def read(content: bytes) -> FoundServers:
    """The servers. Raises SourceError if it is no configuration of MCP servers."""
    document, remarks = _load(decoded(inflated(content, MAX_BYTES)))
    entries, inputs = _parts(document)
    servers: list[FoundServer] = []
    problems = [Problem("the file", remark) for remark in remarks]
    for name, entry in list(entries.items())[:MAX_SERVERS]:
        where = f"“{storable_text(name)[:60]}”"
        try:
            servers.append(read_server(name, entry))
        except UnfitError as unfit:
            problems.append(Problem(where, f"It is left out: {unfit}."))
    if len(entries) > MAX_SERVERS:
        problems.append(Problem("the file", f"Only the first {MAX_SERVERS} servers are read."))
    return FoundServers(tuple(servers), read_inputs(inputs), tuple(problems))


def looks_like_one(content: bytes) -> bool:
    """Whether it is a configuration of MCP servers, well written or not, rather than a list of tools."""
    try:
        _parts(_load(decoded(inflated(content, MAX_BYTES)))[0])
    except SourceError:
        return False
    return True


def _load(text: str) -> tuple[Any, list[str]]:
    if not text.strip():
        raise SourceError("The file is empty.")
    parsing = JsonParsing()
    plain = without_comments(text)
    try:
        document = parsing.load(plain)
    except json.JSONDecodeError as error:
        raise SourceError(f"This is not valid JSON: {place_in(plain, error.pos)}: {error.msg.lower()}.") from None
    except (RecursionError, ValueError):
        raise SourceError(why_not(plain)) from None
    return document, [parsing.on_repeated_keys] if parsing.repeated else []


def _parts(document: Any) -> tuple[dict[str, Any], Any]:
    match document:
        case {"mcpServers": dict(servers)} | {"mcp": {"servers": dict(servers)}} | {"servers": dict(servers)}:
            inputs = document.get("inputs") or (document["mcp"].get("inputs") if "mcp" in document else None)
            return servers, inputs
        case {"mcpServers": other} | {"servers": other}:
            raise SourceError(f"Its list of servers is {kind_of(other)}. Expected is each server under its name.")
        case dict() if document and all(_reaches(entry) for entry in document.values()):
            return document, None
    raise SourceError('There are no MCP servers here. Expected is {"mcpServers": { "name": { "command": … } } }.')


def _reaches(entry: Any) -> bool:
    return isinstance(entry, dict) and any(isinstance(entry.get(key), str) for key in ("command", "url", "serverUrl"))
