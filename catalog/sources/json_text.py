"""JSON as strangers send it: unpacked, decoded and parsed strictly, and what is wrong with it said with its place."""

import json
import math
import re
import zlib
from dataclasses import dataclass, field
from typing import Any

from catalog.sharing import LONGEST, shared
from catalog.sources.errors import SourceError

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"?|[\[{]|[\]}]|-?Infinity|NaN', re.DOTALL)
_HALF = re.compile("[\ud800-\udfff]")
_MAX_NESTING = 500
MAX_DEPTH = 64
"""Of a value that goes on to a server."""
_MAX_REPEATED = 20


@dataclass(slots=True)
class JsonParsing:
    """JSON read strictly: NaN and infinity are refused, keys written twice are remembered (the last one counts)."""

    repeated: dict[str, None] = field(default_factory=dict)
    unread: list[tuple[str, str]] = field(default_factory=list)

    def load(self, text: str) -> Any:
        return json.loads(text, object_pairs_hook=self._object, parse_constant=_refuse)

    def _object(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = {key: _kept_once(value) for key, value in pairs}
        if len(found) < len(pairs) and len(self.repeated) < _MAX_REPEATED:
            keys = [key for key, _ in pairs]
            self.repeated.update(dict.fromkeys(key for key in found if keys.count(key) > 1))
        return found

    @property
    def on_repeated_keys(self) -> str:
        """The remark on keys that were written twice."""
        keys = ", ".join(f"“{key[:60]}”" for key in self.repeated)
        return f"An object holds a key twice, and the last one counts: {keys}."


def _kept_once(value: Any) -> Any:
    """Of a large file a third is a few words: types, formats, names of servers."""
    return shared(value) if isinstance(value, str) and len(value) <= LONGEST else value


def _refuse(constant: str) -> float:
    raise ValueError(f"{constant} is no JSON number")


def load_strict(text: str, *, last_counts: bool = False) -> Any:
    """The value of a JSON text that goes on to a server, so that every parser there reads the same.

    Raises ValueError with a reason for who wrote it: NaN, a number beyond all, half a character, deeper than MAX_DEPTH,
    or, unless the `last_counts`, a key that stands twice in an object.
    """
    parsing = JsonParsing()
    try:
        value = parsing.load(text)
    except RecursionError:
        raise ValueError(_TOO_DEEP) from None
    if parsing.repeated and not last_counts:
        raise ValueError(f"the key {json.dumps(next(iter(parsing.repeated))[:60])} stands twice in an object")
    _check_fit(value)
    return value


_TOO_DEEP = f"it is nested deeper than {MAX_DEPTH} levels"


def _check_fit(value: Any) -> None:
    level, depth = [value], 0
    while level:
        below: list[Any] = []
        for one in level:
            if isinstance(one, dict):
                below += [*one.keys(), *one.values()]
            elif isinstance(one, list):
                below += one
            elif isinstance(one, str) and not one.isascii() and _HALF.search(one):
                raise ValueError("it holds half of a character (a lone surrogate)")
            elif isinstance(one, float) and not math.isfinite(one):
                raise ValueError("it holds a number that is too large")
        if depth == MAX_DEPTH and any(isinstance(one, dict | list) for one in level):
            raise ValueError(_TOO_DEEP)
        level, depth = below, depth + 1


def inflated(content: bytes, limit: int) -> bytes:
    """The content without gzip, if it has any. Raises SourceError above `limit` bytes."""
    if content[:2] == b"\x1f\x8b":
        inflater = zlib.decompressobj(zlib.MAX_WBITS | 16)
        try:
            content = inflater.decompress(content, limit + 1)
        except zlib.error:
            raise SourceError("The file looks like gzip but cannot be unpacked. Is it complete?") from None
        if len(content) <= limit and not inflater.eof:
            raise SourceError("The gzip file ends too early. Is it complete?")
    if len(content) > limit:
        raise SourceError(f"The file is larger than {limit // 1024**2} MB. Split it into several files.")
    return content


def decoded(content: bytes) -> str:
    """The content as text. Raises SourceError where it is not UTF-8."""
    if content[:2] in (b"\xff\xfe", b"\xfe\xff"):
        raise SourceError("The file is UTF-16. Save it as UTF-8.")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = content[: error.start].decode("utf-8-sig", "replace")
        raise SourceError(f"The file is not UTF-8: {place_in(before, len(before))}. Save it as UTF-8.") from None


def why_not(text: str) -> str:
    """The first thing in the text that strict JSON refuses though its grammar of brackets and texts holds."""
    depth = 0
    for token in _TOKEN.finditer(text):
        if token[0] in "[{":
            depth += 1
        elif token[0] in "]}":
            depth -= 1
        elif token[0][0] != '"':
            return f"{place_in(text, token.start()).capitalize()}: {token[0]} is not a JSON number. Write null or a number."
        if depth > _MAX_NESTING:
            return f"{place_in(text, token.start()).capitalize()}: the file is nested too deeply to be read."
    return "The file holds a whole number of more than 4,300 digits."


def place_in(text: str, position: int) -> str:
    line = text.count("\n", 0, position) + 1
    column = position - (text.rfind("\n", 0, position) + 1) + 1
    return f"line {line}, column {column}"


def object_or_list(text: str) -> Any:
    """The value of a JSON text that is an object or a list; None of any other text."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict | list) else None
