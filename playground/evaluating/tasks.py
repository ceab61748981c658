"""Tasks with the tools that each takes, as a person writes them: `task => tool, tool|other`, one a line."""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import asdict, dataclass
from typing import Any

from catalog.invisible import cleaned

MOST_TASKS, MOST_TASK, MOST_NEEDS = 100, 4_000, 20
MOST_PROBLEMS = 20
ARROW = "=>"


@dataclass(frozen=True, slots=True)
class Task:
    """`needs` are the calls that it takes, in any order; the names within one need are alternatives. Without any, it has to end well."""

    text: str
    needs: tuple[tuple[str, ...], ...] = ()

    @property
    def needs_said(self) -> str:
        return ", ".join(" | ".join(need) for need in self.needs)


class UnreadableTasksError(ValueError):
    """`problems` are sentences, each with the number of its line."""

    def __init__(self, problems: list[str]) -> None:
        super().__init__(" ".join(problems))
        self.problems = problems


def read_tasks(text: str, known: Collection[str] | None = None) -> tuple[Task, ...]:
    """A line that begins with # is passed over. `known` are the tools that there are, if that is known.

    Raises UnreadableTasksError, which tells MOST_PROBLEMS of the mistakes.
    """
    tasks, problems = list[Task](), list[str]()
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        task, problem = _read_line(line, known)
        if any(task.text == other.text for other in tasks):
            problem = "this task is in it already"
        if problem:
            problems.append(f"Line {number}: {problem}.")
        else:
            tasks.append(task)
    problems += _problems_of_all(tasks, problems)
    if problems:
        raise UnreadableTasksError(problems[:MOST_PROBLEMS])
    return tuple(tasks)


def tasks_text(tasks: Iterable[Task]) -> str:
    """What reads as just these; line ends within a task become blanks."""
    return "\n".join(
        f"{' '.join(task.text.split())} {ARROW} {', '.join('|'.join(need) for need in task.needs)}".rstrip()
        for task in tasks
    )


def body_of(tasks: Iterable[Task]) -> list[dict[str, Any]]:
    """As JSON."""
    return [asdict(task) for task in tasks]


def tasks_of(body: Iterable[dict[str, Any]]) -> tuple[Task, ...]:
    """The tasks again."""
    return tuple(Task(one["text"], tuple(tuple(need) for need in one["needs"])) for one in body)


def _read_line(line: str, known: Collection[str] | None) -> tuple[Task, str]:
    """The task, and what is wrong with it."""
    text, arrow, tools = line.rpartition(ARROW)
    needs = tuple(_needs(tools))
    task = Task(text.strip(), needs)
    if not arrow:
        return task, f"write the task, {ARROW}, and the tools that it takes"
    if not task.text:
        return task, f"there is no task before {ARROW}"
    if len(task.text) > MOST_TASK:
        return task, f"a task has at most {MOST_TASK:,} characters"
    if len(needs) > MOST_NEEDS:
        return task, f"a task takes at most {MOST_NEEDS} calls"
    return task, _problem_of_names([name for need in needs for name in need], known)


def _needs(tools: str) -> Iterator[tuple[str, ...]]:
    if tools.strip():
        for need in tools.split(","):
            yield tuple(cleaned(name.strip()) for name in need.split("|"))


def _problem_of_names(names: Iterable[str], known: Collection[str] | None) -> str:
    for name in names:
        if not name:
            return "a tool is missing beside a comma or a bar"
        if any(letter.isspace() for letter in name):
            return f"“{name[:80]}” is no name of a tool: tools are parted by commas, alternatives by |"
        if known is not None and name not in known:
            return f"the catalog offers no tool {name[:80]}"
    return ""


def _problems_of_all(tasks: list[Task], problems: list[str]) -> Iterator[str]:
    if len(tasks) > MOST_TASKS:
        yield f"At most {MOST_TASKS} tasks are tried."
    elif not tasks and not problems:
        yield "Write a task."
