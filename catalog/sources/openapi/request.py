"""The HTTP request of a call, made of the tool's plan and the arguments. Nothing in an argument can leave its place."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import unquote, urlsplit

from catalog.sources.errors import SourceError
from catalog.sources.openapi.call_plan import FORM, PLACEHOLDER, Argument, CallPlan
from catalog.sources.openapi.security import TOKEN
from catalog.sources.openapi.styles import as_json, encoded, header_text, pairs, path_text

MAX_ADDRESS = 32 * 1024
_HEADER_VALUE = re.compile(r"[\t\x20-\x7e]{0,8192}")
_DOTS = re.compile(r"(?:^|[/\\])\.{1,2}(?:[/\\;?#]|$)")
_KEPT_IN_PATH = "/:@!$&'()*+,;=%~"


@dataclass(frozen=True, slots=True)
class Credential:
    """A secret, and where it goes: `value` is what the request carries."""

    place: str
    parameter: str
    value: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class ApiConnection:
    """An API that an admin approved: everything is sent to the origin of `address`, and nowhere else.

    `headers` go with every call, each of `credentials` (by scheme) with the operations that ask for it.
    """

    address: str
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    credentials: Mapping[str, Credential] = field(default_factory=dict, repr=False)
    allow_private: bool = False

    @property
    def secrets(self) -> list[str]:
        return [*self.headers.values(), *(credential.value for credential in self.credentials.values())]


@dataclass(frozen=True, slots=True)
class Request:
    """A request as it is sent; `url` is ASCII and percent-encoded."""

    method: str
    url: str
    headers: tuple[tuple[str, str], ...]
    body: bytes | None = None


def build_request(plan: CallPlan, arguments: Mapping[str, Any], connection: ApiConnection) -> Request:
    """Raises SourceError for arguments that cannot be sent, and for an operation that lies at another address."""
    given = [(argument, arguments[argument.argument]) for argument in plan.arguments if argument.argument in arguments]
    base = _base(plan, connection)
    credentials = needed_credentials(plan, connection)
    query = [text for argument, value in given if argument.place == "query" for text in pairs(argument, value)]
    query += [_pair(one) for one in credentials if one.place == "query"]
    url = base + _path(plan, given) + ("?" + "&".join(query) if query else "")
    if len(url) > MAX_ADDRESS:
        raise SourceError(
            f"The arguments make an address of {len(url):,} characters, at most {MAX_ADDRESS:,} are sent."
        )
    body = _body(plan, given)
    headers = _headers(plan, given, connection, credentials, has_body=body is not None)
    return Request(plan.method, url, headers, body)


def needed_credentials(plan: CallPlan, connection: ApiConnection) -> Sequence[Credential]:
    """Of the first alternative that can be met in full; none where none can."""
    for schemes in plan.security:
        if all(scheme in connection.credentials for scheme in schemes):
            return [connection.credentials[scheme] for scheme in schemes]
    return []


def origin(address: str) -> tuple[str, str, int]:
    parts = urlsplit(address)
    return parts.scheme, (parts.hostname or "").lower(), parts.port or {"http": 80, "https": 443}.get(parts.scheme, 0)


def _base(plan: CallPlan, connection: ApiConnection) -> str:
    if not connection.address:
        raise SourceError("It is not known where this API is served. A curator must write its base address.")
    if plan.server and origin(plan.server) != origin(connection.address):
        raise SourceError(f"This operation is served at {plan.server}, which is not the address that was approved.")
    return (plan.server or connection.address).rstrip("/")


def _path(plan: CallPlan, given: Sequence[tuple[Argument, Any]]) -> str:
    texts = {argument.name: _path_text(argument, value) for argument, value in given if argument.place == "path"}
    path = ""
    for place, piece in enumerate(PLACEHOLDER.split(plan.path)):
        if place % 2 == 0:
            path += "".join(char if char in _KEPT_IN_PATH else encoded(char) for char in piece)
        elif piece in texts:
            path += texts[piece]
        else:
            raise SourceError(f"{piece}: is required, as a part of the path")
    if any(part in (".", "..") for part in path.split("/")):
        raise SourceError("The arguments would lead to another path.")
    return path


def _path_text(argument: Argument, value: Any) -> str:
    """Raises SourceError where a server could read the value as another path, however it decodes it."""
    text = as_json(value) if argument.is_json else path_text(argument, value)
    if argument.is_json:
        text = encoded(text)
    if not text.strip(".;=,") or value in ("", [], {}, None):
        raise SourceError(f"{argument.argument}: may not be empty, as a part of the path")
    plain = text
    for _ in range(3):
        plain = unquote(plain)
        if _DOTS.search(plain) or "\0" in plain:
            raise SourceError(f"{argument.argument}: would lead to another path")
    return text


def _headers(
    plan: CallPlan,
    given: Sequence[tuple[Argument, Any]],
    connection: ApiConnection,
    credentials: Sequence[Credential],
    has_body: bool,
) -> tuple[tuple[str, str], ...]:
    """What a tool's arguments say never takes the place of what a curator wrote."""
    headers = {"accept": ("Accept", "application/json, */*;q=0.5")}
    if has_body:
        headers["content-type"] = ("Content-Type", plan.media_type)
    for argument, value in given:
        if argument.place == "header" and value is not None:
            headers[argument.name.lower()] = (argument.name, _header_value(argument, value))
    for name, text in connection.headers.items():
        headers[name.lower()] = (name, text)
    for one in credentials:
        if one.place == "header":
            headers[one.parameter.lower()] = (one.parameter, one.value)
    cookies = [text for argument, value in given if argument.place == "cookie" for text in pairs(argument, value)]
    cookies += [f"{one.parameter}={one.value}" for one in credentials if one.place == "cookie"]
    if cookies:
        own = headers.get("cookie", ("Cookie", ""))[1]
        headers["cookie"] = ("Cookie", "; ".join([*([own] if own else []), *cookies]))
    return tuple(headers.values())


def _header_value(argument: Argument, value: Any) -> str:
    text = header_text(argument, value)
    if not TOKEN.fullmatch(argument.name) or not _HEADER_VALUE.fullmatch(text):
        raise SourceError(f"{argument.argument}: holds a line break, or a character that a header cannot have")
    return text.strip(" \t")


def _pair(credential: Credential) -> str:
    return f"{encoded(credential.parameter)}={encoded(credential.value)}"


def _body(plan: CallPlan, given: Sequence[tuple[Argument, Any]]) -> bytes | None:
    if not plan.media_type:
        return None
    parts = [(argument, value) for argument, value in given if argument.place == "body"]
    if plan.media_type == FORM:
        texts = [text for argument, value in parts for text in pairs(argument, value)]
        return "&".join(texts).replace("%20", "+").encode()
    whole = [value for argument, value in given if argument.place == "whole body"]
    if whole:
        return _json_bytes(whole[0])
    if any(argument.place == "whole body" for argument in plan.arguments):
        return None
    return _json_bytes({argument.name: value for argument, value in parts})


def _json_bytes(value: Any) -> bytes:
    return as_json(value).encode("utf-8", "replace")
