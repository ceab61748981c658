"""Spans by the semantic conventions for GenAI: messages now, in older events, flattened, and not at all."""

import json
from typing import Any

import pytest

from playground.agent.events import CallFinished, CallMade, ModelAnswered, RunEnded, RunStarted, TextStreamed
from tests.playground.foreign.logs import in_view, lines, only_run, otlp, outcomes, read, span, started, told

TOOLS = [{"type": "function", "name": "get_weather", "description": "The weather", "parameters": {"type": "object"}}]
USER = {"role": "user", "parts": [{"type": "text", "content": "Weather in Paris?"}]}
CALL = {
    "role": "assistant",
    "parts": [{"type": "tool_call", "id": "c1", "name": "get_weather", "arguments": {"city": "Paris"}}],
}
REPLY = {"role": "tool", "parts": [{"type": "tool_call_response", "id": "c1", "response": "rain"}]}
RAIN = {"role": "assistant", "parts": [{"type": "text", "content": "Rain."}], "finish_reason": "stop"}
EXECUTED = {"gen_ai__tool__name": "get_weather", "gen_ai__tool__call__id": "c1"}


def messages(sent: list[Any], answer: Any, **more: Any) -> dict[str, Any]:
    told = {"gen_ai__input__messages": sent, "gen_ai__output__messages": [answer], "gen_ai__request__model": "gpt-4"}
    return {**told, "gen_ai__tool__definitions": TOOLS, **more}


NEW = [
    span("a", "invoke_agent", 0, 900),
    span("b", "chat", 10, 300, parent="a", **messages([USER], CALL, gen_ai__usage__input_tokens=47)),
    span("c", "execute_tool", 310, 500, parent="a", **EXECUTED),
    span("d", "chat", 510, 800, parent="a", **messages([USER, CALL, REPLY], RAIN)),
]


def test_turns_calls_and_their_times_are_those_of_the_spans() -> None:
    run = only_run(otlp(*NEW))
    assert in_view(run) == [["get_weather"], ["get_weather"]]
    assert [(answer.prompt_tokens, answer.seconds) for answer in told(run, ModelAnswered)] == [(47, 0.29), (None, 0.29)]
    (done,) = told(run, CallFinished)
    assert (done.content, done.seconds, done.unknown) == ("rain", 0.19, ())
    assert told(run, RunEnded) == [RunEnded("completed")]


def test_a_span_a_line_is_the_same() -> None:
    assert only_run(lines(*(json.loads(otlp(one)) for one in NEW))) == only_run(otlp(*NEW))


def test_without_content_turns_and_calls_are_told_and_their_words_are_not() -> None:
    run = only_run(
        otlp(span("b", "chat", 0, 9), span("c", "execute_tool", 10, 20, **EXECUTED), span("d", "chat", 30, 40))
    )
    assert "task" in started(run).unknown
    assert ["text" in answer.unknown for answer in told(run, ModelAnswered)] == [True, True]
    assert told(run, CallMade)[0].unknown == ("arguments",)
    assert told(run, CallFinished)[0].unknown == ("content",)


def test_the_arguments_and_answer_of_a_call_may_stand_on_its_own_span() -> None:
    kept = {"gen_ai__tool__call__arguments": '{"city":"Rome"}', "gen_ai__tool__call__result": "sun"}
    run = only_run(otlp(span("b", "chat", 0, 9), span("c", "execute_tool", 10, 20, **EXECUTED, **kept)))
    assert (told(run, CallMade)[0].arguments, told(run, CallFinished)[0].content) == ('{"city":"Rome"}', "sun")


OLD_CALL = [{"id": "c9", "type": "function", "function": {"name": "get_weather", "arguments": "{}"}}]
OLD = [
    ("gen_ai.system.message", {"content": "be brief"}),
    ("gen_ai.user.message", {"content": "Weather?"}),
]


def test_the_older_events_of_spans_are_read() -> None:
    first = ("gen_ai.choice", {"finish_reason": "tool_calls", "message": {"role": "assistant", "tool_calls": OLD_CALL}})
    sent = [
        *OLD,
        ("gen_ai.assistant.message", {"tool_calls": OLD_CALL}),
        ("gen_ai.tool.message", {"id": "c9", "content": "rain"}),
    ]
    last = ("gen_ai.choice", {"finish_reason": "stop", "message": {"content": "Rain."}})
    run = only_run(otlp(span("b", "chat", 0, 9, events=[*OLD, first]), span("d", "chat", 20, 30, events=[*sent, last])))
    assert (run.task, outcomes(run)) == ("Weather?", {"get_weather": "ok"})
    assert told(run, TextStreamed)[0].text == "Rain."


