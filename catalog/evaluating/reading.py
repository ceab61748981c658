"""Suites read from files: JSON Lines, CSV, and TREC topics with qrels; every mistake is told with its line."""

import csv
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from io import StringIO
from typing import Any
from urllib.parse import unquote

from catalog.evaluating.entries import ANSWERS, MOST_NEEDS, VERDICTS, Entry, Said, Verdict, settled, tidy_tags

MOST_QUERIES, MOST_TEXT, MOST_MISTAKES = 20_000, 8_000, 50
LONGEST_SERVER, LONGEST_TOOL = 40, 200
GRADES: dict[int, Verdict] = {2: "right", 1: "fine", 0: "wrong", -1: "no tool"}
NO_NAMES: Mapping[str, str] = {}
NO_TOOL = "-"
"""What stands for a tool in qrels where none answers."""


@dataclass(frozen=True, slots=True)
class Mistake:
    """`line` counts from 1; `file` is told where there are several."""

    line: int
    text: str
    file: str = ""


class MistakesError(Exception):
    """A file cannot be read as a suite."""

    def __init__(self, mistakes: list[Mistake]) -> None:
        super().__init__("; ".join(f"line {one.line}: {one.text}" for one in mistakes))
        self.mistakes = mistakes[:MOST_MISTAKES]


@dataclass
class Reading:
    """What was read so far, queries by what tells them apart in the file, and what is wrong.

    `named` gives the key of a tool, `server/name`, by a name without a slash.
    """

    named: Mapping[str, str] = field(default_factory=dict)
    queries: dict[str, tuple[str, list[str], dict[str, Said]]] = field(default_factory=dict)
    mistakes: list[Mistake] = field(default_factory=list)

    def query(self, id: str, text: str, tags: Iterable[str] = ()) -> None:
        """Take a query; one that was taken keeps its text and gets more tags. Raises ValueError."""
        text = one_ending(text)
        if not text.strip():
            raise ValueError("a query without a text")
        if len(text) > MOST_TEXT:
            raise ValueError(f"a query of more than {MOST_TEXT:,} characters")
        tags = [_storable(tag) for tag in tags]
        _storable(text)
        if len(self.queries) >= MOST_QUERIES:
            raise ValueError(f"more than {MOST_QUERIES:,} queries")
        self.queries.setdefault(id, (text.strip(), [], {}))[1].extend(tags)

    def say(self, id: str, tool: str, verdict: str, need: int = 1) -> None:
        """Raises ValueError."""
        said = _checked(self.named.get(tool, tool), verdict, need)
        verdicts = self.queries[id][2]
        if said.tool in verdicts and verdicts[said.tool] != said:
            raise ValueError(f"{said.tool or 'no tool'} is judged twice, and differently, for one query")
        verdicts[said.tool] = said
        kinds = {one.verdict for one in verdicts.values()}
        if "no tool" in kinds and kinds & set(ANSWERS):
            raise ValueError("that no tool answers and that one does, for one query")

    def at(self, line: int, act: Callable[[], None], file: str = "") -> None:
        """Do it, and note what is wrong with its line."""
        try:
            act()
        except RecursionError:
            self.mistakes.append(Mistake(line, "it is nested too deeply", file))
        except ValueError as error:
            self.mistakes.append(Mistake(line, str(error), file))

    def entries(self) -> list[Entry]:
        """Raises MistakesError, also where nothing was read."""
        if not self.queries and not self.mistakes:
            self.mistakes.append(Mistake(1, "there is no query"))
        if self.mistakes:
            raise MistakesError(self.mistakes)
        return [
            Entry(id, text, tidy_tags(tags), settled(said.values())) for id, (text, tags, said) in self.queries.items()
        ]


def read_jsonl(text: str, named: Mapping[str, str] = NO_NAMES) -> list[Entry]:
    """`{"text", "groups" or "relevant", "fine", "wrong", "no_tool", "tags"}` a line, tools as `server/name`. Raises MistakesError."""
    reading = Reading(named)
    for number, line in _lines(text):
        reading.at(number, lambda line=line: _take_object(reading, line))  # type: ignore[misc]
    return reading.entries()


def read_csv(text: str, named: Mapping[str, str] = NO_NAMES) -> list[Entry]:
    """A head and rows: query, tool, verdict, and optionally need and tags, these joined by `;`. Raises MistakesError."""
    reading, rows = Reading(named), csv.DictReader(StringIO(text, newline=""), strict=True, skipinitialspace=True)
    try:
        if missing := {"query", "tool", "verdict"} - set(rows.fieldnames or ()):
            raise MistakesError([Mistake(1, f"the head lacks {', '.join(sorted(missing))}")])
        for row in rows:
            reading.at(rows.line_num, lambda row=row: _take_row(reading, row))  # type: ignore[misc]
    except csv.Error as error:
        reading.mistakes.append(Mistake(rows.reader.line_num, str(error)))
    return reading.entries()


