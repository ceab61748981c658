"""What an API asks for before it answers: its security schemes, and which of them an operation needs."""

import base64
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from catalog.sources.openapi.references import References, Unreadable, below
from catalog.sources.storable import storable_text

Form = Literal["key", "bearer", "basic"]
TOKEN = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]{1,128}")
"""What the name of a header or a cookie may be."""
_PLACES = ("header", "query", "cookie")


@dataclass(frozen=True, slots=True)
class Scheme:
    """One way to sign in: a secret sent under `parameter` in `place`, as it is or in a form of its own."""

    name: str
    place: str
    parameter: str
    form: Form = "key"

    @property
    def words(self) -> str:
        """Where the secret goes, for the form that asks for it."""
        match self.form:
            case "bearer":
                return "Sent as the header Authorization: Bearer …"
            case "basic":
                return "Write user:password. Sent as the header Authorization: Basic …"
        place = {"header": "header", "query": "query parameter", "cookie": "cookie"}[self.place]
        return f"Sent as the {place} {self.parameter}."

    def written(self, secret: str) -> str:
        """The value as the request carries it."""
        match self.form:
            case "bearer":
                return f"Bearer {secret}"
            case "basic":
                return f"Basic {base64.b64encode(secret.encode()).decode()}"
        return secret


def read_schemes(document: dict[str, Any], references: References) -> tuple[dict[str, Scheme], list[str]]:
    """The schemes of a document by name, and remarks on those that are not supported."""
    match document:
        case {"components": {"securitySchemes": dict(listed)}}:
            pass
        case _:
            return {}, []
    schemes: dict[str, Scheme] = {}
    remarks: list[str] = []
    for name, value in listed.items():
        shown = storable_text(name)[:100]
        try:
            found, _ = references.follow(value, below("#/components/securitySchemes", name))
            scheme = _scheme(shown, found)
        except Unreadable:
            scheme = None
        if scheme is None:
            remarks.append(f"The security scheme {shown} is none that can be sent; calls go without it.")
        else:
            schemes[shown] = scheme
    return schemes, remarks


def read_security(value: Any) -> tuple[tuple[str, ...], ...]:
    """Alternatives, each the names of schemes that are needed together; `((),)` where none is needed."""
    if not isinstance(value, list):
        return ()
    return tuple(tuple(storable_text(name)[:100] for name in needed) for needed in value if isinstance(needed, Mapping))


def _scheme(name: str, value: Any) -> Scheme | None:
    match value:
        case {"type": "apiKey", "in": str(place), "name": str(parameter)} if place in _PLACES:
            is_sound = place == "query" or TOKEN.fullmatch(parameter)
            return Scheme(name, place, storable_text(parameter)[:128]) if is_sound else None
        case {"type": "http", "scheme": str(kind)} if kind.lower() in ("bearer", "basic"):
            return Scheme(name, "header", "Authorization", "bearer" if kind.lower() == "bearer" else "basic")
        case {"type": "oauth2" | "openIdConnect"}:
            return Scheme(name, "header", "Authorization", "bearer")
    return None
