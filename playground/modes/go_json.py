"""JSON as Go's encoding/json reads and writes it: for modes whose system is a Go program (T6).

Errors are told in Go's words, since an agent sees them.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

Kind = Literal["string", "int"]

_ESCAPED = {ord(char): f"\\u{ord(char):04x}" for char in "<>&\u2028\u2029"}
_SPACE = frozenset(" \t\r\n")
_DIGITS = frozenset("0123456789")
_HEX = frozenset("0123456789abcdefABCDEF")
_INT64 = 1 << 63


class GoJsonError(ValueError):
    """The message is Go's."""


def go_dumps(value: Any, *, indent: int | None = None) -> str:
    """`<`, `>`, `&` and the two line separators escaped; compact unless indented."""
    separators = (",", ":") if indent is None else (",", ": ")
    return json.dumps(value, ensure_ascii=False, separators=separators, indent=indent).translate(_ESCAPED)


def read_struct(text: str, struct: str, fields: Mapping[str, Kind]) -> dict[str, str | int]:
    """The fields that the text gives; keys match whatever their case, of repeated ones the last counts, null is none.

    `struct` is the Go type, as in `toolsearch.toolSearchArgs`. Raises GoJsonError.
    """
    _Scanner(text).check()
    try:
        value = json.loads(text, parse_int=_Number, parse_float=_Number, object_pairs_hook=_Pairs)
    except RecursionError:
        raise GoJsonError("exceeded max depth") from None
    if value is None:
        return {}
    if not isinstance(value, _Pairs):
        raise GoJsonError(f"json: cannot unmarshal {_kind(value)} into Go value of type {struct}")
    return _fields(value, struct.rpartition(".")[2], fields)


class _Number(str):
    """A number as it is written."""


class _Pairs(list[tuple[str, Any]]):
    """The members of an object, in order."""


def _fields(pairs: _Pairs, struct: str, fields: Mapping[str, Kind]) -> dict[str, str | int]:
    """Go reads on after a value of the wrong type, and tells of the first."""
    found: dict[str, str | int] = {}
    errors: list[GoJsonError] = []
    for key, value in pairs:
        name = key if key in fields else next((name for name in fields if name.lower() == key.lower()), None)
        if name is None or value is None:
            continue
        try:
            found[name] = _field(value, f"{struct}.{name}", fields[name])
        except GoJsonError as error:
            errors.append(error)
    if errors:
        raise errors[0]
    return found


def _field(value: Any, where: str, kind: Kind) -> str | int:
    if kind == "string" and isinstance(value, str) and not isinstance(value, _Number):
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if kind == "int" and isinstance(value, _Number):
        if value.lstrip("-").isdecimal() and -_INT64 <= int(value) < _INT64:
            return int(value)
        raise GoJsonError(f"json: cannot unmarshal number {value} into Go struct field {where} of type int")
    raise GoJsonError(f"json: cannot unmarshal {_kind(value)} into Go struct field {where} of type {kind}")


def _kind(value: Any) -> str:
    match value:
        case _Number():
            return "number"
        case _Pairs():
            return "object"
        case bool():
            return "bool"
        case str():
            return "string"
        case _:
            return "array"


