"""Sessions of Claude Code: what its search for tools loaded is told, what else was in view is not in the log."""

from datetime import UTC, datetime

from playground.agent.events import (
    CallFinished,
    CallMade,
    ModelAnswered,
    OfferMade,
    RunEnded,
    SearchAnswered,
    TextStreamed,
    ToolsLoaded,
)
from tests.playground.foreign.logs import (
    code_line,
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

USAGE = {"input_tokens": 3, "cache_creation_input_tokens": 100, "cache_read_input_tokens": 200, "output_tokens": 9}
ASKED = code_line("user", "Weather in Oslo?", "u1", timestamp="2026-03-20T19:06:45.601Z")
SAYS = code_line(
    "assistant",
    [{"type": "thinking", "thinking": "hm", "signature": "x"}, {"type": "text", "text": "Looking."}],
    "a1",
    timestamp="2026-03-20T19:06:50Z",
    message={"id": "m1", "model": "claude-x", "stop_reason": None, "usage": USAGE},
)
SEARCHES = code_line(
    "assistant",
    [use("t1", "ToolSearch", query="select:mcp__weather__get", max_results=2)],
    "a2",
    timestamp="2026-03-20T19:06:51Z",
    message={"id": "m1", "model": "claude-x", "stop_reason": "tool_use", "usage": USAGE},
)
FOUND = code_line(
    "user",
    [result("t1", [reference("mcp__weather__get")])],
    "u2",
    timestamp="2026-03-20T19:06:51.5Z",
    toolUseResult={"matches": ["mcp__weather__get"], "total_deferred_tools": 87},
)
CALLS = code_line(
    "assistant", [use("t2", "mcp__weather__get", city="Oslo"), use("t3", "Bash")], "a3", message={"id": "m2"}
)
ANSWERED = code_line(
    "user", [result("t2", [{"type": "text", "text": "3 °C"}])], "u3", toolUseResult={"durationMs": 250}
)
FAILED = code_line("user", [result("t3", "no such command", is_error=True)], "u4")
ENDS = code_line(
    "assistant", [{"type": "text", "text": "3 °C."}], "a4", message={"id": "m3", "stop_reason": "end_turn"}
)
SESSION = [
    {"type": "summary", "summary": "s", "leafUuid": "a4"},
    ASKED,
    SAYS,
    SEARCHES,
    FOUND,
    CALLS,
    ANSWERED,
    FAILED,
    ENDS,
]


def test_lines_of_one_message_are_one_turn() -> None:
    run = only_run(lines(*SESSION))
    first = told(run, ModelAnswered)[0]
    assert len(told(run, OfferMade)) == 3
    assert told(run, TextStreamed)[0].text == "Looking."
    assert (first.finish_reason, first.prompt_tokens, first.cached_tokens, first.written_tokens) == (
        "tool_use",
        303,
        200,
        100,
    )


def test_a_search_for_tools_tells_what_it_loaded_and_among_how_many() -> None:
    run = only_run(lines(*SESSION))
    (search,) = told(run, SearchAnswered)
    assert (search.query, search.searched, search.unknown) == ("select:mcp__weather__get", 87, ())
    assert told(run, ToolsLoaded)[0].names == ("mcp__weather__get",)
    assert in_view(run) == [[], ["mcp__weather__get"], ["mcp__weather__get"]]
    assert told(run, OfferMade)[1].tools[0].server == "weather"


def test_what_is_not_in_the_log_is_said_and_not_made_up() -> None:
    run = only_run(lines(*SESSION))
    assert {"mode", "engine", "tools_all"} <= set(started(run).unknown)
    assert all("tools" in offer.unknown for offer in told(run, OfferMade))
    assert all("seconds" in answer.unknown for answer in told(run, ModelAnswered))
    took = {event.call_id: None if "seconds" in event.unknown else event.seconds for event in told(run, CallFinished)}
    assert took == {"t1": None, "t2": 0.25, "t3": None}


def test_calls_end_well_or_badly() -> None:
    assert outcomes(only_run(lines(*SESSION))) == {"ToolSearch": "ok", "mcp__weather__get": "ok", "Bash": "failed"}


def test_the_times_are_those_of_the_log() -> None:
    run = only_run(lines(*SESSION))
    assert run.events[0][0] == datetime(2026, 3, 20, 19, 6, 45, 601_000, UTC)
    assert [at for at, _ in run.events] == sorted(at for at, _ in run.events if at)


def test_each_message_of_a_person_is_a_run_of_its_thread() -> None:
    again = code_line("user", [{"type": "text", "text": "And Bergen?"}], "u9")
    open_call = code_line("assistant", [use("t9", "mcp__weather__get")], "a9", message={"id": "m9"})
    (thread,) = read(lines(*SESSION, again, open_call)).threads
    first, second = thread.runs
    assert (first.task, second.task, thread.title) == ("Weather in Oslo?", "And Bergen?", "Weather in Oslo?")
    assert told(first, RunEnded)[0].outcome == "completed"
    assert told(second, RunEnded)[0] == RunEnded("interrupted", "The log ends here.")
    assert in_view(second) == [["mcp__weather__get"]]
    assert told(second, CallMade)[0].unknown == ("outcome",)


def test_lines_of_the_client_are_no_messages_and_lines_kept_twice_count_once() -> None:
    meta = code_line("user", "<local-command-caveat>", "u8", isMeta=True)
    error = code_line("assistant", [{"type": "text", "text": "API Error"}], "a8", isApiErrorMessage=True)
    stop = code_line("user", [{"type": "text", "text": "[Request interrupted by user]"}], "u7")
    found = read(lines(*SESSION[:5], SESSION[4], meta, error, stop, {"type": "progress", "sessionId": "s1"}))
    (run,) = found.threads[0].runs
    assert len(told(run, SearchAnswered)) == 1
    assert told(run, RunEnded)[0].reason == "The person interrupted it."
    assert [str(problem) for problem in found.problems] == [
        "Line 8: the model could not be asked; what Claude Code said of it is left out."
    ]


def test_a_subagent_has_a_thread_of_its_own() -> None:
    asked = {**code_line("user", "Look into it", "x1"), "isSidechain": True, "agentId": "q"}
    says = {**code_line("assistant", "Done.", "x2", message={"id": "mx"}), "isSidechain": True, "agentId": "q"}
    threads = read(lines(*SESSION, asked, says)).threads
    assert [thread.origin for thread in threads] == ["s1", "s1 subagent q"]
