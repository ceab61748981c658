"""The forms of files that suites are read from: JSON Lines, CSV, and TREC topics with qrels."""

import csv
import json
from collections.abc import Iterator, Mapping
from io import StringIO
from typing import Any
from urllib.parse import unquote

from catalog.evaluating.cells import GRADES, NO_TOOL, as_written, unescaped
from catalog.evaluating.entries import MOST_NEEDS, Entry, Verdict
from catalog.evaluating.reading import Mistake, MistakesError, Reading

NO_NAMES: Mapping[str, str] = {}


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


def _need(text: str) -> int:
    if not text.strip().isdecimal() or int(text) > MOST_NEEDS:
        raise ValueError(f"“{text}” is no need: they are numbered from 1 to {MOST_NEEDS}")
    return int(text)


def _texts(value: Any) -> list[str]:
    if value is not None and not (isinstance(value, list) and all(isinstance(one, str) for one in value)):
        raise ValueError("a list of texts is expected where there is something else")
    return value or []
