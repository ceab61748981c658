"""The values that a task names: quoted texts, days, numbers, addresses, names; each with the words beside it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date
from typing import Literal

from playground.agent.scripted.dates import Found, find_dates, find_times

Kind = Literal["quote", "url", "email", "channel", "mention", "path", "date", "time", "id", "name", "number"]

MASK = "\0"
"""Stands for each character of a value that is blanked out."""
_WORD = re.compile(r"[\u4e00-\u9fff]+|[A-Za-z%°]+")
_QUOTE = re.compile("\"([^\"\n]+)\"|“([^”\n]+)”|「([^」\n]+)」|『([^』\n]+)』|(?<!\\w)'([^'\n]+)'(?!\\w)|`([^`\n]+)`")
_PATTERNS: tuple[tuple[Kind, re.Pattern[str]], ...] = (
    ("url", re.compile(r"https?://[^\s<>\0]+[^\s<>\0.,;:!?)]")),
    ("email", re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")),
    ("channel", re.compile(r"(?<![\w#])#[\w-]*[A-Za-z_][\w-]*")),
    ("mention", re.compile(r"(?<![\w@])@[\w.-]*\w")),
    ("path", re.compile(r"(?<![\w/])~?/[\w.-]+(?:/[\w.-]+)*/?|\b[\w-]+(?:/[\w.-]+)*\.[A-Za-z][A-Za-z0-9]{1,4}\b")),
)
_CHINESE_CITIES = "北京|上海|广州|深圳|杭州|成都|香港|台北|东京|柏林|伦敦|巴黎|马德里|里斯本|奥斯陆|鹿特丹|纽约"
_LATER: tuple[tuple[Kind, re.Pattern[str]], ...] = (
    ("name", re.compile(rf"[A-Z][A-Za-z_]+/[A-Z][A-Za-z_]+|{_CHINESE_CITIES}")),
    ("id", re.compile(r"\b(?=[A-Za-z]*\d|[A-Z]+-)[A-Za-z]+[-_]?\d[\w-]*\b")),
    ("number", re.compile(r"(?<![\w.#])-?\d+(?:,\d{3})*(?:\.\d+)?(?![\w.]*\d)")),
    (
        "name",
        re.compile(
            r"(?:(?<=\bin )|(?<=\bfor )|(?<=\bto )|(?<=\bwith )|(?<=\bfrom )|(?<=\bat )|(?<=\bnear )|(?<=\bby )|(?<=\bof )"
            r"|(?<=\babout )|(?<=\bbetween )|(?<=\band ))[A-Z][\w'’-]*\w(?: (?:(?:de|van|of|la) )?[A-Z][\w'’-]*\w)*"
        ),
    ),
)


@dataclass(frozen=True, slots=True)
class Value:
    """`text` is the value as an argument would hold it; `before` and `after` are the words beside it, lower-cased."""

    kind: Kind
    text: str
    start: int
    end: int
    before: tuple[str, ...] = ()
    after: str = ""

    @property
    def number(self) -> int | float:
        plain = float(self.text.replace(",", ""))
        return int(plain) if plain.is_integer() and "." not in self.text else plain


def find_values(text: str, today: date | None = None) -> tuple[Value, ...]:
    """In the order of the text, none overlapping another: what stands in quotes is one value and nothing else."""
    found: list[Value] = []
    rest = text
    for kind, start, end, value in _finds(text, today):
        if MASK not in rest[start:end]:
            found.append(Value(kind, value, start, end))
            rest = _blank(rest, start, end)
    found.sort(key=lambda value: value.start)
    return tuple(replace(value, before=_before(rest, value.start), after=_after(rest, value.end)) for value in found)


def mask(text: str, values: tuple[Value, ...]) -> str:
    """The text with every value blanked out, as long as before."""
    for value in values:
        text = _blank(text, value.start, value.end)
    return text


def _blank(text: str, start: int, end: int) -> str:
    return text[:start] + MASK * (end - start) + text[end:]


def _finds(text: str, today: date | None) -> Iterator[tuple[Kind, int, int, str]]:
    for match in _QUOTE.finditer(text):
        yield "quote", match.start(), match.end(), next(group for group in match.groups() if group)
    yield from _of_patterns(text, _PATTERNS)
    yield from _of_kind("date", find_dates(text, today))
    yield from _of_kind("time", find_times(text))
    yield from _of_patterns(text, _LATER)


def _of_patterns(text: str, patterns: tuple[tuple[Kind, re.Pattern[str]], ...]) -> Iterator[tuple[Kind, int, int, str]]:
    for kind, pattern in patterns:
        for match in pattern.finditer(text):
            yield kind, match.start(), match.end(), match.group()


def _of_kind(kind: Kind, finds: Iterator[Found]) -> Iterator[tuple[Kind, int, int, str]]:
    return ((kind, *found) for found in finds)


def _before(rest: str, start: int) -> tuple[str, ...]:
    """Up to three words since the value before, the nearest last; a Chinese run counts as one word."""
    near = rest[max(0, start - 60) : start].rpartition(MASK)[2]
    return tuple(word.lower() for word in _WORD.findall(near)[-3:])


def _after(rest: str, end: int) -> str:
    match = re.match(rf"\s*({_WORD.pattern})", rest[end : end + 40])
    return match[1].lower() if match else ""
