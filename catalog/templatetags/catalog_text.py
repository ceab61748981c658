"""Showing text from strangers: escaped, invisible characters made visible, JSON as it is sent, and a server's hue."""

import json
import zlib
from typing import Any
from urllib.parse import urlsplit

from django.forms import BaseForm
from django.forms.boundfield import BoundField
from django.template import Library
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from catalog.invisible import Span, cleaned, spans

register = Library()

HUES = 12
PLURALS = (("ies", "y"), ("ches", "ch"), ("s", ""))
SPREAD = 22
"""Where the checksum starts: with this, the fourteen servers of the sample get eleven hues."""


@register.filter
def visible(text: object) -> SafeString:
    """The text, escaped, with a chip in the place of each character that cannot be seen."""
    shown = "" if text is None else str(text)
    return format_html_join("", "{}", ((_shown(span),) for span in spans(shown)))


@register.filter
def plain(text: str) -> str:
    """The text without the characters that cannot be seen, for labels and titles, where no chip can stand."""
    return cleaned(text)


@register.filter
def as_json(value: Any) -> SafeString:
    """The value as indented JSON. Invisible characters are written as JSON escapes, so that a copy of it is exact."""
    text = json.dumps(value, indent=2, ensure_ascii=False)
    return format_html_join("", "{}", ((_escaped(span),) for span in spans(text)))


@register.filter
def singular(name: str) -> str:
    """Of `queries` the word for one of them."""
    return next((name.removesuffix(many) + one for many, one in PLURALS if name.endswith(many)), name)


@register.filter
def in_need(form: BaseForm) -> list[BoundField]:
    """The fields that have an error."""
    return [field for field in form if field.errors]


@register.filter
def joined(texts: list[str], separator: str = ", ") -> str:
    """The texts in one, unescaped, for `visible` to show."""
    return separator.join(map(str, texts))


@register.filter
def pairs(mapping: dict[str, Any]) -> list[tuple[str, Any]]:
    """Its keys with their values, where `.items` would look up a key named so that a stranger chose."""
    return list(mapping.items())


@register.filter
def hue(server: str) -> int:
    """The number of a server's hue, the same on every page: 0 to 11, from its short name."""
    return zlib.crc32(server.encode(), SPREAD) % HUES


@register.filter
def host(address: str) -> str:
    """The host and port of an address."""
    return urlsplit(address).netloc


@register.filter
def lasting(seconds: float) -> str:
    """240 as 4 min."""
    return f"{seconds / 60:.0f} min" if seconds >= 100 else f"{seconds:.0f} s"


@register.filter
def took(seconds: float) -> str:
    """0.0042 as 4 ms, 1.26 as 1.3 s."""
    return f"{seconds * 1000:.0f} ms" if seconds < 0.9995 else f"{seconds:.1f} s"


@register.filter
def one_line(value: Any) -> str:
    """The value as JSON in one line, unescaped, for `visible` to show."""
    return json.dumps(value, ensure_ascii=False)[:200]


@register.filter
def field_words(name: str) -> str:
    """A field's name in words: `own_description` is the description. What is no such name stays as it is."""
    return name.removeprefix("own_").replace("_", " ") if name.isidentifier() else name


def _shown(span: Span) -> SafeString:
    if not span.codepoint:
        return format_html("{}", span.text)
    return format_html('<span class="invisible-char" title="{}">{}</span>', span.meaning, span.codepoint)


def _escaped(span: Span) -> SafeString:
    if not span.codepoint:
        return format_html("{}", span.text)
    escape = json.dumps(span.text)[1:-1]
    return format_html('<span class="invisible-char" title="{} {}">{}</span>', span.codepoint, span.meaning, escape)
