"""Characters of a text that a reader cannot see: shown as chips to people, left out for the index and the model.

Joiners stay where a script or an emoji needs them; everything else that is invisible can only mislead.
"""

import json
import re
import unicodedata
from dataclasses import dataclass
from typing import Any

_SUSPECT = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f"
    "\u3164\ud800-\udfff\ue000-\uf8ff\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
    "\U000e0000-\U000e0fff\U000f0000-\U0010ffff]"
)
_ESCAPED = ("\\u", "\\b", "\\f", "\\r", "\x7f")
"""What stands in an ASCII JSON text if a character that it spells could be one of them."""
_LINE_ENDS = {"\r": "\n", "\u2028": "\n", "\u2029": "\n"}
_ZERO_WIDTH_NON_JOINER, _ZERO_WIDTH_JOINER = "\u200c", "\u200d"
_TEXT_STYLE, _EMOJI_STYLE = "\ufe0e", "\ufe0f"
_KEYCAPS = frozenset("0123456789#*")
_CONTROLS = {0x1B: "ESCAPE", 0x00: "NULL", 0x07: "BELL", 0x08: "BACKSPACE", 0x0D: "CARRIAGE RETURN", 0x7F: "DELETE"}


@dataclass(frozen=True, slots=True)
class Span:
    """A run of visible text, or one invisible character: then `codepoint` is 'U+202E' and `text` the character."""

    text: str
    codepoint: str = ""
    meaning: str = ""


def spans(text: str) -> list[Span]:
    """The text cut at each invisible character, in order; the texts of all spans joined are the text."""
    found: list[Span] = []
    start = 0
    for match in _SUSPECT.finditer(text):
        place = match.start()
        if _belongs(text, place, text[place - 1 : place]) or text[place : place + 2] == "\r\n":
            continue
        if start < place:
            found.append(Span(text[start:place]))
        found.append(Span(match[0], f"U+{ord(match[0]):04X}", _meaning(match[0])))
        start = match.end()
    if start < len(text):
        found.append(Span(text[start:]))
    return found


def has_invisible(text: str) -> bool:
    return any(span.codepoint for span in spans(text))


def cleaned(text: str) -> str:
    """The text without its invisible characters, every line end made a newline. Twice changes no more than once."""
    if not _SUSPECT.search(text):
        return text
    text = text.replace("\r\n", "\n")
    kept: list[str] = []
    start = 0
    last = ""
    for match in _SUSPECT.finditer(text):
        place = match.start()
        if start < place:
            kept.append(text[start:place])
            last = text[place - 1]
        char = _LINE_ENDS.get(match[0]) or (match[0] if _belongs(text, place, last) else "")
        if char:
            kept.append(char)
            last = char
        start = match.end()
    kept.append(text[start:])
    return "".join(kept)


def cleaned_json(value: Any) -> Any:
    """The JSON value with every text and key in it cleaned; of two keys that become one the last stays."""
    text = json.dumps(value)
    return _cleaned_parts(value) if any(sign in text for sign in _ESCAPED) else value


def _cleaned_parts(value: Any) -> Any:
    match value:
        case str():
            return cleaned(value)
        case dict():
            return {cleaned(key): _cleaned_parts(part) for key, part in value.items()}
        case list():
            return [_cleaned_parts(part) for part in value]
    return value


def _belongs(text: str, place: int, before: str) -> bool:
    """Whether the invisible character at `place` is part of the writing; `before` is the visible one ahead of it."""
    char = text[place]
    after = text[place + 1 : place + 2]
    if char == _ZERO_WIDTH_JOINER and (_is_pictograph(before) or before == _EMOJI_STYLE) and _is_pictograph(after):
        return True
    if char in (_ZERO_WIDTH_JOINER, _ZERO_WIDTH_NON_JOINER):
        return _joins(before) and _joins(after)
    if char in (_TEXT_STYLE, _EMOJI_STYLE):
        return _is_pictograph(before) or (before in _KEYCAPS and after == "\u20e3")
    return False


def _is_pictograph(char: str) -> bool:
    """Emoji and the symbols that can be shown as emoji, skin tones included."""
    return bool(char) and (
        unicodedata.category(char) == "So" or "\U0001f3fb" <= char <= "\U0001f3ff" or char in "↔©®‼⁉"
    )


def _joins(char: str) -> bool:
    """Letters and marks of the scripts in which joiners change a word: Arabic and its kin, India's, Mongolian."""
    return bool(char) and ("\u0600" <= char <= "\u08ff" or "\u0900" <= char <= "\u0dff" or "\u1800" <= char <= "\u18af")


def _meaning(char: str) -> str:
    named = unicodedata.name(char, "") or _CONTROLS.get(ord(char), "")
    if named:
        return named.lower()
    kinds = {"Cc": "control character", "Cs": "half a character", "Co": "private use character"}
    return kinds.get(unicodedata.category(char), "unassigned character")
