"""How far a prompt begins as the one before it, and what is said of the first difference."""

from collections.abc import Sequence

import pytest

from catalog.prompt_size import estimate_messages
from playground.agent.events import PromptPrefix
from playground.agent.prompt import NOTHING_SENT, Part, Prompt, compare_prompts, read_messages

SYSTEM = {"role": "system", "content": "You complete tasks. The tools come from: files."}
REMINDER = {"role": "user", "content": "<names>"}
TASK = {"role": "user", "content": "Do it"}
ANSWER = {"role": "assistant", "content": "I look."}


def prompt(tools: str, *messages: dict[str, str], reminded: bool = False) -> Prompt:
    """Tools of ten tokens each, named by letters; `b!` is `b` with another definition."""
    parts = tuple(Part(name.rstrip("!"), {"name": name}, 10) for name in tools.split())
    return Prompt(parts, read_messages(messages, NOTHING_SENT, reminded=reminded))


def tokens(*messages: dict[str, str]) -> int:
    return estimate_messages(messages)


def test_the_first_prompt_breaks_nothing() -> None:
    assert compare_prompts(NOTHING_SENT, prompt("a b", SYSTEM, TASK)) == PromptPrefix(0)


def test_messages_that_are_added_leave_all_that_was_sent() -> None:
    before, now = prompt("a b", SYSTEM, TASK), prompt("a b", SYSTEM, TASK, ANSWER)
    assert compare_prompts(before, now) == PromptPrefix(20 + tokens(SYSTEM, TASK))


def test_tools_that_are_appended_break_nothing_yet_what_follows_them_is_read_anew() -> None:
    before, now = prompt("a b", SYSTEM, TASK), prompt("a b c d", SYSTEM, TASK, ANSWER)
    assert compare_prompts(before, now) == PromptPrefix(20, appended=2)


@pytest.mark.parametrize(
    ("before", "now", "kept", "broke"),
    [
        ("a c", "a b c", 10, "tools: b was put before c"),
        ("a b c", "a c", 10, "tools: b was taken away"),
        ("a b", "a", 10, "tools: b was taken away"),
        ("a b", "a", 10, "tools: b was taken away"),
        ("a b", "a c", 10, "tools: c now stands where b was"),
        ("a b", "b a", 0, "tools: b now stands where a was"),
        ("a b", "a! b", 0, "tools: the definition of a changed"),
        ("a", "", 0, "tools: a was taken away"),
    ],
)
def test_the_first_tool_that_differs_is_named(before: str, now: str, kept: int, broke: str) -> None:
    assert compare_prompts(prompt(before, SYSTEM, TASK), prompt(now, SYSTEM, TASK)) == PromptPrefix(kept, broke=broke)


def test_a_system_text_that_changed_is_quoted_from_where_it_did() -> None:
    other = {"role": "system", "content": "You complete tasks. The tools come from: mail."}
    found = compare_prompts(prompt("a", SYSTEM, TASK), prompt("a", other, TASK))
    assert found == PromptPrefix(10, broke="the system text changed at “mail.”")


def test_a_changed_reminder_is_told_as_such_and_messages_are_counted_after_it() -> None:
    before = prompt("a", SYSTEM, REMINDER, TASK, ANSWER, reminded=True)
    renewed = prompt("a", SYSTEM, {**REMINDER, "content": "<fewer>"}, TASK, ANSWER, reminded=True)
    trimmed = prompt("a", SYSTEM, REMINDER, TASK, {**ANSWER, "content": "…"}, reminded=True)
    assert compare_prompts(before, renewed) == PromptPrefix(10 + tokens(SYSTEM), broke="the reminder changed")
    assert compare_prompts(before, trimmed).broke == "message 2 changed"
    assert compare_prompts(before, prompt("a", SYSTEM, REMINDER, TASK, reminded=True)).broke == (
        "message 2 was taken away"
    )


def test_a_changed_message_is_told_even_where_tools_were_appended() -> None:
    found = compare_prompts(prompt("a", SYSTEM, TASK), prompt("a b", SYSTEM, ANSWER))
    assert found == PromptPrefix(10, appended=1, broke="message 1 changed")


def test_no_message_is_estimated_twice_in_a_run(monkeypatch: pytest.MonkeyPatch) -> None:
    estimated: list[object] = []

    def count(messages: Sequence[object]) -> int:
        estimated.extend(messages)
        return 1

    monkeypatch.setattr("playground.agent.prompt.estimate_messages", count)
    first = Prompt((), read_messages([SYSTEM, TASK], NOTHING_SENT, reminded=False))
    Prompt((), read_messages([dict(SYSTEM), dict(TASK), ANSWER], first, reminded=False))
    assert estimated == [SYSTEM, TASK, ANSWER]
