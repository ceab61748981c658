"""Lists of tools in YAML, as sanqian's `tools.yaml` has them (S-1): a list, or each tool under its name."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from catalog.sources.errors import SourceError
from catalog.sources.listing import Listing, Problem, read_entries
from catalog.sources.storable import storable_text
from catalog.sources.yaml_text import YamlText, load_yaml


def read_yaml(text: str) -> Listing:
    """The tools; a bad one costs itself and is told by line and column. Raises SourceError if the file is no list of tools."""
    document = load_yaml(text)
    listing = read_entries(_entries(document), curated=True)
    if not document.repeated:
        return listing
    twice = f"A key stands twice, and the last one counts: {', '.join(document.repeated)}."
    return replace(listing, problems=(Problem("the file", twice), *listing.problems))


def _entries(document: YamlText) -> Iterator[tuple[str, Any]]:
    match document.value:
        case {"openapi": _} | {"swagger": _}:
            raise SourceError(
                "This is an OpenAPI document, not a list of tools. Add a server from an OpenAPI document instead."
            )
        case {"name": str()}:
            tools: list[Any] = [document.value]
        case {"tools": dict(named)} | dict(named) if any(isinstance(tool, dict) for tool in named.values()):
            yield from _named_entries(document, named)
            return
        case {"tools": list(listed)} | list(listed):
            tools = listed
        case _:
            raise SourceError(
                "There is no list of tools here. Expected is “tools:” with a list, or with each tool under its name."
            )
    for number, tool in enumerate(tools, 1):
        yield document.places.get(id(tool), f"tool {number}"), tool


def _named_entries(document: YamlText, tools: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """Each tool under its name, where that stands; one that came in by a merge has no place of its own."""
    for number, (name, tool) in enumerate(tools.items(), 1):
        where = document.keys.get((id(tools), name), f"tool {number}")
        if isinstance(tool, dict):
            yield where, {"name": name, **tool}
        else:
            yield f"{where} “{storable_text(name[:60])}”", tool
