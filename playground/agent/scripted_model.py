"""The demo model: a sensible agent by rules, with no LLM behind it, that works on any catalog through the meta-tools it sees.

It is a function of the messages and the tools, so that a run of it can be played again. Its answers say that it is scripted.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from playground.agent.scripted.arguments import fill_arguments
from playground.agent.scripted.discovery import discovery_among, tools_in
from playground.agent.scripted.looking import LOOK, look_for
from playground.agent.scripted.matching import FAIR, GOOD, SURE, KnownTool, best_fit, fit
from playground.agent.scripted.needs import Need, carried_over, split_needs
from playground.agent.scripted.progress import Messages, Step, steps_of, tasks_of, today_of
from playground.agent.scripted.prose import Act, Speech
from playground.agent.scripted.provider_play import ProviderPlay
from playground.agent.scripted.queries import queries, speaks_of_patterns
from playground.transcript import ProviderSearch

Tools = Sequence[Mapping[str, Any]]
"""Tools in the form that OpenAI-compatible endpoints take."""

_STREAMED = re.compile(
    r"[\u3000-\u9fff\uff00-\uffef]{1,4}|[^\s\u3000-\u9fff\uff00-\uffef]*\s+|[^\s\u3000-\u9fff\uff00-\uffef]+"
)


@dataclass(frozen=True, slots=True)
class WantedCall:
    tool: str
    arguments: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Reply:
    """One answer of the model."""

    text: str
    calls: tuple[WantedCall, ...] = ()
    searches: tuple[ProviderSearch, ...] = ()
    """What its provider searched for it before the calls."""


def reply(messages: Messages, tools: Tools, handed: Tools = ()) -> Reply:
    """One call at a time; without a call the task is over.

    Given tools that are `handed` over hidden, it plays the provider's search as well, within the answer.
    """
    if not handed:
        return _Turn(messages, tools).reply()
    searching = ProviderPlay(messages, tools, handed)
    while True:
        said = _Turn(searching.messages, searching.tools).reply()
        if not searching.answers(said.text, {call.tool: call.arguments for call in said.calls}):
            return Reply("\n".join((*searching.said, said.text)), said.calls, tuple(searching.searches))


def words_of(text: str) -> Iterator[str]:
    """The pieces in which a text is streamed: words with the space after them, Chinese a few characters at a time."""
    return (match.group() for match in _STREAMED.finditer(text))


def _needs_of(messages: Messages) -> tuple[Need, ...]:
    """Those of what the user said last."""
    needs: tuple[Need, ...] = ()
    for task in tasks_of(messages):
        needs = carried_over(split_needs(task, today_of(messages)), needs)
    return needs


class _Turn:
    def __init__(self, messages: Messages, tools: Tools) -> None:
        self._functions = {tool["function"]["name"]: tool["function"] for tool in tools}
        self._way = discovery_among(self._functions)
        self._needs = _needs_of(messages)
        self._steps = steps_of(messages)
        self._speech = Speech(chinese=any(need.is_chinese for need in self._needs))

    def reply(self) -> Reply:
        calls = {step.need: step for step in reversed(self._steps) if step.tool not in self._way.meta_names}
        for number, need in enumerate(self._needs):
            if act := self._look(number, need, calls[number]) if number in calls else self._act(number, need):
                return act
        looks = {step.need: step for step in self._steps if step.tool == LOOK}
        return Reply(self._speech.at_the_end(self._needs, calls | looks))

    def _look(self, number: int, need: Need, call: Step) -> Reply | None:
        """What a call put into a file is asked for once."""
        look = None if self._steps_of(number, LOOK) else look_for(need, call, self._functions)
        return self._say("look", number, look.wanted, LOOK, look.arguments) if look else None

    def _act(self, number: int, need: Need) -> Reply | None:
        """The next thing to do for a need; None if nothing is left to try."""
        asked = [step.arguments.get(self._way.query) for step in self._steps_of(number, self._way.search)]
        left = [query for query in self._queries(need) if query not in asked]
        choice = best_fit(need, self._candidates(number), GOOD if left else FAIR)
        if choice and choice.name not in self._functions:
            return self._say("load", number, choice.name, self._way.load, {self._way.names: [choice.name]})
        if choice and (asked or not left or fit(need, choice) >= SURE):
            return self._say("call", number, choice.name, choice.name, self._arguments(need, choice.name))
        if not left:
            return None
        return self._say("again" if asked else "search", number, left[0], self._way.search, {self._way.query: left[0]})

    def _steps_of(self, number: int, tool: str) -> list[Step]:
        return [step for step in self._steps if step.need == number and step.tool == tool]

    def _queries(self, need: Need) -> tuple[str, ...]:
        if self._way.search not in self._functions:
            return ()
        parameters = self._functions[self._way.search].get("parameters", {}).get("properties", {})
        query_help = str(parameters.get(self._way.query, {}).get("description", ""))
        return queries(need, as_pattern=speaks_of_patterns(query_help))

    def _candidates(self, number: int) -> list[KnownTool]:
        """The tools in view, then what searches found, less what could not be brought into view for this need."""
        known = {name: KnownTool(name, str(tool.get("description", ""))) for name, tool in self._functions.items()}
        for step in self._steps:
            if step.tool == self._way.search:
                known = {**{tool.name: tool for tool in tools_in(step.answer)}, **known}
        asked_for = {
            name for step in self._steps_of(number, self._way.load) for name in step.arguments.get(self._way.names, ())
        }
        out_of_question = self._way.meta_names | (
            (asked_for if self._way.load else known.keys()) - self._functions.keys()
        )
        return [tool for name, tool in known.items() if name not in out_of_question]

    def _arguments(self, need: Need, name: str) -> dict[str, Any]:
        elsewhere = [value for other in self._needs if other is not need for value in other.values]
        results = [step.value for step in self._steps if step.tool not in self._way.meta_names]
        return fill_arguments(self._functions[name].get("parameters") or {}, need, elsewhere, results)

    def _say(self, act: Act, number: int, what: str, tool: str, arguments: Mapping[str, Any]) -> Reply:
        text = self._speech.of_step(act, number, len(self._needs), what)
        return Reply(text, (WantedCall(tool, arguments),))
