"""Calling a skill: its instructions, or one of its further files, are the result. Nothing of it is run."""

from collections.abc import Mapping
from typing import Any

from catalog.models import Tool
from catalog.sources.arguments import check_arguments
from catalog.sources.skill_text import SKILL_FILE
from catalog.tools import ToolSpec
from playground.agent.tool_runner import ToolResult
from playground.runs.database import read


async def run(tool: ToolSpec, arguments: Mapping[str, Any]) -> ToolResult:
    if problems := check_arguments(arguments, tool.parameters):
        return ToolResult("The arguments do not fit: " + "; ".join(problems), is_error=True)
    path = arguments.get("file", SKILL_FILE)
    text = await read(_text, tool, path)
    if text is None:
        return ToolResult(f"The skill has no {path} now: it was changed or removed while this ran.", is_error=True)
    return ToolResult(text)


def _text(tool: ToolSpec, path: str) -> str | None:
    found = Tool.objects.here().filter(server__slug=tool.server, name=tool.upstream_name)
    files = found.values_list("files", flat=True).first()
    return files.get(path) if files else None
