"""The lines of a text that match a pattern, with those around them, laid out as ripgrep does (`-n -A 2 -B 2`)."""

from collections.abc import Iterator

from catalog.patterns import compile_regex

AROUND = 2
"""Lines shown before and after a match."""
NO_MATCH = "No matches found for the given pattern."


def matching_lines(text: str, pattern: str, *, ignore_case: bool, most: int) -> str:
    """`2:` before a line that matches, `3-` before one beside it, `--` between groups. At most `most` matches count.

    A match right after the last that counts is marked as one, as ripgrep does. Raises PatternError.
    """
    program = compile_regex(pattern, ignore_case=ignore_case)
    lines = text.removesuffix("\n").split("\n")
    matching = (place for place, line in enumerate(lines) if program.search(line))
    counted = [place for place, _ in zip(matching, range(most), strict=False)]
    if not counted:
        return NO_MATCH
    shown = sorted({place for match in counted for place in _beside(match, len(lines))})
    after = {place for place in shown if place > counted[-1] and program.search(lines[place])}
    return "".join(_laid_out(lines, shown, after.union(counted)))


def _beside(match: int, lines: int) -> range:
    return range(max(match - AROUND, 0), min(match + AROUND + 1, lines))


def _laid_out(lines: list[str], shown: list[int], matches: set[int]) -> Iterator[str]:
    before = shown[0]
    for place in shown:
        if place > before + 1:
            yield "--\n"
        yield f"{place + 1}{':' if place in matches else '-'}{lines[place]}\n"
        before = place
