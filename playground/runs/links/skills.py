"""The link of skills: their text is the answer."""

from collections.abc import Mapping
from typing import Any

from catalog.tools import ToolSpec
from playground.agent.chain import Ran
from playground.runs import skill_calls


class Skills:
    title = "skills"

    async def run(self, tool: ToolSpec, arguments: Mapping[str, Any]) -> Ran | None:
        if tool.capability != "skill":
            return None
        return Ran(await skill_calls.run(tool, arguments), "its text is kept here, nothing of it is run")
