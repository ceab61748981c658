"""Keeping secrets out of what is recorded, logged, shown and exported.

Known secrets are found in every form in which they are likely to come back; unknown ones by their usual look.
"""

import base64
import html
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any
from urllib.parse import quote, quote_plus

import re2

MASK = "••••"
MIN_LENGTH = 6
"""A known secret shorter than this is not looked for: it would blot out ordinary words."""
UNBROKEN = 400
"""Characters up to which text without white space stays together where a text arrives in pieces."""
_MIN_ENCODED = 8
_MAX_DEPTH = 200

_LOOKS_SECRET = r"""(?s)-----BEGIN [A-Z ]*PRIVATE KEY-----.*?-----END [A-Z ]*PRIVATE KEY-----""" + "".join(
    "|" + shape
    for shape in (
        r"\bsk-[A-Za-z0-9_-]{16,}",
        r"\bgh[pousr]_[A-Za-z0-9]{16,}",
        r"\bgithub_pat_[A-Za-z0-9_]{16,}",
        r"\bglpat-[A-Za-z0-9_-]{16,}",
        r"\bxox[abeoprs]-[A-Za-z0-9-]{8,}",
        r"\b(?:AKIA|ASIA)[0-9A-Z]{16}\b",
        r"\bAIza[0-9A-Za-z_-]{30,}",
        r"\bhf_[A-Za-z0-9]{20,}",
        r"\b(?:[rs]k_(?:live|test)_|whsec_|npm_|pypi-|gsk_|xai-|dop_v1_|shpat_|GOCSPX-|ya29\.)[A-Za-z0-9_-]{16,}",
        r"\bSG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}",
        r"\bey[A-Za-z0-9_-]{8,}\.ey[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*",
    )
)
_NAMED = r"(?:(?:x[_-])?api[_-]?key|(?:access|auth|refresh|session)[_-]?token|client[_-]?secret|secret[_-]?key"
_NAMED += r"|access[_-]?key|passw(?:or)?d|passphrase)"
_SCHEME = r"(?i)\b((?:bearer|basic)\s+)[A-Za-z0-9._~+/=-]{8,}"
_ASSIGNED = rf"(?i)({_NAMED}\s*=\s*[\"']?)[^\s\"'&,;<>}}•]{{4,}}"
_QUOTED = rf"(?i)({_NAMED}\\?[\"']?\s*:\s*\\?[\"'])[^\s\"'\\•]{{4,}}"
_HEADER = rf"(?im)((?:{_NAMED}|authorization|cookie)\s*:[ \t]*)[^\s\"'\\{{\[•]{{12,}}"
_IN_URL = r"(://)[^\s/@:\"'<>•]*:[^\s/@\"'<>•]+@"
_SECRET_KEY = rf"(?i){_NAMED}|authorization|proxy-authorization|cookie|set-cookie"


_EVEN = re.compile(r"[!-~]+")
_UNBROKEN_END = re.compile(r"[!-~]+\Z")


def _compiled(pattern: str) -> Any:
    options = re2.Options()
    options.log_errors = False
    return re2.compile(pattern, options)


_AFTER_A_NAME = (_SCHEME, _ASSIGNED, _QUOTED, _HEADER)
_REPLACEMENTS = [
    (_compiled(_LOOKS_SECRET), MASK.encode()),
    *((_compiled(pattern), rf"\1{MASK}".encode()) for pattern in _AFTER_A_NAME),
    (_compiled(_IN_URL), rf"\1{MASK}@".encode()),
]
_ANY = _compiled("|".join(f"(?:{pattern})" for pattern in (_LOOKS_SECRET, *_AFTER_A_NAME, _IN_URL)))
"""Finds something wherever one of the replacements does: most texts hold nothing, and are searched once."""
_KEY = _compiled(_SECRET_KEY)


class Redactor:
    """Replaces each known secret, and what looks like one, by `••••`. Linear in the length of the text."""

    def __init__(self, secrets: Iterable[str] = ()) -> None:
        forms = {form for secret in secrets if len(secret) >= MIN_LENGTH for form in _forms(secret)}
        self._forms = sorted(forms, key=len, reverse=True)
        self._uneven = [form for form in self._forms if len(form) > UNBROKEN or not _EVEN.fullmatch(form)]

    def held(self, text: str) -> int:
        """How many characters at the end of a text that goes on have to stay back, as half a secret cannot be recognised:
        an unbroken end of up to UNBROKEN characters, and a known secret that would be cut, whole or only begun.
        """
        end = _UNBROKEN_END.search(text[-UNBROKEN:])
        unbroken = len(end[0]) if end else 0
        forms = self._forms if unbroken == UNBROKEN else self._uneven
        return len(text) - _uncut(text, len(text) - unbroken, forms)

    def text(self, text: str) -> str:
        for form in self._forms:
            text = text.replace(form, MASK)
        raw = text.encode("utf-8", "surrogatepass")
        if not _ANY.search(raw):
            return text
        for pattern, mask in _REPLACEMENTS:
            if pattern.search(raw):
                raw = pattern.sub(mask, raw)
        return raw.decode("utf-8", "surrogatepass")

    def json(self, value: Any) -> Any:
        """A copy of a JSON value, keys and texts redacted; the text under a key like `password` goes whole."""
        return self._copy(value, 0)

    def _copy(self, value: Any, depth: int) -> Any:
        if depth > _MAX_DEPTH:
            return MASK
        match value:
            case str():
                return self.text(value)
            case dict():
                return {self.text(str(key)): self._under(key, part, depth) for key, part in value.items()}
            case list() | tuple():
                return [self._copy(part, depth + 1) for part in value]
        return value

    def _under(self, key: Any, value: Any, depth: int) -> Any:
        if isinstance(value, str) and value and isinstance(key, str) and _KEY.fullmatch(key):
            return MASK
        return self._copy(value, depth + 1)


def _uncut(text: str, place: int, forms: Sequence[str]) -> int:
    """The last place up to this one at which the text can be cut without cutting one of the forms."""
    while (cut := min((_start_of(form, text, place) for form in forms), default=place)) < place:
        place = cut
    return place


def _start_of(form: str, text: str, place: int) -> int:
    """Where the form begins that is cut at `place`, as far as the text goes; `place` itself if it is not cut."""
    start = text.find(form[0], max(0, place - len(form) + 1), place)
    while start >= 0 and not form.startswith(text[start : start + len(form)]):
        start = text.find(form[0], start + 1, place)
    return start if start >= 0 else place


def _forms(secret: str) -> Iterator[str]:
    """The secret as it stands, and as JSON, a URL, HTML, hexadecimal or base64 would carry it."""
    yield secret
    raw = secret.encode("utf-8", "surrogatepass")
    encoded = [json.dumps(secret)[1:-1], json.dumps(secret, ensure_ascii=False)[1:-1], html.escape(secret), raw.hex()]
    encoded += [quote(raw, safe=""), quote_plus(raw), quote(raw)]
    encoded += [form for shift in range(3) for form in _base64_cores(raw, shift)]
    for form in encoded:
        if len(form) >= _MIN_ENCODED:
            yield form


def _base64_cores(raw: bytes, shift: int) -> tuple[str, str]:
    """What base64 makes of the secret wherever it begins in a text, less the letters that its neighbours share."""
    first = (0, 2, 3)[shift]
    last = (shift + len(raw)) * 8 // 6
    padded = bytes(shift) + raw
    return base64.b64encode(padded).decode()[first:last], base64.urlsafe_b64encode(padded).decode()[first:last]
