"""Suites written to files that `reading` reads again, and what an evaluation returned as a TREC run."""

import csv
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from io import StringIO
from itertools import chain

from catalog.evaluating.cells import GRADES, NO_TOOL, escaped, one_word, unarmed
from catalog.evaluating.entries import Entry, Said

_GRADE_OF = {verdict: grade for grade, verdict in GRADES.items()}


def jsonl(entries: Iterable[Entry]) -> str:
    return "".join(f"{json.dumps(_object(entry), ensure_ascii=False)}\n" for entry in entries)


def as_csv(entries: Iterable[Entry]) -> str:
    """A row for each verdict; one without a verdict for a query that has none."""
    out = StringIO(newline="")
    rows = csv.writer(out)
    rows.writerow(["query", "tool", "verdict", "need", "tags"])
    for entry in entries:
        for said in entry.said or (None,):
            told = (said.tool, said.verdict, said.need) if said else ("", "", 1)
            rows.writerow([unarmed(entry.text), *told, unarmed(";".join(entry.tags))])
    return out.getvalue().replace("\r\n", "\n")


def topics(entries: Iterable[Entry]) -> str:
    """`number<TAB>text<TAB>tags`, a line each."""
    return "".join(f"{entry.id}\t{escaped(entry.text)}\t{';'.join(entry.tags)}\n" for entry in entries)


def qrels(entries: Iterable[Entry]) -> str:
    """`number need tool grade`: right is 2, also fine 1, wrong 0, and -1 that no tool answers."""
    return "".join(_qrel(entry.id, said) for entry in entries for said in entry.said)


def run(answers: Iterable[tuple[str, Sequence[str]]], name: str) -> str:
    """`number Q0 tool rank score name`; the scores fall by one with each rank, since evaluators order by them.

    Evaluators leave out queries that a run does not have: where nothing was found, NO_TOOL is, which answers nothing.
    """
    return "".join(line for query, hits in answers for line in _returned(query, hits, name))


WRITERS: dict[str, tuple[str, Callable[[Iterable[Entry]], str]]] = {
    "jsonl": ("jsonl", jsonl),
    "csv": ("csv", as_csv),
    "topics": ("topics.tsv", topics),
    "qrels": ("qrels.txt", qrels),
}
"""By kind: how a file's name ends, and what writes it."""


def _returned(query: str, hits: Sequence[str], name: str) -> Iterator[str]:
    tools = [one_word(tool) for tool in hits] or [NO_TOOL]
    for rank, tool in enumerate(tools, start=1):
        yield f"{query} Q0 {tool} {rank} {len(tools) - rank + 1} {name}\n"


def _qrel(id: str, said: Said) -> str:
    return f"{id} {said.need} {one_word(said.tool) or NO_TOOL} {_GRADE_OF[said.verdict]}\n"


def _object(entry: Entry) -> dict[str, object]:
    groups = [sorted(group) for group in entry.groups]
    told: dict[str, object] = {"id": entry.id, "text": entry.text, "relevant": sorted({*chain(*groups)})}
    told |= {"groups": groups} if groups else {}
    told |= {name: found for name, found in _named(entry) if found}
    return told


def _named(entry: Entry) -> Iterator[tuple[str, object]]:
    yield "fine", sorted(one.tool for one in entry.said if one.verdict == "fine")
    yield "wrong", sorted(one.tool for one in entry.said if one.verdict == "wrong")
    yield "no_tool", any(one.verdict == "no tool" for one in entry.said)
    yield "tags", list(entry.tags)
