"""Logs of requests: OpenAI's two APIs and Anthropic's. Requests of one conversation are one thread, with the tools of each."""

import json
from typing import Any

import pytest

from playground.agent.events import (
    CallMade,
    ModelAnswered,
    OfferMade,
    RunEnded,
    RunStarted,
    SearchAnswered,
    ToolsLoaded,
)
from tests.playground.foreign.logs import (
    SEARCH,
    WEATHER,
    chat_call,
    chat_request,
    in_view,
    lines,
    only_run,
    outcomes,
    read,
    reference,
    result,
    started,
    told,
    use,
)

USER = {"role": "user", "content": "Weather in Oslo?"}
CALL = chat_call("c1", "search_tools", '{"query": "weather"}')
REPLY = {"role": "tool", "tool_call_id": "c1", "content": '["get_weather"]'}
RAIN = {"role": "assistant", "content": "Rain."}
FIRST = chat_request([USER], [SEARCH], CALL, "tool_calls", prompt_tokens=80, completion_tokens=7)
SECOND = chat_request([USER, CALL, REPLY], [SEARCH, WEATHER], RAIN, prompt_tokens=120, completion_tokens=9)


def test_requests_that_go_on_from_each_other_are_one_run_with_the_tools_of_each() -> None:
    run = only_run(lines(FIRST, SECOND))
    assert in_view(run) == [["search_tools"], ["search_tools", "get_weather"]]
    assert [answer.prompt_tokens for answer in told(run, ModelAnswered)] == [80, 120]
    assert told(run, RunEnded) == [RunEnded("completed")]


def test_tools_that_appear_after_an_answer_named_them_were_loaded_by_it() -> None:
    run = only_run(lines(FIRST, SECOND))
    assert told(run, ToolsLoaded) == [ToolsLoaded(1, "c1", ("get_weather",))]
    assert told(run, SearchAnswered)[0].unknown == ("searched",)
    assert told(run, OfferMade)[1].tools[1].call_id == "c1"


def test_tools_that_no_answer_named_are_told_as_added_alone() -> None:
    other = {**REPLY, "content": "nothing"}
    run = only_run(lines(FIRST, chat_request([USER, CALL, other], [SEARCH, WEATHER], RAIN)))
    assert told(run, ToolsLoaded) == []
    assert told(run, OfferMade)[1].added == ("get_weather",)


def test_requests_without_answers_hold_them_in_the_next_request() -> None:
    run = only_run(
        lines({"messages": [USER], "tools": [SEARCH]}, {"messages": [USER, CALL, REPLY, RAIN], "tools": [WEATHER]})
    )
    assert in_view(run) == [["search_tools"], ["get_weather"]]


def test_a_whole_conversation_has_the_tools_of_its_list_in_every_turn() -> None:
    text = json.dumps({"messages": [{"role": "system", "content": "s"}, USER, CALL, REPLY, RAIN], "tools": [SEARCH]})
    run = only_run(text)
    assert in_view(run) == [["search_tools"], ["search_tools"]]
    assert {"at", "model"} <= set(started(run).unknown)
    assert not run.has_times


def test_a_conversation_without_tools_says_that_they_are_not_in_the_log() -> None:
    run = only_run(lines(USER, CALL, REPLY, {"role": "assistant", "content": [{"type": "text", "text": "Rain."}]}))
    assert ["tools" in offer.unknown for offer in told(run, OfferMade)] == [True, True]
    assert outcomes(run) == {"search_tools": "ok"}


def test_other_conversations_are_other_threads() -> None:
    other = chat_request([{"role": "user", "content": "Mail Ada"}], [], {"role": "assistant", "content": "Sent."})
    assert [thread.title for thread in read(lines(FIRST, other, SECOND)).threads] == ["Weather in Oslo?", "Mail Ada"]


def test_a_line_that_is_no_request_costs_that_line() -> None:
    found = read(lines(FIRST, "{broken", {"level": "info"}, SECOND))
    assert len(found.threads) == 1
    assert [problem.line for problem in found.problems] == [3]


ANTHROPIC_TOOLS: list[Any] = [
    {"type": "tool_search_tool_regex_20251119", "name": "tool_search_tool_regex"},
    {"name": "get_weather", "description": "The weather", "input_schema": {"type": "object"}, "defer_loading": True},
    {"name": "send_mail", "description": "Mail", "input_schema": {"type": "object"}, "defer_loading": True},
]
SEARCHED = [
    {"type": "server_tool_use", "id": "srv1", "name": "tool_search_tool_regex", "input": {"pattern": "weather"}},
    {
        "type": "tool_search_tool_result",
        "tool_use_id": "srv1",
        "content": {"type": "tool_search_tool_search_result", "tool_references": [reference("get_weather")]},
    },
    use("tu1", "get_weather", city="Oslo"),
]


def anthropic(messages: list[Any], content: list[Any], reason: str) -> Any:
    answer = {"type": "message", "model": "claude-x", "content": content, "stop_reason": reason}
    usage = {"input_tokens": 20, "output_tokens": 5, "cache_read_input_tokens": 7}
    return {"request": {"messages": messages, "tools": ANTHROPIC_TOOLS}, "response": {**answer, "usage": usage}}