@dataclass(slots=True)
class _Scanner:
    """Finds the first place where a text is no JSON, as Go's scanner does."""

    text: str
    at: int = 0

    def check(self) -> None:
        self._value()
        self._space()
        if self.at < len(self.text):
            raise self._unexpected("after top-level value")

    def _peek(self) -> str:
        if self.at >= len(self.text):
            raise GoJsonError("unexpected end of JSON input")
        return self.text[self.at]

    def _space(self) -> None:
        while self.at < len(self.text) and self.text[self.at] in _SPACE:
            self.at += 1

    def _next(self) -> str:
        """The next character that is no space."""
        self._space()
        return self._peek()

    def _unexpected(self, where: str) -> GoJsonError:
        return GoJsonError(f"invalid character {_quoted(self.text[self.at])} {where}")

    def _value(self) -> None:
        """Values nest on a stack of their own: a model may write any depth."""
        open_ends: list[str] = []
        while True:
            opened = self._begin(self._next())
            if opened:
                open_ends.append(opened)
                continue
            if not self._after(open_ends):
                return

    def _begin(self, char: str) -> str:
        """Read a whole simple value, or the beginning of one that holds others, whose end is returned."""
        match char:
            case "{" | "[":
                self.at += 1
                return self._opened(char)
            case '"':
                self._string()
            case "t" | "f" | "n":
                self._literal({"t": "true", "f": "false", "n": "null"}[char])
            case _ if char == "-" or char in _DIGITS:
                self._number()
            case _:
                raise self._unexpected("looking for beginning of value")
        return ""

    def _opened(self, char: str) -> str:
        end = "}" if char == "{" else "]"
        if self._next() == end:
            self.at += 1
            return ""
        if char == "{":
            self._key()
        return end

    def _after(self, open_ends: list[str]) -> bool:
        """Read on to where the next value begins; whether there is one."""
        while open_ends:
            end, char = open_ends[-1], self._next()
            if char == ",":
                self.at += 1
                if end == "}":
                    self._next()
                    self._key()
                return True
            if char != end:
                raise self._unexpected(f"after {'object key:value pair' if end == '}' else 'array element'}")
            self.at += 1
            open_ends.pop()
        return False

    def _key(self) -> None:
        if self._peek() != '"':
            raise self._unexpected("looking for beginning of object key string")
        self._string()
        if self._next() != ":":
            raise self._unexpected("after object key")
        self.at += 1

    def _string(self) -> None:
        self.at += 1
        while (char := self._peek()) != '"':
            if char < " ":
                raise self._unexpected("in string literal")
            self.at += 1
            if char == "\\":
                self._escape()
        self.at += 1

    def _escape(self) -> None:
        char = self._peek()
        if char not in 'bfnrt\\/"u':
            raise self._unexpected("in string escape code")
        self.at += 1
        if char == "u":
            for _ in range(4):
                if self._peek() not in _HEX:
                    raise self._unexpected("in \\u hexadecimal character escape")
                self.at += 1

    def _literal(self, word: str) -> None:
        for expected in word:
            if self._peek() != expected:
                raise self._unexpected(f"in literal {word} (expecting {_quoted(expected)})")
            self.at += 1

    def _number(self) -> None:
        if self._peek() == "-":
            self.at += 1
        if self._peek() not in _DIGITS:
            raise self._unexpected("in numeric literal")
        if self.text[self.at] == "0":
            self.at += 1
        else:
            self._digits()
        if self._here() == ".":
            self.at += 1
            self._some_digits("after decimal point in numeric literal")
        if self._here() in ("e", "E"):
            self.at += 1
            if self._here() in ("+", "-"):
                self.at += 1
            self._some_digits("in exponent of numeric literal")

    def _here(self) -> str:
        return self.text[self.at : self.at + 1]

    def _digits(self) -> None:
        while self._here() in _DIGITS:
            self.at += 1

    def _some_digits(self, where: str) -> None:
        if self._peek() not in _DIGITS:
            raise self._unexpected(where)
        self._digits()


def _quoted(char: str) -> str:
    """One byte as Go's scanner quotes it: of a character beyond ASCII, the first of its bytes."""
    if char == "'":
        return r"'\''"
    if char == '"':
        return "'\"'"
    first = chr(char.encode("utf-8", "surrogatepass")[0])
    return f"'{''.join(_escaped(first))}'"


def _escaped(char: str) -> Iterator[str]:
    named = {"\a": r"\a", "\b": r"\b", "\f": r"\f", "\n": r"\n", "\r": r"\r", "\t": r"\t", "\v": r"\v", "\\": r"\\"}
    if char in named:
        yield named[char]
    elif char.isprintable():
        yield char
    else:
        yield f"\\x{ord(char):02x}" if ord(char) < 0x80 else f"\\u{ord(char):04x}"
