"""A deck as one HTML file that plays without a server and without a network.

Its policy lets in the one style and the one script that are written into it, by their digests, and nothing else.
"""

import base64
import hashlib
import re
from pathlib import Path
from typing import NamedTuple

from django.conf import settings
from django.template.loader import render_to_string
from django.utils.safestring import SafeString, mark_safe

from playground.presenting.deck import Deck

STYLES = ("tokens", "base", "components", "board", "present")
SCRIPTS = ("deck",)
_FONT = re.compile(r"@font-face\s*\{[^}]*\}\s*")
_END = re.compile(r"</(script|style)", re.IGNORECASE)


class Part(NamedTuple):
    """What stands between the tags of a style or a script, and the digest that lets it in."""

    text: SafeString
    digest: str


def one_file(deck: Deck) -> str:
    """Everything that a stranger wrote is escaped by the templates of the slides, as on every page."""
    style = _part("css", STYLES)
    context = {
        "deck": deck,
        "style": style,
        "script": _part("js", SCRIPTS),
        "address": "#at=",
        "here": deck.at(None),
        "in_file": True,
    }
    return render_to_string("playground/present/file.html", context)


def _part(kind: str, names: tuple[str, ...]) -> Part:
    """Of our own files alone; fonts stay out, as a file cannot be asked for one."""
    folder = Path(settings.BASE_DIR) / "static" / kind
    text = "".join((folder / f"{name}.{kind}").read_text() for name in names)
    text = _FONT.sub("", text)
    if _END.search(text):
        raise ValueError(f"a file of static/{kind} would end the tag that it is written into")
    digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
    return Part(mark_safe(text), f"'sha256-{digest}'")  # noqa: S308
