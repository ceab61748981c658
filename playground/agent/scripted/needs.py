"""A task, cut into needs: what is to be done with one tool each, in order."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from itertools import takewhile

from catalog.search.words import is_common
from playground.agent.scripted.lexicon import ACTIONS, CHINESE_ACTIONS, CHINESE_VAGUE, EMPTY, OPENERS, QUESTIONS, VAGUE
from playground.agent.scripted.values import MASK, Value, find_values, mask

MOST_NEEDS = 8
LONGEST_TASK = 4_000
"""Characters of a task that are read."""

_BOUNDARY = re.compile(
    r"[.!?;](?=[\s\0]|$)|[。！？；\n]|[,，、:：]|\b(?:and then|and|then|after that|afterwards)\b|然后|并且|并|和",
    re.IGNORECASE,
)
_AND_HOW = re.compile(r"\b(?:with|as|via|using|because|titled|called|named|saying)\b", re.IGNORECASE)
"""What follows tells how it is to be done, not what."""
_WORD = re.compile(r"[A-Za-z](?:[A-Za-z-]|['’](?!s\b))*")
_CHINESE = re.compile(r"[\u4e00-\u9fff]+")
_CHINESE_OPENINGS = tuple(verb for verb in CHINESE_ACTIONS if len(verb) > 1)
_AGAIN = frozenset({"same", "again"})
_ABOUT_IT = re.compile(r"\b(?:it|this|that|these|those|them)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Need:
    """`words` come from the clause that opens it and `details` from those that follow, without values and small words.

    `plain` is the text with its values blanked out.
    """

    text: str
    plain: str
    words: tuple[str, ...]
    details: tuple[str, ...]
    values: tuple[Value, ...]

    @property
    def is_chinese(self) -> bool:
        return bool(_CHINESE.search(self.text))

    @property
    def telling_words(self) -> tuple[str, ...]:
        """The words that say which tool is meant."""
        return tuple(word for word in self.words if word not in VAGUE) or self.words


def split_needs(task: str, today: date | None = None) -> tuple[Need, ...]:
    task = task[:LONGEST_TASK]
    values = find_values(task, today)
    masked = mask(task, values)
    clauses = list(_clauses(masked))
    groups: list[list[tuple[int, str]]] = []
    for clause in clauses:
        if groups and not (_opens(clause[1]) and _says_something(groups[-1])):
            groups[-1].append(clause)
        else:
            groups.append([clause])
    needs = (_need(task, masked, values, group) for group in groups)
    return tuple(need for need in needs if need.values or set(need.words) - VAGUE)[:MOST_NEEDS]


def carried_over(needs: tuple[Need, ...], before: Sequence[Need]) -> tuple[Need, ...]:
    """What a message asks for behind another: one that names only values (`And in Bergen?`) asks for a need again.

    That is the last one with such a value, or the last. Its values stay, but for those of a kind that is named anew.
    """
    if len(needs) != 1 or not before or set(needs[0].words) - _AGAIN:
        return needs
    new = needs[0]
    kinds = {value.kind for value in new.values}
    alike = (need for need in reversed(before) if kinds & {value.kind for value in need.values})
    meant = next(alike, before[-1])
    values = (*new.values, *(value for value in meant.values if value.kind not in kinds))
    return (replace(meant, text=new.text, plain=new.plain, values=values),)


def content_words(text: str) -> tuple[str, ...]:
    """Lower-cased, without the words that only build the sentence; Chinese is cut at what says little."""
    words = [word.lower() for word in _WORD.findall(text) if not is_common(word)]
    return tuple(dict.fromkeys(word for word in (*words, *_chinese_words(text)) if word not in EMPTY))


def _clauses(masked: str) -> Iterator[tuple[int, str]]:
    """Each with its place in the task."""
    start = 0
    for boundary in (*_BOUNDARY.finditer(masked), None):
        end = boundary.start() if boundary else len(masked)
        if masked[start:end].strip():
            yield start, masked[start:end]
        start = boundary.end() if boundary else end


def _opens(clause: str) -> bool:
    """Whether a clause asks for something of its own, rather than telling more of what was asked before."""
    words = [word.lower() for word in _WORD.findall(clause)]
    if not words:
        return any(_stripped(run).startswith(_CHINESE_OPENINGS) for run in _CHINESE.findall(clause))
    if not set(content_words(clause)) - VAGUE and MASK not in clause:
        return False
    openers = list(takewhile(OPENERS.__contains__, words))
    verb = "".join(words[len(openers) : len(openers) + 1])
    if not {"i", "we", "i'd"}.intersection(openers):
        return verb in ACTIONS or verb in QUESTIONS
    return not _ABOUT_IT.search(clause) and (verb in ACTIONS or openers[-1] in ("need", "want", "like"))


def _says_something(group: Iterable[tuple[int, str]]) -> bool:
    return any(content_words(clause) for _, clause in group)


def _need(task: str, masked: str, values: tuple[Value, ...], group: list[tuple[int, str]]) -> Need:
    start, end = group[0][0], group[-1][0] + len(group[-1][1])
    opening = next((clause for _, clause in group if content_words(clause)), "")
    core = _AND_HOW.split(opening, maxsplit=1)[0]
    words = content_words(core if set(content_words(core)) - VAGUE else opening)
    details = [word for _, clause in group for word in content_words(clause) if word not in words]
    within = tuple(value for value in values if start <= value.start < end)
    plain = masked[start:end].replace(MASK, " ")
    return Need(task[start:end].strip(), plain, words, tuple(dict.fromkeys(details)), within)


def _chinese_words(text: str) -> Iterator[str]:
    for run in _CHINESE.findall(text):
        for part in _stripped(run).split():
            verb = next((verb for verb in CHINESE_ACTIONS if part.startswith(verb)), "")
            yield from (word for word in (part.removeprefix(verb), verb) if word)


def _stripped(run: str) -> str:
    for word in CHINESE_VAGUE:
        run = run.replace(word, " ")
    return run.strip()
