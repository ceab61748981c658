"""What the first model call of a run will send, put together without a run, a model, or a search."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from typing import Any

from catalog.policy import ALLOW_ALL, Policy
from catalog.prompt_size import estimate_messages, estimate_tool, estimate_tools
from catalog.search import ENGINES
from catalog.search.engine import Engine
from catalog.search.settings import TypedSettings
from catalog.tools import ToolPool, ToolSpec
from playground.agent.messages import system_text, to_chat
from playground.modes import MODES
from playground.modes.policed import make_mode
from playground.modes.protocol import Offer, Session
from playground.transcript import UserMessage

MOST_SHOWN = 200
"""Tools in view that a page lists."""
TASK = "(the task)"
"""Stands for what the user will ask."""


@dataclass(frozen=True)
class FirstCall:
    """The messages and tools of the call, and what they cost in estimated tokens. Tools handed over hidden cost none."""

    offer: Offer
    pool: ToolPool
    meta_names: frozenset[str]
    today: date
    task: str = TASK

    @cached_property
    def system(self) -> str:
        return system_text(self.offer, self.today)

    @cached_property
    def messages(self) -> list[Mapping[str, Any]]:
        return [*to_chat(self.system, (UserMessage(self.task),), self.offer.reminder)]

    @property
    def shown_tools(self) -> list[tuple[ToolSpec, int, bool]]:
        """The first tools in view, each with its tokens and whether it is a meta-tool."""
        shown = self.offer.tools[:MOST_SHOWN]
        return [(tool, estimate_tool(tool), tool.name in self.meta_names) for tool in shown]

    @property
    def more_tools(self) -> int:
        """Tools in view that are not shown."""
        return max(0, len(self.offer.tools) - MOST_SHOWN)

    @property
    def body_is_short(self) -> bool:
        """Whether the whole request fits on a page."""
        return not self.more_tools and len(self.offer.handed) <= MOST_SHOWN

    @cached_property
    def message_tokens(self) -> int:
        return estimate_messages(self.messages)

    @cached_property
    def tool_tokens(self) -> int:
        return estimate_tools(self.offer.tools)

    @property
    def tokens(self) -> int:
        return self.message_tokens + self.tool_tokens

    @cached_property
    def tokens_all(self) -> int:
        """What the same messages with every tool of the catalog would cost; a reminder of hidden names is not needed then."""
        plain = to_chat(self.system, (UserMessage(self.task),))
        return estimate_messages(plain) + estimate_tools(self.pool)

    @property
    def body(self) -> str:
        """The request as an OpenAI-compatible endpoint gets it, but for the model's name."""
        hidden = [{**tool.as_function(), "defer_loading": True} for tool in self.offer.handed]
        request = {"messages": self.messages, "tools": [*(tool.as_function() for tool in self.offer.tools), *hidden]}
        return json.dumps(request, ensure_ascii=False, indent=2)


def first_call(
    pool: ToolPool,
    mode: str,
    engine: str,
    options: TypedSettings,
    today: date,
    policy: Policy = ALLOW_ALL,
    task: str = TASK,
) -> FirstCall:
    """`mode` and `engine` are slugs; without an engine, it is the mode's own. The model's provider is taken to search."""
    kind = MODES[mode]
    session = Session(policy=policy, most_handed=len(pool))
    made = make_mode(kind, pool, _unasked(engine or kind.default_engine), options, session)
    offer = made.offer((UserMessage(task),))
    return FirstCall(offer, pool, frozenset(tool.name for tool in (*kind.meta_tools, *offer.aids)), today, task)


def _unasked(slug: str) -> Engine:
    """An engine that an offer may read about; it has no corpus, for nothing is searched."""
    kind = ENGINES[slug]
    return kind.__new__(kind)
