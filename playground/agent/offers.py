"""What a model is given for one call, against what it had before: what the toolset panel shows."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from catalog.exposure import SPECIAL_CATEGORIES
from catalog.prompt_size import estimate_tool
from catalog.tools import ToolSpec
from playground.agent.chat_model import ChatMessage
from playground.agent.events import Cause, OfferMade, ToolInView
from playground.agent.messages import to_chat
from playground.agent.prompt import NOTHING_SENT, Part, Prompt, compare_prompts, read_messages
from playground.modes.protocol import DiscoveryMode, Offer
from playground.transcript import Transcript, loads


@dataclass(frozen=True, slots=True)
class Sent:
    """What one model call sends, and how it is told."""

    made: OfferMade
    prompt: Prompt

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(tool.name for tool in self.made.tools)


def make_offer(
    turn: int,
    offer: Offer,
    before: Sent | None,
    meta_tools: Sequence[ToolSpec],
    transcript: Transcript,
    system: str,
) -> Sent:
    """`before` is the run's last call, `system` the text that stands before all messages. Aids are told as meta-tools.

    What a provider's search loaded is in view as well, from the next call on. Estimates tokens: not for the event loop.
    """
    names_before = before.names if before else ()
    loaded_by = loads(transcript)
    meta_names = {tool.name for tool in (*meta_tools, *offer.aids)}
    handed = {tool.name: tool for tool in offer.handed}
    seen = (*offer.tools, *(handed[name] for name in loaded_by if name in handed))
    tools = tuple(_in_view(tool, meta_names, loaded_by) for tool in seen)
    names = tuple(tool.name for tool in tools)
    prompt = _prompt(offer, tools, to_chat(system, transcript, offer.reminder, handed), before)
    prefix = compare_prompts(before.prompt if before else NOTHING_SENT, prompt)
    made = OfferMade(
        turn,
        tools,
        added=tuple(name for name in names if name not in names_before),
        removed=tuple(name for name in names_before if name not in names),
        tokens=sum(tool.tokens for tool in tools),
        prefix_kept=not prefix.broke,
        path=offer.path,
        handed=len(handed),
        message_tokens=prompt.message_tokens,
        prefix=prefix,
    )
    return Sent(made, prompt)


def _prompt(offer: Offer, seen: Sequence[ToolInView], messages: Sequence[ChatMessage], before: Sent | None) -> Prompt:
    """`seen` begins with the tools of the offer. On the path `client` its meta-tools are marked as those that search."""
    tools = tuple(_part(tool, told, offer) for tool, told in zip(offer.tools, seen, strict=False))
    sent = before.prompt if before else NOTHING_SENT
    return Prompt(tools, read_messages(messages, sent, reminded=bool(offer.reminder)))


def _part(tool: ToolSpec, told: ToolInView, offer: Offer) -> Part:
    searches = offer.path == "client" and told.cause == "meta-tool"
    return Part(tool.name, tool.as_function() | ({"searches": True} if searches else {}), told.tokens)


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
