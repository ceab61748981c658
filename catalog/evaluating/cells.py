"""Texts, tools and verdicts as they stand in one line or one cell of a file, and back."""

import re

from catalog.evaluating.entries import Verdict

GRADES: dict[int, Verdict] = {2: "right", 1: "fine", 0: "wrong", -1: "no tool"}
NO_TOOL = "-"
"""What stands for a tool where there is none: in qrels where none answers, in a run where none was found."""
_UNFIT = re.compile(r"[%\s]|^-$")
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "'")


def escaped(text: str) -> str:
    """A text in one line without tabs."""
    return text.replace("\\", "\\\\").replace("\t", "\\t").replace("\n", "\\n").replace("\r", "\\r")


def one_word(tool: str) -> str:
    """A tool's name without white space, which separates columns: `%20` for a blank."""
    return _UNFIT.sub(lambda found: "".join(f"%{byte:02X}" for byte in found[0].encode()), tool)


def unarmed(cell: str) -> str:
    """A cell that no spreadsheet takes for a formula: `as_written` takes the quote away again."""
    return f"'{cell}" if cell.startswith(_FORMULA) else cell


def as_written(cell: str) -> str:
    """A cell without the quote that keeps spreadsheets from taking it for a formula."""
    return cell.removeprefix("'")


_ESCAPES = {"\\t": "\t", "\\n": "\n", "\\r": "\r", "\\\\": "\\"}


def unescaped(text: str) -> str:
    """A text in one line, as it was: `escaped` is the other way round."""
    parts, place = [], 0
    while place < len(text):
        pair = text[place : place + 2]
        parts.append(_ESCAPES.get(pair, text[place]))
        place += 2 if pair in _ESCAPES else 1
    return "".join(parts)
