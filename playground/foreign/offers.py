"""What was in view, turn by turn, as far as a log says what its requests carried."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from playground.agent.events import Cause, OfferMade, ToolInView
from playground.foreign.runs import Detail, SeenTool


@dataclass(slots=True)
class InView:
    """What the turn before saw, and what has been loaded: by the name of a tool, the call that did it."""

    tools: tuple[ToolInView, ...] = ()
    loaded: dict[str, str] = field(default_factory=dict)
    was_asked: bool = False


def tell_offer(turn: int, detail: Detail, before: InView, provider_searches: bool) -> OfferMade:
    """The offer of a turn, which `before` is of from then on.

    Where the log does not have the request's tools, those that it tells were loaded are told, and `tools` is unknown.
    """
    known = detail.tools is not None
    tools = tuple(_in_view(detail.tools or (), before) if known else _loaded(before))
    names, old = [tool.name for tool in tools], [tool.name for tool in before.tools]
    handed = sum(tool.deferred and tool.name not in before.loaded for tool in detail.tools or ())
    path = "provider" if handed and provider_searches else ""
    unknown = ("message_tokens", "prefix", *(() if known else ("tools", "tokens", "prefix_kept")))
    made = OfferMade(
        turn,
        tools,
        added=tuple(name for name in names if name not in set(old)),
        removed=tuple(name for name in old if name not in set(names)),
        tokens=sum(tool.tokens for tool in tools),
        prefix_kept=not before.was_asked or names[: len(old)] == old,
        path=path,  # type: ignore[arg-type]
        handed=handed,
        unknown=unknown,
    )
    before.tools, before.was_asked = tools, True
    return made


def server_of(name: str) -> str:
    """The server of a tool, where its name says it as clients of MCP do: `mcp__server__tool`."""
    parts = name.split("__")
    return parts[1] if len(parts) > 2 and parts[0] == "mcp" else ""


def _in_view(tools: Sequence[SeenTool], before: InView) -> Iterator[ToolInView]:
    seen = set()
    for tool in tools:
        call_id = before.loaded.get(tool.name, "")
        if tool.name in seen or (tool.deferred and not call_id):
            continue
        seen.add(tool.name)
        cause: Cause = "loaded" if call_id else "meta-tool" if tool.searches else "pre-discovered"
        yield ToolInView(tool.name, tool.server, cause, tool.tokens, call_id)


def _loaded(before: InView) -> Iterator[ToolInView]:
    return (ToolInView(name, server_of(name), "loaded", 0, call_id) for name, call_id in before.loaded.items())
