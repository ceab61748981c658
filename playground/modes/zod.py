"""Arguments checked as the schemas of Mastra's tools check them, told in the words that an agent gets there (M-13)."""

import json
from collections.abc import Mapping
from typing import Any, Literal

Kind = Literal["string", "array"]
Shape = Mapping[str, tuple[Kind, bool]]
"""By argument: its kind, and whether it is required. An array holds strings."""
_UNDEFINED = object()


class ZodError(ValueError):
    """`told` is the object that the tool answers with."""

    def __init__(self, told: Mapping[str, Any]) -> None:
        super().__init__(told["message"])
        self.told = told


def check(tool: str, arguments: Any, shape: Shape) -> Mapping[str, Any]:
    """The arguments, if they are an object of this shape; null counts as an empty one. Raises ZodError."""
    given = {} if arguments is None else arguments
    if not isinstance(given, dict):
        raise ZodError(_told(tool, arguments, {"root": _expected("object", given)}))
    wrong = {name: problem for name, kind in shape.items() if (problem := _problem(given.get(name, _UNDEFINED), kind))}
    if wrong:
        raise ZodError(_told(tool, arguments, wrong))
    return given


def _problem(value: Any, kind: tuple[Kind, bool]) -> str:
    name, required = kind
    if value is _UNDEFINED and not required:
        return ""
    if _kind(value) != name:
        return _expected(name, value)
    wrong = [each for each in value if not isinstance(each, str)] if name == "array" else []
    return _expected("string", wrong[0]) if wrong else ""


def _expected(kind: str, value: Any) -> str:
    return f"Invalid input: expected {kind}, received {_kind(value)}"


def _kind(value: Any) -> str:
    match value:
        case None:
            return "null"
        case bool():
            return "boolean"
        case str():
            return "string"
        case int() | float():
            return "number"
        case list():
            return "array"
        case dict():
            return "object"
        case _:
            return "undefined"


def _told(tool: str, arguments: Any, wrong: Mapping[str, str]) -> dict[str, Any]:
    lines = "\n".join(f"- {name}: {problem}" for name, problem in wrong.items())
    provided = json.dumps(arguments, ensure_ascii=False, indent=2)
    fields = {name: {"errors": [problem], "fields": {}} for name, problem in wrong.items() if name != "root"}
    return {
        "error": True,
        "message": f"Tool input validation failed for {tool}. Please fix the following errors and try again:\n"
        f"{lines}\n\nProvided arguments: {provided}",
        "validationErrors": {
            "errors": [problem for name, problem in wrong.items() if name == "root"],
            "fields": fields,
        },
    }
