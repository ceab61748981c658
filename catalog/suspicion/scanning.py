"""Every text of a tool's definition, its schema's included, looked through for what a person should see."""

import base64
import binascii
import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from catalog.invisible import spans
from catalog.suspicion.finding import Suspicion
from catalog.suspicion.orders import ANY_ORDER, ORDERS
from catalog.suspicion.plain_form import PlainForm, plain_forms

TEXTS_OF = ("name", "title", "description", "parameters", "output_schema", "annotations", "localised", "files")
MAX_DEPTH = 64
MOST_FOUND = 50
"""Suspicions told of one tool."""
MOST_CHARACTERS = 200_000
"""Of one text; what lies beyond is not looked at, and that is told."""
SHORT = 100
"""Characters of a text that is worth remembering."""
_ENCODED = re.compile(r"[A-Za-z0-9+/_-]{40,}={0,2}")


def scan(definition: Mapping[str, Any]) -> tuple[Suspicion, ...]:
    """What stands in a definition (the fields `TEXTS_OF`, as a source wrote them), in the order of its fields."""
    found: list[Suspicion] = []
    for name in TEXTS_OF:
        for where, text in _texts(definition.get(name), name, MAX_DEPTH):
            found.extend(suspicion for suspicion in scan_text(where, text) if not _is_due(name, suspicion))
            if len(found) >= MOST_FOUND:
                return tuple(found[:MOST_FOUND])
    return tuple(found)


def _is_due(name: str, suspicion: Suspicion) -> bool:
    """The text of a skill is there to tell a model what to do."""
    return name == "files" and suspicion.kind == "order to the model"


def scan_text(where: str, text: str) -> Iterator[Suspicion]:
    """What stands in one text."""
    if len(text) <= SHORT and not _short(text):
        return
    if len(text) > MOST_CHARACTERS:
        reason = f"only its first {MOST_CHARACTERS:,} characters were looked through"
        yield Suspicion("hidden text", where, MOST_CHARACTERS, len(text), "", reason)
        text = text[:MOST_CHARACTERS]
    for found in (*_hidden(where, text), *_orders(where, text), *_encoded(where, text)):
        yield found.within(text)


@lru_cache(maxsize=20_000)
def _short(text: str) -> bool:
    """Whether anything stands in a short text; schemas say the same words again and again."""
    return any((next(_hidden("", text), None), next(_orders("", text), None), next(_encoded("", text), None)))


def _hidden(where: str, text: str) -> Iterator[Suspicion]:
    if text.isascii() and text.isprintable():
        return
    place = 0
    run_start, names = 0, list[str]()
    for span in [*spans(text), None]:
        if span and span.codepoint:
            run_start = run_start if names else place
            names.append(span.codepoint)
        elif names:
            named = ", ".join(dict.fromkeys(names[:6]))
            reason = f"{len(names)} characters that nobody sees: {named}" if len(names) > 1 else f"nobody sees {named}"
            yield Suspicion("hidden text", where, run_start, place, text[run_start:place], reason)
            names = []
        place += len(span.text) if span else 0


def _orders(where: str, text: str) -> Iterator[Suspicion]:
    seen: set[tuple[int, int]] = set()
    for plain in plain_forms(text):
        for found in _orders_in(plain, where, text):
            if (found.start, found.end) not in seen:
                seen.add((found.start, found.end))
                yield found


def _orders_in(plain: PlainForm, where: str, text: str) -> Iterator[Suspicion]:
    if not ANY_ORDER.search(plain.text):
        return
    for pattern in ORDERS:
        for match in pattern.program.finditer(plain.text):
            start, end = plain.span(match.start(), match.end())
            yield Suspicion(pattern.kind, where, start, end, text[start:end], pattern.reason)


def _encoded(where: str, text: str) -> Iterator[Suspicion]:
    """Orders that are written in base64."""
    for match in _ENCODED.finditer(text):
        try:
            decoded = base64.b64decode(match[0].replace("-", "+").replace("_", "/") + "==").decode()
        except (binascii.Error, UnicodeDecodeError):
            continue
        if hit := ANY_ORDER.search(decoded.lower()):
            reason = f"read as base64 it says “{hit[0][:80]}”"
            yield Suspicion("order to the model", where, match.start(), match.end(), match[0], reason)


def _texts(value: Any, where: str, depth: int) -> Iterator[tuple[str, str]]:
    if isinstance(value, str):
        yield where, value
    elif depth and isinstance(value, Mapping):
        for key, part in value.items():
            yield f"{where} key", str(key)
            yield from _texts(part, f"{where}.{key}", depth - 1)
    elif depth and isinstance(value, list | tuple):
        for place, part in enumerate(value):
            yield from _texts(part, f"{where}[{place}]", depth - 1)
