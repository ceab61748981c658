"""Logs from strangers: what cannot be read costs its line, nothing hostile gets through, no secret stays."""

import json
from typing import Any

import pytest

from catalog.redaction import MASK
from playground.foreign.formats import READERS, kind_of_log
from playground.foreign.records import MOST_DEPTH, MOST_PROBLEMS, clean, read_records
from tests.playground.foreign import test_claude_code, test_otel, test_requests
from tests.playground.foreign.logs import lines, otlp

DEEP = "[" * 50_000 + "]" * 50_000
KEY = "sk-proj-0123456789abcdefghij"


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("{broken", "it is not JSON (Expecting property name enclosed in double quotes, column 2)."),
        ('{"a": NaN}', "it holds a number that cannot be kept."),
        ('{"a": 1e999}', "it holds a number that cannot be kept."),
        ('{"a": ' + "9" * 5_000 + "}", "it holds a number that cannot be kept."),
        ('{"a": 99999999999999999999}', "it holds a number that cannot be kept."),
        ('{"a": ' + DEEP + "}", f"it is nested deeper than {MOST_DEPTH} levels."),
        ('{"a": ' + "[" * 200 + "]" * 200 + "}", f"it is nested deeper than {MOST_DEPTH} levels."),
    ],
    ids=["broken", "NaN", "infinity", "digits", "large", "very deep", "deep"],
)
def test_a_bad_line_costs_that_line_and_says_why(line: str, why: str) -> None:
    records, problems = read_records(lines({"n": 1}, line, "", {"n": 2}))
    assert [(record.line, record.value) for record in records] == [(1, {"n": 1}), (4, {"n": 2})]
    assert [(problem.line, problem.text) for problem in problems] == [(2, why)]


def test_a_document_that_is_broken_is_told_once_with_its_place() -> None:
    text = json.dumps({"messages": [{"role": "user", "content": "x"}] * 300}, indent=1)[:-5]
    records, problems = read_records(text)
    assert (records, len(problems)) == ([], 1)
    assert problems[0].line == text.count("\n") + 1


def test_a_key_written_twice_is_told_and_the_last_one_counts() -> None:
    records, problems = read_records('{"a": 1, "a": 2}')
    assert records[0].value == {"a": 2}
    assert "holds a key twice" in problems[0].text


def test_what_databases_refuse_is_made_fit() -> None:
    records, _ = read_records('{"a\\u0000": "\\ud800x\\u0000"}')
    assert records[0].value == {"a␀": "�x␀"}


def test_many_problems_are_cut_short() -> None:
    problems = read_records(lines({}, *["{"] * (MOST_PROBLEMS + 50)))[1]
    assert (len(problems), str(problems[-1])) == (MOST_PROBLEMS + 1, "And 50 more.")


def test_secrets_are_taken_out_and_counted_and_lines_keep_their_numbers() -> None:
    log = clean(
        lines(
            {"content": f"key {KEY}", "password": "hunter22"}, "{broken", {"headers": {"Authorization": "Bearer abc"}}
        )
    )
    assert log.redacted == 3
    assert KEY not in log.text and "hunter22" not in log.text and MASK in log.text
    assert [json.loads(line) if line else None for line in log.text.split("\n")][1] is None
    assert [problem.line for problem in log.problems] == [2]


def test_a_clean_log_reads_the_same_again() -> None:
    log = clean(lines(*test_claude_code.SESSION))
    assert clean(log.text).text == log.text


LOGS = {
    "claude-code": lines(*test_claude_code.SESSION),
    "opentelemetry": clean(otlp(*test_otel.NEW)).text,
    "openai-chat": lines(test_requests.FIRST, test_requests.SECOND),
    "openai-responses": json.dumps(test_requests.RESPONSE),
    "anthropic": lines(test_requests.anthropic([{"role": "user", "content": "x"}], test_requests.SEARCHED, "tool_use")),
}


@pytest.mark.parametrize("kind", LOGS)
def test_each_kind_of_log_is_recognised(kind: str) -> None:
    assert kind_of_log(LOGS[kind]) == kind


@pytest.mark.parametrize("kind", READERS)
@pytest.mark.parametrize(
    "text", [*LOGS.values(), "", "null", "[[]]", '"text"', '{"run": [], "events": {}}', '{"messages": {}}']
)
def test_every_reader_takes_whatever_it_is_given(kind: str, text: str) -> None:
    READERS[kind].read(text)


ODD: list[Any] = [None, 0, "", "x", [], {}, [None], {"a": None}, [[]], True]


@pytest.mark.parametrize("kind", LOGS)
def test_a_value_of_another_type_anywhere_is_read_over(kind: str) -> None:
    """Each value of a log in turn is another one; what is read of it then does not matter."""
    for line in LOGS[kind].split("\n"):
        whole = json.loads(line)
        for number, (holder, key) in enumerate(places(whole)):
            kept, holder[key] = holder[key], ODD[number % len(ODD)]
            READERS[kind].read(json.dumps(whole))
            holder[key] = kept


def places(value: Any) -> list[tuple[Any, Any]]:
    """Every place in a JSON value that holds another one."""
    keys = list(value) if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    return [(value, key) for key in keys] + [place for key in keys for place in places(value[key])]
