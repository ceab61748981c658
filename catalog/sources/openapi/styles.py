"""Values written as OpenAPI's styles say, percent-encoded so that none can leave its place.

The table of the styles: https://spec.openapis.org/oas/v3.1.1.html#style-examples
"""

import json
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from catalog.sources.openapi.call_plan import Argument

_RESERVED = ":/?@!$'()*,;"
"""What `allowReserved` leaves as it is; & = + # [ ] would end the value or begin another."""
_DELIMITERS = {"form": ",", "spaceDelimited": "%20", "pipeDelimited": "%7C"}


def path_text(argument: Argument, value: Any) -> str:
    """The text in place of `{name}`: styles simple, label and matrix."""
    name = encoded(argument.name)
    match argument.style:
        case "label":
            return "." + _joined(value, argument.explode, "." if argument.explode else ",")
        case "matrix" if argument.explode and isinstance(value, list):
            return "".join(f";{name}={encoded(part)}" for part in value)
        case "matrix" if argument.explode and isinstance(value, Mapping):
            return "".join(f";{encoded(key)}={encoded(part)}" for key, part in value.items())
        case "matrix":
            return f";{name}={_joined(value, False, ',')}"
    return _joined(value, argument.explode, ",")


def pairs(argument: Argument, value: Any) -> list[str]:
    """`name=value` texts: what a query holds between &, and a form too. No text where there is no value."""
    keeps = _RESERVED if argument.keeps_reserved else ""
    name = encoded(argument.name)
    if argument.is_json:
        return [f"{name}={encoded(as_json(value))}"]
    match value:
        case None:
            return []
        case list() if argument.explode:
            return [f"{name}={encoded(part, keeps)}" for part in value]
        case list():
            delimiter = _DELIMITERS.get(argument.style, ",")
            return [f"{name}={delimiter.join(encoded(part, keeps) for part in value)}"] if value else []
        case Mapping() if argument.style == "deepObject":
            return _deep(argument.name, value, keeps)
        case Mapping() if argument.explode:
            return [f"{encoded(key)}={encoded(part, keeps)}" for key, part in value.items() if part is not None]
        case Mapping():
            delimiter = _DELIMITERS.get(argument.style, ",")
            parts = [encoded(part, keeps) for pair in value.items() for part in pair]
            return [f"{name}={delimiter.join(parts)}"] if parts else []
    return [f"{name}={encoded(value, keeps)}"]


def header_text(argument: Argument, value: Any) -> str:
    """Style simple, without percent-encoding; whether a header may hold it is the caller's question."""
    if argument.is_json:
        return json.dumps(value)
    match value:
        case list():
            return ",".join(map(as_text, value))
        case Mapping() if argument.explode:
            return ",".join(f"{key}={as_text(part)}" for key, part in value.items())
        case Mapping():
            return ",".join(as_text(part) for pair in value.items() for part in pair)
    return as_text(value)


def encoded(value: Any, keeps: str = "") -> str:
    """The value as text, every character percent-encoded but letters, digits and - . _ ~ and those to be kept."""
    return quote(as_text(value).encode("utf-8", "replace"), safe=keeps)


def as_text(value: Any) -> str:
    match value:
        case str():
            return value
        case None:
            return ""
    return as_json(value)


def as_json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _joined(value: Any, explode: bool, delimiter: str) -> str:
    match value:
        case list():
            return delimiter.join(map(encoded, value))
        case Mapping() if explode:
            return delimiter.join(f"{encoded(key)}={encoded(part)}" for key, part in value.items())
        case Mapping():
            return delimiter.join(encoded(part) for pair in value.items() for part in pair)
    return encoded(value)


def _deep(name: str, value: Any, keeps: str) -> list[str]:
    """`color[R]=100`; for what lies deeper OpenAPI names no form, and this is the usual one."""
    match value:
        case Mapping():
            return [text for key, part in value.items() for text in _deep(f"{name}[{key}]", part, keeps)]
        case list():
            return [text for part in value for text in _deep(f"{name}[]", part, keeps)]
        case None:
            return []
    return [f"{encoded(name)}={encoded(value, keeps)}"]
