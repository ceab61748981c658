"""Lists of tools in a file: one JSON document, or JSON Lines with one tool a line; either may be gzipped."""

import json
import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from catalog.sources.errors import SourceError
from catalog.sources.listing import Listing, Problem, read_entries, read_listing

MAX_BYTES = 64 * 1024 * 1024
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"?|[\[{]|[\]}]|-?Infinity|NaN', re.DOTALL)
_MAX_NESTING = 500
_MAX_REPEATED = 20


def read(content: bytes) -> Listing:
    """The tools, under names that are unique in the file: tools of several servers are named `server__tool`.

    Raises SourceError with the place (line and column) if the file as a whole cannot be read.
    """
    return _read(content).as_one_server()


def _read(content: bytes) -> Listing:
    text = _text(_inflated(content))
    if not text.strip():
        raise SourceError("The file is empty.")
    parsing = _Parsing()
    try:
        document = parsing.load(text)
    except json.JSONDecodeError as error:
        if error.msg == "Extra data" and _is_lines(text):
            return _read_lines(text)
        raise SourceError(f"The file is not valid JSON: {_at(text, error.pos)}: {error.msg.lower()}.") from None
    except (RecursionError, ValueError):
        raise SourceError(_why_not(text)) from None
    return parsing.with_repeated_keys(read_listing(document, curated=True), "the file")


def _read_lines(text: str) -> Listing:
    parsing = _Parsing()
    listing = read_entries(_entries(text, parsing), curated=True)
    unread = tuple(Problem(where, f"It is left out: {message}.") for where, message in parsing.unread)
    return parsing.with_repeated_keys(replace(listing, problems=unread + listing.problems), "the file")


def _entries(text: str, parsing: "_Parsing") -> Iterator[tuple[str, Any]]:
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


@dataclass(slots=True)
class _Parsing:
    """JSON read strictly: NaN and infinity are refused, keys written twice are remembered (the last one counts)."""

    repeated: dict[str, None] = field(default_factory=dict)
    unread: list[tuple[str, str]] = field(default_factory=list)

    def load(self, text: str) -> Any:
        return json.loads(text, object_pairs_hook=self._object, parse_constant=_refuse)

    def _object(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) < len(pairs) and len(self.repeated) < _MAX_REPEATED:
            keys = [key for key, _ in pairs]
            self.repeated.update(dict.fromkeys(key for key in found if keys.count(key) > 1))
        return found

    def with_repeated_keys(self, listing: Listing, where: str) -> Listing:
        if not self.repeated:
            return listing
        keys = ", ".join(f"“{key[:60]}”" for key in self.repeated)
        problem = Problem(where, f"An object holds a key twice, and the last one counts: {keys}.")
        return replace(listing, problems=(problem, *listing.problems))


def _refuse(constant: str) -> float:
    raise ValueError(constant)


def _is_lines(text: str) -> bool:
    first = next(line for line in text.split("\n") if line.strip())
    try:
        return isinstance(json.loads(first), dict)
    except (RecursionError, ValueError):
        return False


def _inflated(content: bytes) -> bytes:
    if content[:2] == b"\x1f\x8b":
        inflater = zlib.decompressobj(zlib.MAX_WBITS | 16)
        try:
            content = inflater.decompress(content, MAX_BYTES + 1)
        except zlib.error:
            raise SourceError("The file looks like gzip but cannot be unpacked. Is it complete?") from None
        if len(content) <= MAX_BYTES and not inflater.eof:
            raise SourceError("The gzip file ends too early. Is it complete?")
    if len(content) > MAX_BYTES:
        raise SourceError(f"The file is larger than {MAX_BYTES // 1024**2} MB. Split it into several files.")
    return content


def _text(content: bytes) -> str:
    if content[:2] in (b"\xff\xfe", b"\xfe\xff"):
        raise SourceError("The file is UTF-16. Save it as UTF-8.")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = content[: error.start].decode("utf-8-sig", "replace")
        raise SourceError(f"The file is not UTF-8: {_at(before, len(before))}. Save it as UTF-8.") from None


def _why_not(text: str) -> str:
    """The first thing in the text that strict JSON refuses though its grammar of brackets and texts holds."""
    depth = 0
    for token in _TOKEN.finditer(text):
        if token[0] in "[{":
            depth += 1
        elif token[0] in "]}":
            depth -= 1
        elif token[0][0] != '"':
            return f"{_at(text, token.start()).capitalize()}: {token[0]} is not a JSON number. Write null or a number."
        if depth > _MAX_NESTING:
            return f"{_at(text, token.start()).capitalize()}: the file is nested too deeply to be a list of tools."
    return "The file holds a whole number of more than 4,300 digits."


def _at(text: str, position: int) -> str:
    line = text.count("\n", 0, position) + 1
    column = position - (text.rfind("\n", 0, position) + 1) + 1
    return f"line {line}, column {column}"
