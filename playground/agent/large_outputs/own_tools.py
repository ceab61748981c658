"""The link of a run's own tools: those that read its large outputs."""

import asyncio
from collections.abc import Mapping
from typing import Any

from catalog.tools import ToolSpec
from playground.agent.chain import Ran
from playground.agent.large_outputs.offloading import LargeOutputs
from playground.modes.large_output_tools import LARGE_OUTPUT_TOOLS


class OwnTools:
    """Tools that exist for one run only; `outputs` is None where the mode puts none into files."""

    title = "the run’s own tools"

    def __init__(self, outputs: LargeOutputs | None) -> None:
        self._outputs = outputs

    async def run(self, tool: ToolSpec, arguments: Mapping[str, Any]) -> Ran | None:
        if self._outputs is None or tool not in LARGE_OUTPUT_TOOLS:
            return None
        return Ran(await asyncio.to_thread(self._outputs.answer, tool.name, arguments), "reads a file of this run")
