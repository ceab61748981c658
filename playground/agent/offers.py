"""The tools that a model is given, against those that it had before: what the toolset panel shows."""

from collections.abc import Collection, Mapping, Sequence

from catalog.exposure import SPECIAL_CATEGORIES
from catalog.tools import ToolSpec
from playground.agent.events import Cause, OfferMade, ToolInView
from playground.agent.prompt_size import estimate_tool
from playground.modes.protocol import DiscoveryMode, Offer
from playground.transcript import Transcript, loads


def compare_offers(
    turn: int, offer: Offer, before: tuple[str, ...], meta_tools: Sequence[ToolSpec], transcript: Transcript
) -> OfferMade:
    """`before` holds the names of the last offer, in order; none counts as a kept prefix. Aids are told as meta-tools.

    What a provider's search loaded is in view as well, from the next call on.
    """
    loaded_by = loads(transcript)
    meta_names = {tool.name for tool in (*meta_tools, *offer.aids)}
    handed = {tool.name: tool for tool in offer.handed}
    seen = (*offer.tools, *(handed[name] for name in loaded_by if name in handed))
    tools = tuple(_in_view(tool, meta_names, loaded_by) for tool in seen)
    names = tuple(tool.name for tool in tools)
    return OfferMade(
        turn,
        tools,
        added=tuple(name for name in names if name not in before),
        removed=tuple(name for name in before if name not in names),
        tokens=sum(tool.tokens for tool in tools),
        prefix_kept=names[: len(before)] == before,
        path=offer.path,
        handed=len(handed),
    )


def every_tool(mode: DiscoveryMode) -> tuple[ToolSpec, ...]:
    """Every tool of the mode's catalog, in view from the start or hidden, without the meta-tools and aids."""
    offer = mode.offer(())
    meta_names = {tool.name for tool in (*mode.meta_tools, *offer.aids)}
    return (*(tool for tool in offer.tools if tool.name not in meta_names), *offer.deferred)


def _in_view(tool: ToolSpec, meta_names: Collection[str], loaded_by: Mapping[str, str]) -> ToolInView:
    cause: Cause = "pre-discovered"
    if tool.name in meta_names:
        cause = "meta-tool"
    elif tool.name in loaded_by:
        cause = "loaded"
    elif tool.category in SPECIAL_CATEGORIES:
        cause = "special category"
    call_id = loaded_by.get(tool.name, "") if cause == "loaded" else ""
    return ToolInView(tool.name, tool.server, cause, estimate_tool(tool), call_id)
