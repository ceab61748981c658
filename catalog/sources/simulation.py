"""Answers of tools that are played, not run: from a tool's result template, or of nothing but the call itself."""

import json
import re
from collections.abc import Mapping
from typing import Any

from catalog.sources.arguments import check_arguments
from catalog.tools import JsonSchema

__all__ = ["check_arguments", "simulate"]

_PLACEHOLDER = re.compile(r"\{([A-Za-z_][\w.-]{0,127})\}")


def simulate(result_template: Any, arguments: Mapping[str, Any], parameters: JsonSchema, tool: str = "") -> str:
    """The answer as JSON text.

    In the template `{name}` stands for an argument, else for the parameter's default, else for null (nothing, inside a
    longer text). A text that is one placeholder becomes the value itself; braces around other words stay.
    """
    if result_template is None:
        answer = {"ok": True, "tool": tool, "arguments": dict(arguments), "note": "simulated"}
    else:
        answer = _filled(result_template, _values(arguments, parameters))
    return json.dumps(answer, ensure_ascii=False)


def _values(arguments: Mapping[str, Any], parameters: JsonSchema) -> dict[str, Any]:
    properties = parameters.get("properties")
    described = properties if isinstance(properties, dict) else {}
    defaults = {name: part.get("default") if isinstance(part, dict) else None for name, part in described.items()}
    return defaults | dict(arguments)


def _filled(template: Any, values: Mapping[str, Any]) -> Any:
    match template:
        case str():
            return _filled_text(template, values)
        case dict():
            return {str(_filled(key, values)): _filled(part, values) for key, part in template.items()}
        case list():
            return [_filled(part, values) for part in template]
    return template


def _filled_text(template: str, values: Mapping[str, Any]) -> Any:
    whole = _PLACEHOLDER.fullmatch(template)
    if whole and whole[1] in values:
        return values[whole[1]]
    return _PLACEHOLDER.sub(lambda match: _as_text(values[match[1]]) if match[1] in values else match[0], template)


def _as_text(value: Any) -> str:
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
