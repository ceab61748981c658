"""From the bytes of an OpenAPI document to its JSON value, in either spelling, under a cap."""

import json
import re
from typing import Any

from catalog.sources.errors import SourceError
from catalog.sources.json_text import JsonParsing, decoded, inflated, place_in, why_not
from catalog.sources.yaml_text import load_yaml

MAX_BYTES = 16 * 1024 * 1024
_VERSION = re.compile(r"3\.[0-2](\.\d+)?(-.*)?")


def load_document(content: bytes) -> tuple[dict[str, Any], list[str]]:
    """The document and remarks on it as a whole. Raises SourceError if it is no OpenAPI 3 document."""
    text = decoded(inflated(content, MAX_BYTES))
    if not text.strip():
        raise SourceError("The file is empty.")
    document, remarks = _load_json(text) if text.lstrip()[0] in "{[" else _load_yaml(text)
    _check_version(document)
    return document, remarks


def is_30(document: dict[str, Any]) -> bool:
    """Whether its schemas are those of OpenAPI 3.0, which differ from JSON Schema."""
    return _version(document).startswith("3.0")


def _load_json(text: str) -> tuple[Any, list[str]]:
    parsing = JsonParsing()
    try:
        document = parsing.load(text)
    except json.JSONDecodeError as error:
        raise SourceError(f"The file is not valid JSON: {place_in(text, error.pos)}: {error.msg.lower()}.") from None
    except (RecursionError, ValueError):
        raise SourceError(why_not(text)) from None
    return document, [parsing.on_repeated_keys] if parsing.repeated else []


def _load_yaml(text: str) -> tuple[Any, list[str]]:
    read = load_yaml(text)
    return read.value, [
        f"A key stands twice, and the last one counts: {', '.join(read.repeated)}."
    ] if read.repeated else []


def _check_version(document: Any) -> None:
    match document:
        case {"swagger": _}:
            raise SourceError(
                "This is a Swagger 2.0 document. Convert it to OpenAPI 3 first, with swagger2openapi for instance."
            )
        case {"openapi": _} if _VERSION.fullmatch(_version(document)):
            return
        case {"openapi": _}:
            raise SourceError(f"OpenAPI 3.0 and 3.1 are read, not “{_version(document)[:20]}”.")
    raise SourceError("This is not an OpenAPI document: it has no “openapi” with a version at its beginning.")


def _version(document: dict[str, Any]) -> str:
    return str(document.get("openapi", ""))
