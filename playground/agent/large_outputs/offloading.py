"""A run's large outputs: which leave the prompt, what stands there in their place, and the runner that sees to it."""

import asyncio
import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from catalog.prompt_size import estimate_text
from catalog.tools import ToolSpec
from playground.agent.events import KeptOutput
from playground.agent.large_outputs.calls import answer_call
from playground.agent.large_outputs.files import OutputFiles
from playground.agent.large_outputs.reading import first_bytes
from playground.agent.tool_runner import ToolResult, ToolRunner
from playground.agent.well_formed import well_formed
from playground.modes.large_output_tools import LARGE_OUTPUT_TOOLS

log = logging.getLogger(__name__)

PREVIEW = 0.5
"""Bytes that the model is given at once, for each token of the threshold (P-29)."""
BYTES_A_TOKEN = 4
"""Of a threshold's tokens, to limit what one reading answers."""

KEPT = """\
The output of {tool} is too large for this conversation ({tokens:,} tokens, {size:,} bytes). All of it is in the file:
{file}

It begins:
{beginning}
[Only the first {shown:,} bytes are shown here.]

Look further with search_large_output and filename "{file}":
- operation "search" with a pattern finds lines;
- operation "read" with start and end gives a range of bytes;
- operation "query" with a jq program in query takes apart what is JSON."""
REFUSED = """\
The output of {tool} was dropped: it has more than {most:,} tokens, the most that is taken in. Nothing of it is kept.

Call again for less: filter, name the fields or the rows that you need, or go page by page."""
NOT_KEPT = (
    "The output of {tool} has {tokens:,} tokens, too many for this conversation, and could not be put into a file."
)


@dataclass(frozen=True, slots=True)
class Thresholds:
    """In tokens; 0 is never. An output over `refuse` is dropped, one over `offload` put into a file."""

    offload: int = 10_000
    refuse: int = 100_000


class LargeOutputs:
    """Of one run. `clean` takes secrets out of what is kept, and so out of what the model reads of it."""

    def __init__(self, files: OutputFiles, thresholds: Thresholds, clean: Callable[[str], str]) -> None:
        self._files = files
        self._thresholds = thresholds
        self._clean = clean

    def relieve(self, tool: str, result: ToolResult) -> ToolResult:
        """The result as it may enter the prompt. Counts tokens and may write a file: not for the event loop."""
        offload, refuse = self._thresholds.offload, self._thresholds.refuse
        tokens = estimate_text(result.content, upto=refuse)
        if refuse and tokens > refuse:
            return ToolResult(REFUSED.format(tool=tool, most=refuse), is_error=True)
        return self._put(tool, result, tokens) if offload and tokens > offload else result

    def answer(self, tool: str, arguments: Mapping[str, Any]) -> ToolResult:
        """A call of one of LARGE_OUTPUT_TOOLS. May take seconds: not for the event loop."""
        return answer_call(self._files, tool, arguments, self._thresholds.offload * BYTES_A_TOKEN)

    def _put(self, tool: str, result: ToolResult, tokens: int) -> ToolResult:
        text = self._clean(well_formed(result.content))
        try:
            file = self._files.put(tool, text)
        except OSError as error:
            log.warning("an output of %s could not be put into a file: %s", tool, error)
            return ToolResult(NOT_KEPT.format(tool=tool, tokens=tokens), is_error=True)
        beginning = first_bytes(text, int(self._thresholds.offload * PREVIEW))
        kept = KeptOutput(file, len(text.encode()), tokens, len(beginning.encode()))
        told = KEPT.format(tool=tool, tokens=tokens, size=kept.size, file=file, beginning=beginning, shown=kept.shown)
        return ToolResult(told, result.is_error, kept)


class OffloadingTools:
    """A tool runner whose results may be put into files. What is read of a file goes into the prompt as it is."""

    def __init__(self, tools: ToolRunner, outputs: LargeOutputs) -> None:
        self._tools = tools
        self._outputs = outputs

    def is_simulated(self, tool: ToolSpec) -> bool:
        return self._tools.is_simulated(tool)

    async def run(self, tool: ToolSpec, arguments: Mapping[str, Any]) -> ToolResult:
        result = await self._tools.run(tool, arguments)
        if tool in LARGE_OUTPUT_TOOLS:
            return result
        relieved = await asyncio.to_thread(self._outputs.relieve, tool.name, result)
        return replace(relieved, route=result.route)
