"""Judged queries and the tools that they search, read from JSON Lines, gzipped or not."""

import gzip
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from catalog.tools import ToolSpec


class UnfitFileError(Exception):
    """A file of tools or queries cannot be used; the message names the file and the line."""


@dataclass(frozen=True, slots=True)
class JudgedQuery:
    """A query and the ids of the tools that answer it: of each group, any one does. Those that are only `fine` gain half."""

    id: str
    text: str
    groups: tuple[frozenset[str], ...]
    fine: frozenset[str] = frozenset()

    @property
    def relevant(self) -> frozenset[str]:
        return frozenset().union(*self.groups)


def read_tools(path: Path) -> dict[str, ToolSpec]:
    """Tools by id, in the order of the file. A name that came before is told apart by its server, then by its id."""
    tools: dict[str, ToolSpec] = {}
    taken: set[str] = set()
    for where, line in _lines(path):
        tool = _tool(where, line)
        names = (tool.name, f"{tool.server}__{tool.name}", str(line["id"]))
        name = next((name for name in names if name not in taken), "")
        if not name or str(line["id"]) in tools:
            raise UnfitFileError(f"{where}: the id {line['id']} came before")
        taken.add(name)
        tools[str(line["id"])] = replace(tool, name=name)
    return tools


def read_queries(path: Path) -> tuple[JudgedQuery, ...]:
    return tuple(_query(where, line) for where, line in _lines(path))


def spread(queries: Sequence[JudgedQuery], limit: int) -> tuple[JudgedQuery, ...]:
    """At most `limit` of the queries, at even distances; files are often sorted by kind. All of them at 0."""
    count = min(limit or len(queries), len(queries))
    return tuple(queries[place * len(queries) // count] for place in range(count))


def _tool(where: str, line: Mapping[str, Any]) -> ToolSpec:
    try:
        return ToolSpec(
            line["name"],
            line.get("description") or "",
            line.get("parameters") or {},
            server=line.get("server") or "",
            upstream_name=line["name"],
            server_text="\n".join(filter(None, (line.get("server_name"), line.get("server_description")))),
            category=line.get("category") or "",
        )
    except (KeyError, TypeError) as error:
        raise UnfitFileError(f"{where}: not a tool: {error}") from None


def _query(where: str, line: Mapping[str, Any]) -> JudgedQuery:
    try:
        groups = line.get("groups") or [line["relevant"]]
        return JudgedQuery(
            str(line["id"]), line["text"], tuple(map(frozenset, groups)), frozenset(line.get("fine") or ())
        )
    except (KeyError, TypeError) as error:
        raise UnfitFileError(f"{where}: not a judged query: {error}") from None


def _lines(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """Each line's object, with its place in words."""
    opener = gzip.open if path.suffix == ".gz" else open
    with opener(path, "rt", encoding="utf-8") as file:
        for number, line in enumerate(file, start=1):
            where = f"{path.name}, line {number}"
            try:
                value = json.loads(line)
            except ValueError as error:
                raise UnfitFileError(f"{where}: {error}") from None
            if not isinstance(value, dict) or "id" not in value:
                raise UnfitFileError(f"{where}: not an object with an id")
            yield where, value
