"""Eino's two middlewares: what is in view turn by turn, the reminder, and the texts of answers, as recorded."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from catalog.search import ENGINES
from catalog.search.engine import Corpus
from catalog.tools import ToolPool, ToolSpec
from playground.modes.eino import Eino, EinoOptions
from playground.modes.eino_native import EinoNative
from playground.modes.eino_regex import EinoRegexMode, EinoRegexOptions
from playground.modes.protocol import ALONE, CannotOfferError, DiscoveryMode, Session
from playground.transcript import AssistantMessage, ToolCall, ToolMessage, Transcript, UserMessage
from tests.conformance.recorded import NO_INDEX, Case, Json, every_case, scripted, with_vectors

pytestmark = with_vectors
EINO, EINO_BETA = ("eino_v2", "eino-keyword"), ("eino_beta", "eino-regex")
AS_IMPLEMENTED = {"eino_v2": EinoOptions("implemented"), "eino_beta": EinoRegexOptions("implemented")}
NOT_A_POOL = "constructor_error"
"""A catalog without tools, or with a name twice, cannot be put together here in the first place."""


NIL_LIST = "eino2-state-17"
"""Without static tools the visible list becomes nil there, and the framework fills it with every tool: not copied."""


def states(system: str, *, native: bool = False) -> Any:
    cases = scripted(system, "state")
    asked = [case for case in cases if is_a_pool(case) and bool(case.get("native")) == native]
    return pytest.mark.parametrize("case", [pytest.param(case, id=case["id"]) for case in asked])


def is_a_pool(case: Json) -> bool:
    names = [*case["static"], *(tool["Name"] for tool in case["dynamic"])]
    return NOT_A_POOL not in case["expected"] and len(set(names)) == len(names)


def pool_of(case: Json) -> ToolPool:
    static = tuple(ToolSpec(name) for name in case["static"])
    dynamic = tuple(ToolSpec(tool["Name"], tool["Description"]) for tool in case["dynamic"])
    return ToolPool((*static, *dynamic), tuple(case["static"]))


def mode_of(kind: type[DiscoveryMode], pool: ToolPool, options: Any, session: Session = ALONE) -> DiscoveryMode:
    return kind(pool, ENGINES[kind.default_engine](Corpus(pool.searchable, NO_INDEX)), options, session)


def message_of(role: str, content: str, tool: str) -> Any:
    match role:
        case "user":
            return UserMessage(content)
        case "assistant":
            return AssistantMessage(content)
        case "tool":
            return ToolMessage("", tool, content)
    return None


def messages_of(told: Any) -> Iterator[Any]:
    """Each message of a step; system messages are no part of a transcript."""
    for each in told:
        plain = {key.lower(): value for key, value in each.items()}
        if message := message_of(plain["role"], plain["content"], plain.get("tool_name", "")):
            yield message


@states("eino_v2")
def test_the_visible_tools_and_the_reminder_are_those_of_the_original(case: Mapping[str, Any]) -> None:
    """Within a run the transcript is the record of all that happened, whatever a summary removes from the history that
    is sent on (E2-29); a new run begins with what the history still shows."""
    mode = mode_of(Eino, pool_of(case), AS_IMPLEMENTED["eino_v2"])
    transcript: Transcript = ()
    for step, expected in zip(case["steps"], case["expected"]["steps"], strict=True):
        if step.get("new_run") and step.get("drop_tool_results"):
            transcript = tuple(message for message in transcript if not isinstance(message, ToolMessage))
        transcript = (*transcript, *messages_of(step["add"]))
        offer = mode.offer(transcript)
        assert [tool.name for tool in offer.tools] == expected["visible"]
        assert expected["deferred"] == []
        assert [offer.reminder] == [told["content"] for told in expected["messages"] if told.get("reminder")]
    executable = {tool.name for tool in (*offer.tools, *offer.deferred)}
    assert offer.runs_hidden
    assert executable == set(case["expected"]["executable"])


@states("eino_v2", native=True)
def test_in_native_mode_the_static_tools_are_visible_and_the_others_handed_over(case: Mapping[str, Any]) -> None:
    """What the original says of a nil list is a defect (E2-32): the first expectation holds for every call here."""
    mode = mode_of(EinoNative, pool_of(case), AS_IMPLEMENTED["eino_v2"], Session(most_handed=100))
    transcript: Transcript = ()
    for step, expected in zip(case["steps"], case["expected"]["steps"], strict=True):
        transcript = (*transcript, *messages_of(step["add"]))
        offer = mode.offer(transcript)
        visible = [] if case["id"] == NIL_LIST else expected["visible"]
        assert [tool.name for tool in offer.tools] == visible
        assert [tool.name for tool in offer.handed] == expected["deferred"]
        assert [offer.reminder] == [told["content"] for told in expected["messages"] if told.get("reminder")]
    executable = {tool.name for tool in (*offer.tools, *offer.handed, *mode.meta_tools)}
    assert offer.runs_hidden
    assert executable == set(case["expected"]["executable"])


@states("eino_v2", native=True)
def test_where_the_provider_cannot_search_its_search_tool_is_in_view_too(case: Mapping[str, Any]) -> None:
    mode = mode_of(EinoNative, pool_of(case), AS_IMPLEMENTED["eino_v2"])
    transcript: Transcript = ()
    for step, expected in zip(case["steps"], case["expected"]["steps"], strict=True):
        transcript = (*transcript, *messages_of(step["add"]))
        offer = mode.offer(transcript)
        assert [tool.name for tool in offer.tools] == [*case["static"], case["expected"]["native_tool_search_tool"]]
        assert [tool.name for tool in offer.deferred] == expected["deferred"]


@states("eino_beta")
def test_the_visible_tools_of_the_beta_are_those_of_the_original(case: Mapping[str, Any]) -> None:
    mode = mode_of(EinoRegexMode, pool_of(case), AS_IMPLEMENTED["eino_beta"])
    transcript: Transcript = ()
    for step, expected in zip(case["steps"], case["expected"]["steps"], strict=False):
        if any(told["Role"] == "DROP_TOOL" for told in step):
            transcript = tuple(message for message in transcript if not isinstance(message, ToolMessage))
        transcript = (*transcript, *messages_of(step))
        if "error" in expected:
            with pytest.raises(CannotOfferError) as refused:
                mode.offer(transcript)
            assert str(refused.value) == expected["error"]
            return
        assert [tool.name for tool in mode.offer(transcript).tools] == expected["visible"]


def answers(system: tuple[str, str]) -> Any:
    return pytest.mark.parametrize("case", [pytest.param(case, id=case.told["id"]) for case in every_case(*system)])


def answer(kind: type[DiscoveryMode], case: Case, query: str) -> tuple[str, bool]:
    """What the mode says to a recorded case: its raw arguments, or the query under its name."""
    told = case.told
    arguments = told.get("arguments_json")
    if arguments is None:
        limit = {"max_results": told["params"]["max_results"]} if "max_results" in (told.get("params") or {}) else {}
        arguments = json.dumps({query: told["query"], **limit})
    mode = mode_of(kind, ToolPool(case.recording.tools), kind.Options())
    said = mode.answer(ToolCall("1", kind.meta_tools[0].name, arguments), ())
    return said.content, said.is_error


@answers(EINO)
def test_eino_says_what_the_original_said(case: Case) -> None:
    expected = case.expected
    assert answer(Eino, case, "query") == (expected.get("error") or expected["output"], "error" in expected)


@answers(EINO_BETA)
def test_the_beta_says_what_the_original_said(case: Case) -> None:
    expected = case.expected
    assert answer(EinoRegexMode, case, "regex_pattern") == (
        expected.get("error") or expected["output"],
        "error" in expected,
    )