def test_anthropics_own_search_is_told_over_the_tools_handed_to_it() -> None:
    asked = {"role": "user", "content": "Weather?"}
    replied = {"role": "user", "content": [result("tu1", "rain")]}
    made = {"role": "assistant", "content": SEARCHED}
    first = anthropic([asked], SEARCHED, "tool_use")
    run = only_run(lines(first, anthropic([asked, made, replied], [{"type": "text", "text": "Rain."}], "end_turn")))
    assert in_view(run) == [["tool_search_tool_regex"], ["tool_search_tool_regex", "get_weather"]]
    assert [(offer.path, offer.handed) for offer in told(run, OfferMade)] == [("provider", 2), ("", 1)]
    search = told(run, SearchAnswered)[0]
    assert (search.query, search.searched, search.matched) == ("weather", 2, 1)
    assert outcomes(run)["get_weather"] == "ok"
    assert told(run, ModelAnswered)[0].prompt_tokens == 27


def test_a_search_that_failed_says_so() -> None:
    error = {"type": "tool_search_tool_result_error", "error_code": "too_many_requests"}
    blocks = [SEARCHED[0], {**SEARCHED[1], "content": error}]
    run = only_run(lines(anthropic([{"role": "user", "content": "x"}], blocks, "end_turn")))
    assert told(run, SearchAnswered)[0].problem == "too_many_requests"


RESPONSE: dict[str, Any] = {
    "object": "response",
    "created_at": 1_760_000_000,
    "status": "completed",
    "model": "gpt-5.4",
    "input": "Weather?",
    "tools": [
        {"type": "tool_search"},
        {"type": "function", "name": "get_weather", "parameters": {}, "defer_loading": True},
        {"type": "namespace", "name": "crm", "tools": [{"type": "function", "name": "find", "defer_loading": True}]},
    ],
    "output": [
        {"type": "reasoning", "summary": []},
        {"type": "tool_search_call", "id": "tsc", "execution": "server", "arguments": {"goal": "weather"}},
        {
            "type": "tool_search_output",
            "id": "tso",
            "execution": "server",
            "tools": [{"type": "function", "name": "get_weather"}],
        },
        {"type": "function_call", "call_id": "c1", "name": "get_weather", "arguments": "{}"},
    ],
    "usage": {"input_tokens": 10, "output_tokens": 2, "input_tokens_details": {"cached_tokens": 4}},
}


def test_responses_tell_the_search_of_the_provider_and_tools_in_namespaces() -> None:
    run = only_run(json.dumps(RESPONSE))
    assert started(run).tools_all == 2
    assert told(run, SearchAnswered)[0].query == "weather"
    assert told(run, ToolsLoaded)[0].names == ("get_weather",)
    assert told(run, ModelAnswered)[0].cached_tokens == 4
    assert [call.tool for call in told(run, CallMade)][-1] == "get_weather"


def test_a_search_that_the_client_answers_is_a_call() -> None:
    asked = {"type": "tool_search_call", "call_id": "s1", "execution": "client", "arguments": {"query": "crm"}}
    space = {"type": "namespace", "name": "crm", "tools": [{"type": "function", "name": "find"}]}
    found = {"type": "tool_search_output", "call_id": "s1", "execution": "client", "tools": [space]}
    said = {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "ok"}]}
    user = {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "Find"}]}
    run = only_run(json.dumps({"input": [user, asked, found, said], "tools": [{"type": "tool_search"}]}))
    assert told(run, ToolsLoaded)[0].names == ("find",)
    assert told(run, RunStarted)[0].task == "Find"


def test_a_codex_session_is_read_with_its_times() -> None:
    def line(second: int, kind: str, **payload: Any) -> Any:
        return {"timestamp": f"2026-01-01T00:00:0{second}Z", "type": kind, "payload": payload}

    run = only_run(
        lines(
            line(0, "session_meta", id="sess"),
            line(0, "turn_context", model="gpt-5-codex"),
            line(1, "response_item", type="message", role="user", content=[{"type": "input_text", "text": "List"}]),
            line(2, "response_item", type="function_call", name="shell", arguments="{}", call_id="c1"),
            line(3, "response_item", type="function_call_output", call_id="c1", output="a b"),
            line(
                4, "response_item", type="message", role="assistant", content=[{"type": "output_text", "text": "Two."}]
            ),
        )
    )
    assert (started(run).model, outcomes(run)) == ("gpt-5-codex", {"shell": "ok"})
    assert [at.second for at, event in run.events if at and isinstance(event, OfferMade)] == [2, 4]


@pytest.mark.parametrize("text", ["[]", "{}", '{"messages": []}', '{"messages": [{"role": "user", "content": "x"}]}'])
def test_a_log_without_an_answer_of_a_model_has_no_threads(text: str) -> None:
    from playground.foreign.openai_chat import read as read_chat

    assert read_chat(text).threads == ()
