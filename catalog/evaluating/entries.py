"""A suite as plain values: each query with what counts of its judgements. Files are read into these and written from them."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from hashlib import sha256
from json import dumps
from typing import Any, Literal, get_args

from catalog.evaluating.judged import JudgedQuery

Verdict = Literal["right", "fine", "wrong", "no tool"]
VERDICTS: tuple[Verdict, ...] = get_args(Verdict)
ANSWERS: tuple[Verdict, ...] = ("right", "fine")
MOST_NEEDS = 99


@dataclass(frozen=True, slots=True)
class Said:
    """A verdict on a tool, `server/name`; with "no tool" that is empty. `need` counts from 1."""

    tool: str
    verdict: Verdict
    need: int = 1


@dataclass(frozen=True, slots=True)
class Entry:
    """A query of a suite. `id` tells it from the others of its suite, or of its file; `said` is settled."""

    id: str
    text: str
    tags: tuple[str, ...] = ()
    said: tuple[Said, ...] = ()

    @property
    def groups(self) -> tuple[frozenset[str], ...]:
        """The tools that answer, one set for each need."""
        needs: dict[int, set[str]] = defaultdict(set)
        for one in self.said:
            if one.verdict in ANSWERS:
                needs[one.need].add(one.tool)
        return tuple(frozenset(needs[need]) for need in sorted(needs))

    @property
    def judged(self) -> JudgedQuery | None:
        """As it is measured; None where no tool answers it."""
        fine = frozenset(one.tool for one in self.said if one.verdict == "fine")
        return JudgedQuery(self.id, self.text, self.groups, fine) if self.groups else None


def settled(said: Iterable[Said]) -> tuple[Said, ...]:
    """In one order, with needs numbered from 1 without a gap; what does not answer is for no need apart."""
    found = list(said)
    needs = sorted({one.need for one in found if one.verdict in ANSWERS})
    return tuple(
        _in_order(replace(one, need=needs.index(one.need) + 1 if one.verdict in ANSWERS else 1) for one in found)
    )


def measurable(entries: Iterable[Entry]) -> tuple[JudgedQuery, ...]:
    """Those of which some tool is right or also fine."""
    return tuple(judged for entry in entries if (judged := entry.judged))


def tidy_tags(words: Iterable[str]) -> tuple[str, ...]:
    """In lower case, each once, sorted."""
    return tuple(sorted({" ".join(word.lower().split()) for word in words} - {""}))


def body_of(entries: Sequence[Entry]) -> list[dict[str, Any]]:
    """As JSON, in the order of the suite."""
    return [asdict(entry) for entry in entries]


def entries_of(body: Iterable[dict[str, Any]]) -> list[Entry]:
    """The entries again."""
    return [
        Entry(one["id"], one["text"], tuple(one["tags"]), tuple(Said(**said) for said in one["said"])) for one in body
    ]


def hash_of(entries: Sequence[Entry]) -> str:
    """Two suites of one hash have the same queries with the same verdicts."""
    return sha256(dumps(body_of(entries), sort_keys=True, default=list).encode()).hexdigest()


def _in_order(said: Iterable[Said]) -> list[Said]:
    return sorted(said, key=lambda one: (one.need, VERDICTS.index(one.verdict), one.tool))
