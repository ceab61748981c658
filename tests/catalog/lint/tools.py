"""Tools as the tests of rules write them down."""

from collections.abc import Mapping
from typing import Any

from catalog.lint import RULES
from catalog.lint.finding import Finding
from catalog.lint.survey import Survey
from catalog.tools import ToolSpec


def tool(
    name: str, description: str = "", server: str = "team", parameters: Mapping[str, Any] | None = None
) -> ToolSpec:
    """A tool whose parameters are all required."""
    schema = {"type": "object", "properties": parameters, "required": list(parameters)} if parameters else {}
    return ToolSpec(name, description, schema, server=server, upstream_name=name)


def found_by(rule: str, *tools: ToolSpec, **known: Any) -> list[Finding]:
    """What one rule says of tools that are compared with each other."""
    return list(RULES[rule].look(Survey(tools, tools, **known)))
