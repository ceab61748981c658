"""Text as Go's standard library reads it, where that differs from Python's own reading."""

import re
from unicodedata import category

_SPACE = "\t\n\v\f\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000"
_BETWEEN_WORDS = re.compile(f"[{_SPACE}]+")
_AROUND = re.compile(rf"\A[{_SPACE}]+|[{_SPACE}]+\Z")


def go_lower(text: str) -> str:
    """`strings.ToLower`: each character becomes one, wherever it stands (T1)."""
    return text.replace("İ", "i").replace("Σ", "σ").lower()


def go_trim(text: str) -> str:
    """`strings.TrimSpace` (T2)."""
    return _AROUND.sub("", text)


def go_words(text: str) -> list[str]:
    """`strings.Fields` (T2)."""
    return [word for word in _BETWEEN_WORDS.split(text) if word]


def is_go_upper(char: str) -> bool:
    """`unicode.IsUpper`."""
    return category(char) == "Lu"


def is_go_lower(char: str) -> bool:
    """`unicode.IsLower`; Python's own question counts `ª` too."""
    return category(char) == "Ll"
