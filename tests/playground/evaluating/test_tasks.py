"""Tasks as people write them, calls against what a task takes, and what trials say of modes."""

from collections.abc import Sequence

import pytest

from playground.evaluating.figures import Trial, by_mode, pairs
from playground.evaluating.outcomes import needs_met
from playground.evaluating.tasks import (
    MOST_TASKS,
    Task,
    UnreadableTasksError,
    body_of,
    read_tasks,
    tasks_of,
    tasks_text,
)

KNOWN = {"a", "b", "c"}


def trials(mode: str, *successes: bool, task: int = 0, cost: float | None = 0.5) -> list[Trial]:
    """Each of a task of its own, or all of one."""
    return [Trial(task or place, mode, said, False, 1, 2, 100, cost, 3.0) for place, said in enumerate(successes, 1)]


def test_a_line_is_a_task_with_the_calls_that_it_takes() -> None:
    text = "# a note\n\nBook x => y it => a, b | c\nSay hello =>"
    assert read_tasks(text, KNOWN) == (Task("Book x => y it", (("a",), ("b", "c"))), Task("Say hello"))


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("Do it", "Line 1: write the task, =>, and the tools that it takes."),
        ("\n => a", "Line 2: there is no task before =>."),
        ("Do it => a,", "Line 1: a tool is missing beside a comma or a bar."),
        ("Do it => a b", "Line 1: “a b” is no name of a tool: tools are parted by commas, alternatives by |."),
        ("Do it => d", "Line 1: the catalog offers no tool d."),
        ("Do it => a\nDo it => b", "Line 2: this task is in it already."),
        (f"{'x' * 4_001} => a", "Line 1: a task has at most 4,000 characters."),
        (f"Do it => {', '.join('a' * 21)}", "Line 1: a task takes at most 20 calls."),
        ("# nothing", "Write a task."),
        ("\n".join(f"{one} => a" for one in range(MOST_TASKS + 1)), f"At most {MOST_TASKS} tasks are tried."),
    ],
)
def test_a_mistake_is_told_with_its_line(text: str, problem: str) -> None:
    with pytest.raises(UnreadableTasksError) as raised:
        read_tasks(text, KNOWN)
    assert raised.value.problems == [problem]


def test_what_is_written_out_reads_as_the_same() -> None:
    tasks = (Task("Two\nlines", (("a", "b"), ("c",))), Task("None"))
    again = read_tasks(tasks_text(tasks))
    assert again == (Task("Two lines", (("a", "b"), ("c",))), Task("None"))
    assert tasks_of(body_of(again)) == again


@pytest.mark.parametrize(
    ("needs", "made", "met"),
    [
        ((("a",), ("b",)), ("b", "a"), 2),
        ((("a",), ("a",)), ("a",), 1),
        ((("a", "b"), ("a",)), ("a", "b"), 2),
        ((("a",), ("b", "a"), ("c", "b")), ("a", "b", "c"), 3),
        ((("a",),), ("b", "c"), 0),
        ((), ("a",), 0),
    ],
)
def test_each_need_has_a_call_of_its_own_in_any_order(
    needs: Sequence[tuple[str, ...]], made: Sequence[str], met: int
) -> None:
    assert needs_met(needs, made) == met


def test_trials_of_one_task_count_as_one_task_in_the_interval() -> None:
    (often,) = by_mode(["m"], trials("m", True, True, True, task=1))
    (once,) = by_mode(["m"], trials("m", True))
    assert (often.successes, often.trials, often.extra) == (3, 3, 3)
    assert often.interval == once.interval
    assert (often.turns, often.tokens, often.cost, often.seconds) == (2, 100, 0.5, 3)


def test_without_a_trial_there_is_no_figure_and_without_a_price_no_cost() -> None:
    none, priceless = by_mode(["a", "b"], [*trials("b", True), *trials("b", True, task=2, cost=None)])
    assert (none.interval, none.turns, none.trials) == (None, None, 0)
    assert (priceless.trials, priceless.cost) == (2, None)


def test_modes_are_compared_task_by_task() -> None:
    made = [*trials("a", *[False] * 9), *trials("b", *[True] * 9), *trials("c", *[True] * 3)]
    told = {(one.first, one.second): one.difference for one in pairs(["a", "b", "c"], made)}
    better, few, same = told["a", "b"], told["a", "c"], told["b", "c"]
    assert better and few and same
    assert (better.outcome, better.count) == ("better", 9)
    assert (few.outcome, few.count, few.more) == ("unsure", 3, 3)
    assert same.outcome == "same"


def test_modes_that_share_no_task_are_not_compared() -> None:
    (pair,) = pairs(["a", "b"], [*trials("a", True, task=1), *trials("b", True, task=2)])
    assert pair.difference is None
