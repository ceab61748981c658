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
            named: list[tuple[str, Any]] = [("", document.value)]
        case {"tools": dict(tools)} | dict(tools) if any(isinstance(tool, dict) for tool in tools.values()):
            named = list(tools.items())
        case {"tools": list(tools)} | list(tools):
            named = [("", tool) for tool in tools]
        case _:
            raise SourceError(
                "There is no list of tools here. Expected is “tools:” with a list, or with each tool under its name."
            )
    for number, (name, tool) in enumerate(named, 1):
        where = document.places.get(
            id(tool), f"tool {number} “{storable_text(name[:60])}”" if name else f"tool {number}"
        )
        yield where, {"name": name, **tool} if name and isinstance(tool, dict) else tool
