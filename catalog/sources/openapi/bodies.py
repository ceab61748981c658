"""The body of a request: its properties beside the parameters, or one argument that holds it whole."""

import re
from typing import Any

from catalog.sources.openapi.call_plan import FORM, JSON, STYLES
from catalog.sources.openapi.parameters import Inputs
from catalog.sources.openapi.references import References, Unreadable, below
from catalog.sources.openapi.schemas import Schemas

_JSON = re.compile(r"application/(json|[\w.+-]+\+json)|text/json|\*/\*|application/\*", re.IGNORECASE)
MAX_SPREAD = 100
"""Properties of a body that stand beside the parameters; a body of more is one argument."""


def read_body(inputs: Inputs, value: Any, pointer: str, references: References, schemas: Schemas) -> str:
    """Take in what the body holds; the answer is its media type, empty where none is sent. Raises Unreadable."""
    if value is None:
        return ""
    body, pointer = references.follow(value, pointer)
    if not isinstance(body, dict) or not isinstance(content := body.get("content"), dict):
        raise Unreadable("its request body has no content", pointer)
    media_type = _media_type(content)
    is_needed = body.get("required") is True
    if not media_type:
        kinds = ", ".join(str(kind)[:60] for kind in list(content)[:3]) or "nothing"
        if is_needed:
            raise Unreadable(f"its body is {kinds}, and only JSON and forms are sent", below(pointer, "content"))
        inputs.remarks.append(f"without its body, which is {kinds}: only JSON and forms are sent")
        return ""
    media = content[media_type]
    where = below(pointer, "content", media_type, "schema")
    written, remarks = schemas.read(media.get("schema", {}) if isinstance(media, dict) else {}, where)
    inputs.remarks += remarks
    written = merged(written)
    if _spreads(written, is_needed) or media_type == FORM:
        _spread(inputs, written, media, media_type)
    else:
        inputs.add({"description": "The body of the request.", **written}, "whole body", "body", required=is_needed)
    return JSON if "*" in media_type else media_type.partition(";")[0].strip()


def merged(schema: dict[str, Any]) -> dict[str, Any]:
    """A schema whose `allOf` holds nothing but objects, as the one object that they make together."""
    parts = schema.get("allOf")
    if not isinstance(parts, list):
        return schema
    parts = [merged(part) if isinstance(part, dict) else part for part in parts]
    plain = {"type", "properties", "required", "title", "description", "deprecated"}
    if not all(
        isinstance(part, dict) and part.keys() <= plain and part.get("type") in ("object", None) for part in parts
    ):
        return schema
    own = {key: value for key, value in schema.items() if key != "allOf"}
    properties: dict[str, Any] = {}
    required: list[str] = []
    for part in [*parts, own]:
        properties |= part.get("properties", {})
        required += part.get("required", [])
    whole = {**own, "type": "object", "properties": properties}
    return {**whole, "required": list(dict.fromkeys(required))} if required else whole


def _media_type(content: dict[str, Any]) -> str:
    for wanted in (_JSON.fullmatch, lambda kind: kind.lower() == FORM):
        for kind in content:
            if wanted(kind.partition(";")[0].strip()):
                return kind
    return ""


def _spreads(schema: dict[str, Any], is_needed: bool) -> bool:
    """Whether the properties can stand by themselves without a body becoming possible or impossible that was not."""
    properties = schema.get("properties")
    if schema.get("type") != "object" or not properties or len(properties) > MAX_SPREAD:
        return False
    others = schema.keys() & {
        "anyOf",
        "oneOf",
        "allOf",
        "not",
        "if",
        "patternProperties",
        "minProperties",
        "dependentSchemas",
    }
    return not others and not schema.get("additionalProperties") and (is_needed or not schema.get("required"))


def _spread(inputs: Inputs, schema: dict[str, Any], media: Any, media_type: str) -> None:
    match media:
        case {"encoding": dict(encoding)} if media_type == FORM:
            pass
        case _:
            encoding = {}
    needed = schema.get("required", [])
    for name, part in schema.get("properties", {}).items():
        inputs.add(part, "body", name, required=name in needed, **_form_style(encoding.get(name)))


def _form_style(encoding: Any) -> dict[str, Any]:
    if not isinstance(encoding, dict):
        return {"style": "form", "explode": True}
    style = encoding.get("style", "form")
    explode = encoding.get("explode")
    return {
        "style": style if style in STYLES["query"] else "form",
        "explode": explode if isinstance(explode, bool) else style == "form",
    }
