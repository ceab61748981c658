"""mcpagent's Tool Search Mode as its program answers: searches, added tools, the list of all names, as recorded."""

import json
from typing import Any

import pytest

from catalog.search import ENGINES
from catalog.search.engine import Corpus
from catalog.tools import ToolPool, ToolSpec
from playground.modes.mcpagent import Mcpagent, McpagentOptions
from playground.transcript import ToolCall, ToolMessage, Transcript
from tests.conformance.recorded import NO_INDEX, Case, Json, every_case, scripted, with_vectors

pytestmark = with_vectors
GONE = "remove_tool"
"""A meta-tool of later versions only."""


def mode_of(pool: ToolPool) -> Mcpagent:
    engine = ENGINES["mcpagent"](Corpus(pool.searchable, NO_INDEX))
    return Mcpagent(pool, engine, McpagentOptions("implemented"))


def has_unique_names(tools: tuple[ToolSpec, ...]) -> bool:
    return len({tool.name for tool in tools}) == len(tools)


def searches() -> Any:
    """A name is there once in a pool of ours: catalogs with a name on two servers cannot be put together."""
    cases = [case for case in every_case("mcpagent_doc", "mcpagent") if has_unique_names(case.recording.tools)]
    return pytest.mark.parametrize("case", [pytest.param(case, id=case.told["id"]) for case in cases])


@searches()
def test_a_search_says_what_the_original_said(case: Case) -> None:
    arguments = case.told["args"] if "args" in case.told else {"query": case.told["query"]}
    mode = mode_of(ToolPool(case.recording.tools))
    assert mode.answer(ToolCall("1", "search_tools", json.dumps(arguments)), ()).content == case.expected["output"]


def states() -> Any:
    cases = scripted("mcpagent_doc", "state")
    return pytest.mark.parametrize("case", [pytest.param(case, id=case["id"]) for case in cases if occurs(case)])


def occurs(case: Json) -> bool:
    """Cases that neither name a tool that is there twice, nor list such, nor remove any."""
    names = [tool["name"] for tool in case["catalog"]]
    twice = {name for name in names if names.count(name) > 1}
    said = json.dumps([case["calls"], case["pre_discovered"]])
    listed = any(call["tool"] in ("show_all_tools", GONE) for call in case["calls"])
    return not any(f'"{name}"' in said or f'"^{name}$"' in said for name in twice) and not (listed and twice)


@states()
def test_each_call_leaves_the_tools_that_the_original_had(case: Json) -> None:
    """Found tools stand in the order found here; the original walks a map, and the recording sorts them."""
    tools = {
        tool["name"]: ToolSpec(tool["name"], tool["description"], server=tool["server"]) for tool in case["catalog"]
    }
    mode = mode_of(ToolPool(tuple(tools.values()), tuple(case["pre_discovered"])))
    transcript: Transcript = ()
    meta = [tool.name for tool in mode.meta_tools]
    assert meta == case["expected"]["initial"]["meta"]
    for number, (call, expected) in enumerate(zip(case["calls"], case["expected"]["after_each_call"], strict=True)):
        answer = mode.answer(ToolCall(str(number), call["tool"], json.dumps(call["args"])), transcript)
        transcript = (*transcript, ToolMessage(str(number), call["tool"], answer.content, answer.loaded))
        assert answer.content == expected["output"]
        in_view = [tool.name for tool in mode.offer(transcript).tools if tool.name not in meta]
        assert sorted(in_view) == expected["discovered"]
