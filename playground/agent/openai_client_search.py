"""OpenAI's tool search where the client searches: the model's calls of a meta-tool as `tool_search_call`, its answers as
`tool_search_output` with the definitions that it loads, which are then not sent among the tools.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from playground.agent.wire_names import wire_name

Part = dict[str, Any]


@dataclass(frozen=True)
class ClientSearch:
    """The conversation's searches. `tool` is the meta-tool; without one, no call is a search.

    `functions` are those in view by their names on the wire, as the API takes them.
    """

    tool: Mapping[str, Any] | None
    functions: Mapping[str, Part]
    messages: tuple[Mapping[str, Any], ...]

    @property
    def name(self) -> str:
        return str(self.tool["function"]["name"]) if self.tool else ""

    @property
    def declared(self) -> Iterator[Part]:
        if self.tool:
            function = self.tool["function"]
            told = {key: function[key] for key in ("description", "parameters")}
            yield {"type": "tool_search", "execution": "client", **told}

    @cached_property
    def loaded(self) -> Mapping[str, tuple[str, ...]]:
        """The names that each search loaded, by the id of its call."""
        calls = (call for message in self.messages for call in message.get("tool_calls", ()))
        asked = {call["id"] for call in calls if self.tool and call["function"]["name"] == self.name}
        answers = (message for message in self.messages if message["role"] == "tool")
        told = {answer["tool_call_id"]: answer["content"] for answer in answers if answer["tool_call_id"] in asked}
        return {call_id: tuple(_names(content, self.functions)) for call_id, content in told.items()}

    @cached_property
    def loaded_names(self) -> frozenset[str]:
        return frozenset(name for names in self.loaded.values() for name in names)

    def call_part(self, call: Mapping[str, Any]) -> Part:
        arguments = json.loads(call["function"]["arguments"])
        return {"type": "tool_search_call", **_made(call["id"]), "arguments": arguments}

    def output_part(self, call_id: str) -> Part:
        """What is no definition, such as the words of an error, has no place in it."""
        tools = [{**self.functions[name], "defer_loading": True} for name in self.loaded[call_id]]
        return {"type": "tool_search_output", **_made(call_id), "tools": tools}


def _made(call_id: str) -> Part:
    return {"execution": "client", "call_id": call_id, "status": "completed"}


def _names(content: str, there: Mapping[str, Any]) -> Iterator[str]:
    """The names on the wire of the definitions in an answer, as far as those tools are still in view."""
    try:
        answer = json.loads(content)
    except (ValueError, RecursionError):
        return
    tools: Iterable[Any] = answer.get("tools", ()) if isinstance(answer, dict) else ()
    for tool in tools:
        if (name := wire_name(tool["name"])) in there:
            yield name
