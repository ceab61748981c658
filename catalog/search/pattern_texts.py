"""Matching a pattern with very many short texts: all of them in a few buffers, which a search passes over at once.

A search of a buffer can only find too much, never too little, as long as `^` and `$` are taken for the ends of lines and
the pattern does not ask for the ends of the whole: what it finds is then asked of each text by itself wherever the two
may differ. After a find it goes on at the next text, so that no buffer is searched more often than it has texts.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from time import monotonic
from typing import Any

from catalog.patterns import compile_by_line, compile_regex

BUFFER = 1 << 13
"""Bytes from which on a buffer takes no more tools. A find in a larger one could cost more than all its texts alone."""
DEADLINE = 2.0
"""Seconds that a pattern may take over all tools."""

_OF_THE_WHOLE = re.compile(r"\\[Az]|\(\?[A-Za-z]*-")
"""What asks for the ends of the whole text, or may switch off that `^` and `$` are those of lines."""


class SlowPatternError(Exception):
    """The pattern has taken longer than DEADLINE."""


def too_slow(tools: int) -> str:
    """What is said instead of hits."""
    return f"the pattern takes too long over {tools:,} tools: it was stopped after {DEADLINE:g} seconds; a simpler one is quicker"


@dataclass(frozen=True, slots=True)
class Buffer:
    """The texts of some tools that follow one another, parted by newlines: `begins` and `ends` are offsets, `tools` places."""

    joined: bytes
    begins: tuple[int, ...]
    ends: tuple[int, ...]
    tools: tuple[int, ...]

    def text(self, number: int) -> bytes:
        return self.joined[self.begins[number] : self.ends[number]]

    def next_tool(self, number: int) -> int:
        """The number of the first text of the next tool."""
        return bisect_right(self.tools, self.tools[number])


@dataclass(frozen=True, slots=True)
class Programs:
    """A pattern as it is asked of one text, and of a buffer; `differ` if a find within one text need not be one by itself."""

    alone: Any
    joined: Any
    differ: bool


class PatternTexts:
    """The texts of many tools, each tool with as many as the others."""

    def __init__(self, texts: Sequence[Sequence[bytes]]) -> None:
        self._buffers = [_buffer(texts[start:end], start) for start, end in _portions(texts)]
        self._firsts = [buffer.tools[0] for buffer in self._buffers]

    def updated(self, changed: Mapping[int, Sequence[bytes]]) -> "PatternTexts":
        """The same but for the texts of the tools in some places; only their buffers are made anew."""
        follower = PatternTexts(())
        follower._firsts, follower._buffers = self._firsts, [*self._buffers]
        for number in {bisect_right(self._firsts, place) - 1 for place in changed}:
            start, end = self._firsts[number], self._buffers[number].tools[-1] + 1
            texts = [changed[place] if place in changed else self.of(place) for place in range(start, end)]
            follower._buffers[number] = _buffer(texts, start)
        return follower

    def of(self, place: int) -> list[bytes]:
        """The texts of the tool in this place."""
        buffer = self._buffers[bisect_right(self._firsts, place) - 1]
        first = bisect_left(buffer.tools, place)
        return [buffer.text(number) for number in range(first, buffer.next_tool(first))]

    def holding(self, part: bytes) -> list[int]:
        """The places of tools of which a text has this in it, which is not empty and has no newline; ascending."""
        return [place for buffer in self._buffers for place in _holding(part, buffer)]

    def matching(self, pattern: str, *, ignore_case: bool = False) -> list[int]:
        """The places of tools of which a text matches, ascending. Raises PatternError and SlowPatternError."""
        alone = compile_regex(pattern, ignore_case=ignore_case)
        until = monotonic() + DEADLINE
        if _OF_THE_WHOLE.search(pattern):
            return [place for buffer in self._buffers for place in _one_by_one(alone, buffer, until)]
        joined = compile_by_line(pattern, ignore_case=ignore_case)
        programs = Programs(alone, joined, differ="^" in pattern or "$" in pattern)
        return [place for buffer in self._buffers for place in _at_once(programs, buffer, until)]


def _portions(texts: Sequence[Sequence[bytes]]) -> Iterator[tuple[int, int]]:
    """Where each buffer begins and ends, in tools."""
    start = size = 0
    for place, said in enumerate(texts, start=1):
        size += sum(map(len, said))
        if size >= BUFFER or place == len(texts):
            yield start, place
            start, size = place, 0


def _buffer(texts: Sequence[Sequence[bytes]], first: int) -> Buffer:
    tools = tuple(place for place, said in enumerate(texts, start=first) for _ in said)
    every = [text for said in texts for text in said]
    ends: list[int] = []
    for text in every:
        ends.append((ends[-1] + 1 if ends else 0) + len(text))
    begins = tuple(end - len(text) for end, text in zip(ends, every, strict=True))
    return Buffer(b"".join(text + b"\n" for text in every), begins, tuple(ends), tools)


def _one_by_one(program: Any, buffer: Buffer, until: float) -> Iterator[int]:
    number = 0
    while number < len(buffer.tools):
        _check(until)
        if program.search(buffer.text(number)):
            yield buffer.tools[number]
            number = buffer.next_tool(number)
        else:
            number += 1


def _at_once(programs: Programs, buffer: Buffer, until: float) -> Iterator[int]:
    number = 0
    while number < len(buffer.tools):
        _check(until)
        match = programs.joined.search(buffer.joined, buffer.begins[number])
        if not match:
            return
        start, end = match.span()
        number = bisect_right(buffer.begins, start) - 1
        last = max(number, bisect_left(buffer.begins, end) - 1)
        sure = not programs.differ and end <= buffer.ends[number]
        while number <= last:
            if sure or programs.alone.search(buffer.text(number)):
                yield buffer.tools[number]
                number = buffer.next_tool(number)
            else:
                number += 1


def _holding(part: bytes, buffer: Buffer) -> Iterator[int]:
    at = buffer.joined.find(part)
    while at >= 0:
        number = bisect_right(buffer.begins, at) - 1
        yield buffer.tools[number]
        following = buffer.next_tool(number)
        at = buffer.joined.find(part, buffer.begins[following]) if following < len(buffer.begins) else -1


def _check(until: float) -> None:
    if monotonic() > until:
        raise SlowPatternError
