"""A text as a model may read it, with the way back: in lower case, compatibility forms and hidden characters gone."""

import unicodedata
from dataclasses import dataclass

from catalog.invisible import has_invisible, spans

_LOOK_ALIKES = str.maketrans(
    "аеорсухіјѕһԁԛԝкмнтвгѵɡıοανρτυικ‐‑–—ʼ’‘",
    "aeopcyxijshdqwkmhtbrvgioavptuik----'''",
)
"""Letters of other scripts that look like one of a to z."""


@dataclass(frozen=True, slots=True)
class PlainForm:
    """`places[n]` is where character n of `text` stands in the original."""

    text: str
    places: range | tuple[int, ...]

    def span(self, start: int, end: int) -> tuple[int, int]:
        """A span of the plain text in the original's characters."""
        return self.places[start], self.places[end - 1] + 1


def plain_forms(text: str) -> tuple[PlainForm, ...]:
    """The text as it is and, where that differs, with look-alikes made plain: Russian has to stay Russian, too."""
    plain = plain_form(text)
    if plain.text.isascii():
        return (plain,)
    own = PlainForm(plain.text.translate(_LOOK_ALIKES), plain.places)
    return (plain,) if own.text == plain.text else (plain, own)


def plain_form(text: str) -> PlainForm:
    """Look-alikes stay."""
    if text.isascii() and not has_invisible(text):
        return PlainForm(text.lower(), range(len(text)))
    found: list[str] = []
    places: list[int] = []
    place = 0
    for span in spans(text):
        for offset, char in enumerate("" if span.codepoint else span.text):
            plain = unicodedata.normalize("NFKC", char).lower()
            found.append(plain)
            places.extend([place + offset] * len(plain))
        place += len(span.text)
    return PlainForm("".join(found), tuple(places))


def plain_letters(text: str) -> str:
    """The plainest form of a text."""
    return plain_form(text).text.translate(_LOOK_ALIKES)