def read_trec(topics: str, qrels: str, named: Mapping[str, str] = NO_NAMES) -> list[Entry]:
    """Topics `number<TAB>text[<TAB>tags]` and qrels `number need tool grade`, as `writing` writes them. Raises MistakesError."""
    reading = Reading(named)
    for number, line in _lines(topics):
        reading.at(number, lambda line=line: _take_topic(reading, line), "topics")  # type: ignore[misc]
    for number, line in _lines(qrels):
        reading.at(number, lambda line=line: _take_qrel(reading, line), "qrels")  # type: ignore[misc]
    return reading.entries()


def _lines(text: str) -> Iterator[tuple[int, str]]:
    return ((number, line) for number, line in enumerate(text.split("\n"), start=1) if line.strip())


def _take_object(reading: Reading, line: str) -> None:
    value = json.loads(line)
    if not isinstance(value, dict) or not isinstance(value.get("text"), str):
        raise ValueError("not an object with a text")
    text = value["text"].strip()
    reading.query(text, text, _texts(value.get("tags")))
    for said in _said(value):
        reading.say(text, *said)


def _said(value: Mapping[str, Any]) -> Iterator[tuple[str, Verdict, int]]:
    fine = set(_texts(value.get("fine")))
    groups = value.get("groups") or [value.get("relevant") or []]
    for need, group in enumerate(groups, start=1):
        yield from ((tool, "fine" if tool in fine else "right", need) for tool in _texts(group))
    yield from ((tool, "wrong", 1) for tool in _texts(value.get("wrong")))
    if value.get("no_tool"):
        yield "", "no tool", 1


def _take_row(reading: Reading, row: Mapping[str | None, Any]) -> None:
    if None in row or any(value is None for value in row.values()):
        raise ValueError("more or fewer cells than the head has")
    text = as_written(row["query"]).strip()
    reading.query(text, text, as_written(row.get("tags", "")).split(";"))
    if row["verdict"].strip():
        reading.say(text, row["tool"], row["verdict"].strip().lower(), _need(row.get("need") or "1"))


def _take_topic(reading: Reading, line: str) -> None:
    id, *rest = line.rstrip("\r").split("\t")
    if not rest or len(rest) > 2:
        raise ValueError("not a number, a tab and a text")
    if id in reading.queries:
        raise ValueError(f"the topic {id} came before")
    reading.query(id, unescaped(rest[0]), rest[1].split(";") if len(rest) > 1 else ())


def _take_qrel(reading: Reading, line: str) -> None:
    cells = line.split()
    if len(cells) != 4:
        raise ValueError("not four columns: topic, need, tool, grade")
    id, need, tool, grade = cells
    if id not in reading.queries:
        raise ValueError(f"there is no topic {id}")
    if not grade.lstrip("-").isdecimal():
        raise ValueError(f"“{grade}” is no grade")
    verdict = GRADES[max(-1, min(2, int(grade)))]
    named = "" if tool == NO_TOOL and verdict == "no tool" else unquote(tool)
    reading.say(id, named, verdict, max(1, _need(need)))


def _checked(tool: str, verdict: str, need: int) -> Said:
    if verdict not in VERDICTS:
        raise ValueError(f"“{verdict}” is no verdict: there are {', '.join(VERDICTS)}")
    server, _, name = tool.partition("/")
    if verdict != "no tool" and not (server and name):
        raise ValueError(f"“{tool}” is no tool: write server/name")
    if verdict == "no tool" and tool:
        raise ValueError("that no tool answers names no tool")
    if "\n" in tool or "\r" in tool or len(server) > LONGEST_SERVER or len(name) > LONGEST_TOOL:
        raise ValueError("a tool with a name that none can have")
    return Said(_storable(tool), verdict, need)


def one_ending(text: str) -> str:
    """With lines that end in one way, whatever system or browser they came from."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _storable(text: str) -> str:
    if "\0" in text or any("\ud800" <= sign <= "\udfff" for sign in text):
        raise ValueError("a text with NUL or half a character")
    return text


def _need(text: str) -> int:
    if not text.strip().isdecimal() or int(text) > MOST_NEEDS:
        raise ValueError(f"“{text}” is no need: they are numbered from 1 to {MOST_NEEDS}")
    return int(text)


def _texts(value: Any) -> list[str]:
    if value is not None and not (isinstance(value, list) and all(isinstance(one, str) for one in value)):
        raise ValueError("a list of texts is expected where there is something else")
    return value or []


def as_written(cell: str) -> str:
    """A cell without the quote that keeps spreadsheets from taking it for a formula."""
    return cell.removeprefix("'")


_ESCAPES = {"\\t": "\t", "\\n": "\n", "\\r": "\r", "\\\\": "\\"}


def unescaped(text: str) -> str:
    """A text in one line, as it was: `writing.escaped` is the other way round."""
    parts, place = [], 0
    while place < len(text):
        pair = text[place : place + 2]
        parts.append(_ESCAPES.get(pair, text[place]))
        place += 2 if pair in _ESCAPES else 1
    return "".join(parts)