def test_bedrocks_parts_in_older_events_are_read() -> None:
    use = [{"toolUse": {"toolUseId": "u1", "name": "forecast", "input": {"days": 3}}}]
    answered = [{"toolResult": {"toolUseId": "u1", "content": [{"text": "sunny"}]}}]
    asked = ("gen_ai.user.message", {"content": [{"text": "Weather?"}]})
    first = span("b", "chat", 0, 9, events=[asked, ("gen_ai.choice", {"message": use, "finish_reason": "tool_use"})])
    sent = [asked, ("gen_ai.assistant.message", {"content": use}), ("gen_ai.tool.message", {"content": answered})]
    last = ("gen_ai.choice", {"message": [{"text": "Sunny."}], "finish_reason": "end_turn"})
    run = only_run(otlp(first, span("d", "chat", 20, 30, events=[*sent, last])))
    assert (run.task, outcomes(run)) == ("Weather?", {"forecast": "ok"})
    assert told(run, CallFinished)[0].content == "sunny"


def test_the_texts_of_a_call_may_be_events_of_its_own_span() -> None:
    events = [("gen_ai.tool.message", {"content": {"city": "Rome"}}), ("gen_ai.choice", {"message": [{"text": "sun"}]})]
    run = only_run(otlp(span("b", "chat", 0, 9), span("c", "execute_tool", 10, 20, events=events, **EXECUTED)))
    assert told(run, CallMade)[0].arguments == '{"city": "Rome"}'
    assert "sun" in told(run, CallFinished)[0].content


def test_older_events_may_be_log_records_of_the_span() -> None:
    record = {
        "spanId": "b",
        "eventName": "gen_ai.user.message",
        "body": {"kvlistValue": {"values": [{"key": "content", "value": {"stringValue": "Weather?"}}]}},
    }
    logs = {"resourceLogs": [{"scopeLogs": [{"logRecords": [record]}]}]}
    assert only_run(lines(json.loads(otlp(span("b", "chat", 0, 9))), logs)).task == "Weather?"


def test_messages_flattened_into_attributes_are_read_in_order() -> None:
    flat = {
        "gen_ai__prompt__10__role": "user",
        "gen_ai__prompt__10__content": "last",
        "gen_ai__prompt__2__role": "user",
        "gen_ai__prompt__2__content": "first",
        "gen_ai__completion__0__tool_calls__0__name": "get_time",
        "gen_ai__completion__0__tool_calls__0__arguments": "{}",
    }
    run = only_run(otlp(span("b", "chat", 0, 9, **flat)))
    assert (run.task, outcomes(run)) == ("first\n\nlast", {"get_time": "not in the log"})


def test_a_model_that_failed_ends_the_run_and_says_why() -> None:
    failed = {**span("b", "chat", 0, 9, **messages([USER], RAIN)), "status": {"code": 2, "message": "429"}}
    run = only_run(otlp(span("a", "chat", 0, 5, **messages([USER], CALL)), failed))
    assert told(run, RunEnded) == [RunEnded("interrupted", "The model could not be asked: 429.")]


def test_agents_of_one_trace_are_threads_of_their_own_and_conversations_span_traces() -> None:
    other = span("e", "chat", 20, 30, parent="z", **messages([USER], RAIN))
    assert len(read(otlp(*NEW, span("z", "invoke_agent", 15, 40), other)).threads) == 2
    same = {"gen_ai__conversation__id": "conv"}
    again = {"role": "user", "parts": [{"type": "text", "content": "And Rome?"}]}
    first = span("a", "chat", 0, 5, **messages([USER], RAIN, **same))
    second = {**span("b", "chat", 9, 12, **messages([USER, RAIN, again], RAIN, **same)), "traceId": "cd" * 16}
    (thread,) = read(otlp(first, second)).threads
    assert [told(run, RunStarted)[0].task for run in thread.runs] == ["Weather in Paris?", "And Rome?"]


@pytest.mark.parametrize(
    "broken", [{"attributes": "x"}, {"startTimeUnixNano": "9" * 30}, {"events": [1]}, {"spanId": None}]
)
def test_a_span_that_is_not_as_it_should_be_is_read_as_far_as_it_goes(broken: Any) -> None:
    read(otlp({**NEW[1], **broken}))
