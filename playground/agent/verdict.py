"""Whether a call goes out: judged before anything is sent."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from catalog.tools import ToolSpec
from playground.modes.protocol import Offer
from playground.transcript import BadArguments, ToolCall

CUT_OFF = (
    "The call was not made: the answer reached its length limit, so the call may be half of one. Answer more briefly."
)


@dataclass(frozen=True, slots=True)
class ForTool:
    """The call may go out to the tool."""

    tool: ToolSpec
    arguments: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ForMode:
    """The call is of a meta-tool, which the mode answers, broken arguments too."""


@dataclass(frozen=True, slots=True)
class Refused:
    """The call does not go out; `reason` is what the model is told. `broken`: it was not whole."""

    reason: str
    broken: bool = False


Verdict = ForTool | ForMode | Refused


def judge(call: ToolCall, offer: Offer, meta_tools: Sequence[ToolSpec], *, cut_off: bool) -> Verdict:
    """`cut_off`: the answer ended at its length limit, whatever calls it holds."""
    if cut_off:
        return Refused(CUT_OFF, broken=True)
    if any(tool.name == call.name for tool in meta_tools):
        return ForMode()
    try:
        arguments = call.read_arguments(last_counts=False)
    except BadArguments as mistake:
        return Refused(f"The call was not made: {mistake}. Call again with one whole JSON object.", broken=True)
    for tool in (*offer.tools, *offer.aids, *(offer.deferred if offer.runs_hidden else ())):
        if tool.name == call.name:
            return ForTool(tool, arguments)
    return Refused(_not_in_view(call.name, meta_tools))


def _not_in_view(name: str, meta_tools: Sequence[ToolSpec]) -> str:
    reason = f"The tool {name} is not in view, so it was not called."
    names = ", ".join(tool.name for tool in meta_tools)
    return f"{reason} Bring a tool into view before you call it, with: {names}." if names else reason
