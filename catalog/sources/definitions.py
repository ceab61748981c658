"""The forms in which tools are defined, told apart entry by entry: MCP's, OpenAI's two, Anthropic's, Gemini's, and this house's own."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from catalog.sources.gemini import json_schema
from catalog.sources.storable import UnfitError, storable_text
from catalog.sources.tool_entry import FIELDS

Form = Literal[
    "MCP", "OpenAI (chat completions)", "OpenAI (responses)", "Anthropic", "Gemini", "name, description and parameters"
]
ASIDES = ("cache_control", "defer_loading", "strict", "eager_input_streaming", "allowed_callers", "input_examples")
"""What says how a definition is sent to a model, not what the tool is: it is told and left away."""
_OF_FORMS = frozenset((*ASIDES, "type", "function"))
_OWN_SCHEMAS = ("inputSchema", "input_schema", "parameters", "parametersJsonSchema", "parameters_json_schema")


@dataclass(frozen=True, slots=True)
class Definition:
    """One entry, its fields under the names that MCP or this house gives them."""

    form: Form
    entry: dict[str, Any]
    asides: tuple[str, ...] = ()


def expanded(entries: Iterable[tuple[str, Any]]) -> Iterator[tuple[str, Any]]:
    """The entries with their places; Gemini's lists of declarations and OpenAI's namespaces as the tools that they hold."""
    for where, entry in entries:
        match entry:
            case {"functionDeclarations": list(found)} | {"function_declarations": list(found)}:
                for number, declaration in enumerate(found, 1):
                    yield f"{where}, declaration {number}", {"functionDeclaration": declaration}
            case {"type": "namespace", "name": str(name), "tools": list(found)}:
                for number, tool in enumerate(found, 1):
                    yield f"{where}, tool {number}", {"server": name, **tool} if isinstance(tool, dict) else tool
            case _:
                yield where, entry


def recognised(entry: dict[str, Any]) -> Definition:
    """Which form the entry has. Raises UnfitError for a tool that a provider runs itself."""
    match entry:
        case {"functionDeclaration": dict(declaration)}:
            return Definition("Gemini", _from_gemini(declaration))
        case {"function": dict(function)}:
            return _definition("OpenAI (chat completions)", {**entry, **function})
        case {"parametersJsonSchema": dict()} | {"parameters_json_schema": dict()}:
            return Definition("Gemini", _from_gemini(entry))
        case {"parameters": {"type": str(kind)}} if kind.isupper():
            return Definition("Gemini", _from_gemini(entry))
    _refuse_provider_tool(entry)
    if "inputSchema" in entry:
        return _definition("MCP", entry)
    if "input_schema" in entry:
        return _definition("Anthropic", entry)
    return _definition("OpenAI (responses)" if entry.get("type") == "function" else _PLAIN, entry)


_PLAIN: Form = "name, description and parameters"


def _definition(form: Form, entry: dict[str, Any]) -> Definition:
    return Definition(form, entry, tuple(key for key in ASIDES if entry.get(key) is not None))


def unknown_fields(entry: Mapping[str, Any]) -> list[str]:
    """What it says under names that neither a form nor a tool has."""
    return [key for key, value in entry.items() if value is not None and key not in FIELDS and key not in _OF_FORMS]


def _refuse_provider_tool(entry: Mapping[str, Any]) -> None:
    kind = entry.get("type")
    if isinstance(kind, str) and kind not in ("function", "custom") and not any(key in entry for key in _OWN_SCHEMAS):
        raise UnfitError(f"it is {storable_text(kind)[:60]}, which the provider of the model runs itself")
    if len(entry) == 1 and "name" not in entry and isinstance(next(iter(entry.values())), dict):
        raise UnfitError(f"it is {storable_text(next(iter(entry)))[:60]}, which the provider of the model runs itself")


def _from_gemini(declaration: Mapping[str, Any]) -> dict[str, Any]:
    found = {key: declaration[key] for key in ("name", "description") if key in declaration}
    for target, plain, own in (
        ("inputSchema", ("parametersJsonSchema", "parameters_json_schema"), "parameters"),
        ("outputSchema", ("responseJsonSchema", "response_json_schema"), "response"),
    ):
        schema = next((declaration[key] for key in plain if key in declaration), None)
        if schema is not None or own in declaration:
            found[target] = schema if schema is not None else json_schema(declaration[own])
    return found
