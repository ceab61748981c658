"""Suites written to files that `reading` reads again, and what an evaluation returned as a TREC run."""

import csv
import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from io import StringIO
from itertools import chain

from catalog.evaluating.entries import Entry, Said
from catalog.evaluating.reading import GRADES, NO_TOOL

_GRADE_OF = {verdict: grade for grade, verdict in GRADES.items()}
_UNFIT = re.compile(r"[%\s]|^-$")
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "'")


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
    """`number Q0 tool rank score name`; the scores fall by one with each rank, since evaluators order by them."""
    return "".join(
        f"{query} Q0 {one_word(tool)} {rank} {len(hits) - rank + 1} {name}\n"
        for query, hits in answers
        for rank, tool in enumerate(hits, start=1)
    )


WRITERS: dict[str, tuple[str, Callable[[Iterable[Entry]], str]]] = {
    "jsonl": ("jsonl", jsonl),
    "csv": ("csv", as_csv),
    "topics": ("topics.tsv", topics),
    "qrels": ("qrels.txt", qrels),
}
"""By kind: how a file's name ends, and what writes it."""


def escaped(text: str) -> str:
    """A text in one line without tabs."""
    return text.replace("\\", "\\\\").replace("\t", "\\t").replace("\n", "\\n").replace("\r", "\\r")


def one_word(tool: str) -> str:
    """A tool's name without white space, which separates columns: `%20` for a blank."""
    return _UNFIT.sub(lambda found: "".join(f"%{byte:02X}" for byte in found[0].encode()), tool)


def unarmed(cell: str) -> str:
    """A cell that no spreadsheet takes for a formula: `reading.as_written` takes the quote away again."""
    return f"'{cell}" if cell.startswith(_FORMULA) else cell


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
