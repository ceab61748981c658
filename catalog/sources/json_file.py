"""Lists of tools in JSON: one document, or JSON Lines with one tool a line."""

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from catalog.sources.errors import SourceError
from catalog.sources.json_comments import without_comments
from catalog.sources.json_text import JsonParsing, place_in, why_not
from catalog.sources.listing import Listing, Problem, numbered, read_entries, tool_list

MAX_BYTES = 64 * 1024 * 1024
"""Of a file with a list of tools, unpacked."""


def read_text(text: str) -> Listing:
    """The tools. Raises SourceError with the place (line and column) if the file as a whole cannot be read."""
    if not text.strip():
        raise SourceError("The file is empty.")
    if text.lstrip().startswith("/"):
        text = without_comments(text)
    parsing = JsonParsing()
    try:
        document = parsing.load(text)
    except json.JSONDecodeError as error:
        if error.msg == "Extra data" and _is_lines(text):
            return _read_lines(text)
        raise SourceError(f"The file is not valid JSON: {place_in(text, error.pos)}: {error.msg.lower()}.") from None
    except (RecursionError, ValueError):
        raise SourceError(why_not(text)) from None
    del text
    return _with_repeated_keys(read_entries(numbered(_taken_out(tool_list(document))), curated=True), parsing)


def _taken_out(entries: list[Any]) -> Iterator[Any]:
    """Each in its order. Of a large file, what was parsed and what is made of it need not be held at once."""
    entries.reverse()
    while entries:
        yield entries.pop()


def _read_lines(text: str) -> Listing:
    parsing = JsonParsing()
    listing = read_entries(_entries(text, parsing), curated=True)
    unread = tuple(Problem(where, f"It is left out: {message}.") for where, message in parsing.unread)
    return _with_repeated_keys(replace(listing, problems=unread + listing.problems), parsing)


def _entries(text: str, parsing: JsonParsing) -> Iterator[tuple[str, Any]]:
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            try:
                entry = parsing.load(line)
            except json.JSONDecodeError as error:
                parsing.unread.append(
                    (f"line {number}, column {error.pos + 1}", f"not valid JSON: {error.msg.lower()}")
                )
            except (RecursionError, ValueError):
                parsing.unread.append((f"line {number}", "nested too deeply, or with NaN or a number too long"))
            else:
                yield f"line {number}", entry


def _with_repeated_keys(listing: Listing, parsing: JsonParsing) -> Listing:
    if not parsing.repeated:
        return listing
    return replace(listing, problems=(Problem("the file", parsing.on_repeated_keys), *listing.problems))


def _is_lines(text: str) -> bool:
    first = next(line for line in text.split("\n") if line.strip())
    try:
        return isinstance(json.loads(first), dict)
    except (RecursionError, ValueError):
        return False
