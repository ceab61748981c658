"""Reading an OpenAPI document: its operations as tools, one by one. A bad operation costs that operation, and says why."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from catalog.sources.listing import MAX_PROBLEMS, Problem
from catalog.sources.openapi.document import load_document
from catalog.sources.openapi.operations import Operation, Operations
from catalog.sources.openapi.references import References, Unreadable, below
from catalog.sources.openapi.security import Scheme, read_schemes
from catalog.sources.storable import UnfitError, storable_text

METHODS = ("get", "head", "post", "put", "patch", "delete", "options")
MAX_OPERATIONS = 20_000
DOCUMENT = "the document"
"""Where a problem lies that is no operation's own."""


@dataclass(frozen=True, slots=True)
class ApiListing:
    """All that was read of a document. `addresses` are those at which it says that the API is served."""

    title: str = ""
    version: str = ""
    addresses: tuple[str, ...] = ()
    schemes: tuple[Scheme, ...] = ()
    operations: tuple[Operation, ...] = ()
    problems: tuple[Problem, ...] = ()


def read(content: bytes, address: str = "") -> ApiListing:
    """Read a document that was found at `address`, or uploaded. Raises SourceError if it is none as a whole."""
    document, remarks = load_document(content)
    reading = Operations(document, address)
    schemes, more = read_schemes(document, reading.references)
    problems = [Problem(DOCUMENT, remark) for remark in [*remarks, *more]]
    operations = tuple(_operations(document, reading, problems))
    information = document.get("info")
    return ApiListing(
        title=_text(information, "title"),
        version=_text(information, "version"),
        addresses=reading.addresses,
        schemes=tuple(schemes.values()),
        operations=operations,
        problems=_bounded(problems),
    )


def _operations(document: dict[str, Any], reading: Operations, problems: list[Problem]) -> Iterator[Operation]:
    for count, (method, path, entry, pointer) in enumerate(_found(document, reading.references, problems)):
        if count >= MAX_OPERATIONS:
            problems.append(Problem(DOCUMENT, f"Only the first {MAX_OPERATIONS:,} operations are read."))
            return
        where = f"{method.upper()} {_short(path)}"
        try:
            operation, notes = reading.read(method, path, entry, pointer)
        except UnfitError as unfit:
            lies = getattr(unfit, "pointer", "") or below(pointer, method)
            problems.append(Problem(f"{where} ({_short(lies)})", f"It is left out: {unfit}."))
        else:
            problems += [Problem(where, f"It is kept, but {note}.") for note in notes]
            yield operation


def _found(
    document: dict[str, Any], references: References, problems: list[Problem]
) -> Iterator[tuple[str, str, dict[str, Any], str]]:
    """Method, path, what the path holds and the pointer to that, for each operation that the document names."""
    paths = document.get("paths")
    if not isinstance(paths, dict):
        problems.append(Problem(DOCUMENT, "It has no paths, so that there is nothing to call."))
        return
    for path, value in paths.items():
        if path.startswith("x-"):
            continue
        try:
            entry, pointer = references.follow(value, below("#/paths", path))
            _check_path(path, entry, pointer)
        except Unreadable as unfit:
            problems.append(Problem(f"{_short(path)} ({_short(unfit.pointer)})", f"It is left out: {unfit}."))
            continue
        yield from ((method, path, entry, pointer) for method in METHODS if method in entry)
        if "trace" in entry:
            problems.append(Problem(f"TRACE {_short(path)}", "It is left out: TRACE is not called."))


def _check_path(path: str, entry: Any, pointer: str) -> None:
    if not isinstance(entry, dict):
        raise Unreadable("it is not an object", pointer)
    is_plain = path.startswith("/") and not any(char in path for char in "?#\\") and path.isprintable()
    if not is_plain or len(path) > 1_000 or any(part in (".", "..") for part in path.split("/")):
        raise Unreadable("this is not a path that can be called", pointer)


def _text(information: Any, key: str) -> str:
    found = information.get(key) if isinstance(information, dict) else None
    return storable_text(str(found))[:200] if isinstance(found, str | int | float) else ""


def _short(text: str) -> str:
    return storable_text(text)[:300]


def _bounded(problems: list[Problem]) -> tuple[Problem, ...]:
    if len(problems) <= MAX_PROBLEMS:
        return tuple(problems)
    return (*problems[:MAX_PROBLEMS], Problem("", f"More than {MAX_PROBLEMS:,} problems: the rest is not shown."))
