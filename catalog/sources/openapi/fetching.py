"""Fetching an OpenAPI document from its address, and not again while it has not changed."""

from dataclasses import dataclass

import anyio

from catalog.sources.errors import SourceError
from catalog.sources.openapi.calling import send
from catalog.sources.openapi.request import ApiConnection, Request, origin
from catalog.sources.storable import storable_text

FETCH_SECONDS = 60.0
_ADVICE = {401: "It wants a sign-in.", 403: "It wants a sign-in.", 404: "Check the address."}


@dataclass(frozen=True, slots=True)
class Fetched:
    """A document as it was sent; `content` is None where it is the one that was read before."""

    content: bytes | None
    etag: str = ""
    last_modified: str = ""


async def fetch(address: str, connection: ApiConnection, etag: str = "", last_modified: str = "") -> Fetched:
    """Fetch what `address` holds; the API's own headers go with it where both lie at one origin. Raises SourceError."""
    is_own = bool(connection.address) and origin(address) == origin(connection.address)
    headers = list(connection.headers.items()) if is_own else []
    headers += [("Accept", "application/json, application/yaml, */*;q=0.5")]
    headers += [
        (name, value) for name, value in (("If-None-Match", etag), ("If-Modified-Since", last_modified)) if value
    ]
    asked = ApiConnection(address, dict(connection.headers), allow_private=connection.allow_private)
    try:
        with anyio.fail_after(FETCH_SECONDS):
            response = await send(Request("GET", address, tuple(headers)), asked)
    except TimeoutError:
        raise SourceError(f"The document did not come in {FETCH_SECONDS:g} seconds.") from None
    if response.status_code == 304:
        return Fetched(None, etag, last_modified)
    if 300 <= response.status_code < 400:
        onward = storable_text(response.headers.get("location", ""))[:300]
        raise SourceError(
            f"This address leads on to {onward or 'nowhere'}. Write that address instead, if you trust it."
        )
    if response.status_code != 200:
        advice = _ADVICE.get(response.status_code, "Look at it in a browser.")
        raise SourceError(f"The document’s address answered with the HTTP status {response.status_code}. {advice}")
    return Fetched(response.content, _kept(response.headers.get("etag")), _kept(response.headers.get("last-modified")))


def _kept(value: str | None) -> str:
    """A validator as it is sent back; one that no header can carry is not kept."""
    return value if value and len(value) <= 200 and value.isascii() and value.isprintable() else ""
