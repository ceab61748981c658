"""What a source says it offers: a list of tools, and what of it could not be taken as it stood.

Tools are read one by one: a bad tool costs that tool and says why. Nothing is executed and nothing is fetched.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from catalog.sources.definitions import expanded, recognised, unknown_fields
from catalog.sources.errors import SourceError
from catalog.sources.fields import kind_of
from catalog.sources.flattening import unique_names
from catalog.sources.storable import UnfitError, storable_text
from catalog.sources.tool_entry import ListedTool, read_tool

MAX_TOOLS = 100_000
MAX_PROBLEMS = 1_000
MAX_UNKNOWN = 20
"""Fields that no tool has, of which is told."""

__all__ = ["ListedTool", "Listing", "Problem", "SourceError", "numbered", "read_entries", "read_listing", "tool_list"]


@dataclass(frozen=True, slots=True)
class Problem:
    """Something of a listing that was left out or changed. `where` is like 'tool 17 “send mail”' or 'line 12'."""

    where: str
    message: str

    def __str__(self) -> str:
        return f"{self.where}: {self.message}" if self.where else self.message


@dataclass(frozen=True, slots=True)
class Listing:
    """Everything that was read of a source. Names are unique in each group."""

    tools: tuple[ListedTool, ...] = ()
    problems: tuple[Problem, ...] = ()
    instructions: str = ""
    server_title: str = ""
    server_version: str = ""
    protocol: str = ""
    forms: Mapping[str, int] = field(default_factory=dict)
    """How many tools were read in which form of definition."""

    @property
    def read_as(self) -> str:
        """The forms in words: '12 as MCP, 3 as Anthropic'."""
        return ", ".join(f"{count:,} as {form}" for form, count in self.forms.items())

    @property
    def groups(self) -> tuple[str, ...]:
        """The servers that the tools of a file come from, in the order met; none if the file names none."""
        return tuple(dict.fromkeys(tool.group for tool in self.tools if tool.group))

    def as_one_server(self) -> "Listing":
        """The same tools, their names unique in the whole listing: `group__name` where there are several groups."""
        if len({tool.group for tool in self.tools}) <= 1:
            return self
        names = unique_names([(tool.group, tool.name) for tool in self.tools])
        return replace(
            self, tools=tuple(replace(tool, name=name) for tool, name in zip(self.tools, names, strict=True))
        )


def read_listing(value: Any, *, curated: bool = False) -> Listing:
    """Read `{"tools": […]}`, a JSON-RPC answer that holds it, a bare list, or a single tool, in any form of `definitions`.

    `curated` takes over category, tags, permission, aliases, search text and simulated result too: for files that
    a person of this house wrote, never for what a server says of itself. Raises SourceError if it is no listing.
    """
    return read_entries(numbered(tool_list(value)), curated=curated)


def read_entries(entries: Iterable[tuple[str, Any]], *, curated: bool = False) -> Listing:
    """Read tools that come with their place ('tool 3', 'line 12'), each in whichever form it is defined."""
    reading = _Reading(curated)
    for where, entry in expanded(entries):
        if len(reading.tools) >= MAX_TOOLS:
            reading.problem("the list", f"Only the first {MAX_TOOLS:,} tools are read.")
            break
        reading.take(where, entry)
    reading.tell_asides()
    return Listing(tuple(reading.tools.values()), tuple(reading.problems), forms=dict(reading.forms))


@dataclass(slots=True)
class _Reading:
    curated: bool
    tools: dict[tuple[str, str], ListedTool] = field(default_factory=dict)
    places: dict[tuple[str, str], str] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    forms: Counter[str] = field(default_factory=Counter)
    asides: Counter[str] = field(default_factory=Counter)
    unknown: Counter[str] = field(default_factory=Counter)
    first_with: dict[str, str] = field(default_factory=dict)
    """Where each field that no tool has stood first."""

    def take(self, where: str, entry: Any) -> None:
        where = f"{where} {_label(entry)}".rstrip()
        try:
            if not isinstance(entry, dict):
                raise UnfitError(f"it is {kind_of(entry)}, not an object")
            definition = recognised(entry)
            tool, notes = read_tool(definition.entry, curated=self.curated)
        except UnfitError as unfit:
            self.problem(where, f"It is left out: {unfit}.")
            return
        key = (tool.group, tool.name)
        if key in self.tools:
            self.problem(where, f"It is left out: {self.places[key]} has the same name, and the first wins.")
            return
        self.tools[key] = tool
        self.places[key] = where
        self.forms[definition.form] += 1
        self.asides.update(definition.asides)
        if self.curated:
            self.note_unknown(where, unknown_fields(definition.entry))
        for note in notes:
            self.problem(where, f"It is kept, but {note}.")

    def note_unknown(self, where: str, names: Iterable[str]) -> None:
        for name in (storable_text(name)[:60] for name in names):
            if name in self.unknown or len(self.unknown) < MAX_UNKNOWN:
                self.unknown[name] += 1
                self.first_with.setdefault(name, where)

    def tell_asides(self) -> None:
        for key, count in self.asides.items():
            what = "tools are" if count > 1 else "tool is"
            self.problem(
                "the list", f"{count:,} {what} kept without {key}: it says how to send a tool, not what it is."
            )
        for key, count in self.unknown.items():
            also = f" {count:,} tools have it." if count > 1 else ""
            self.problem(
                self.first_with[key], f"It is kept, but without “{key}”, which is no field of a tool here.{also}"
            )

    def problem(self, where: str, message: str) -> None:
        if len(self.problems) < MAX_PROBLEMS:
            self.problems.append(Problem(where, message))
        elif len(self.problems) == MAX_PROBLEMS:
            self.problems.append(Problem("", f"More than {MAX_PROBLEMS:,} problems: the rest is not shown."))


def tool_list(value: Any) -> list[Any]:
    """The tools of a JSON document in any of its shapes, as `read_listing` has them."""
    match value:
        case list():
            return value
        case {"error": {"message": str(message)}}:
            raise SourceError(f"This is an error answer, not a list of tools: “{storable_text(message)[:200]}”.")
        case {"result": {"tools": list(tools)}} | {"tools": list(tools)}:
            return tools
        case {"functionDeclarations": list()} | {"function_declarations": list()}:
            return [value]
        case {"name": _} | {"function": dict()}:
            return [value]
        case {"mcpServers": _} | {"servers": dict(), "inputs": _}:
            raise SourceError(
                "This is a configuration of MCP servers, not a list of tools. Add its servers under “From a configuration”."
            )
        case {"openapi": _} | {"swagger": _}:
            raise SourceError(
                "This is an OpenAPI document, not a list of tools. Add a server from an OpenAPI document instead."
            )
    raise SourceError('There is no list of tools here. Expected is {"tools": [ … ]}, as MCP’s tools/list answers.')


def numbered(entries: Iterable[Any]) -> Iterator[tuple[str, Any]]:
    return ((f"tool {number}", entry) for number, entry in enumerate(entries, 1))


def _label(entry: Any) -> str:
    match entry:
        case {"name": str(name)} | {"function": {"name": str(name)}} | {"functionDeclaration": {"name": str(name)}} if (
            name
        ):
            return f"“{storable_text(name[:60])}”"
    return ""
