"""What a pattern matched in a tool's text, told as a fact."""

from typing import Any

from catalog.search.explanation import Explanation, fact

MAX_SHOWN = 60
"""Characters of a match that an explanation quotes."""


def match_fact(match: Any, field: str) -> Explanation:
    """`match` is RE2's, over UTF-8."""
    quoted = match.group().decode("utf-8", "replace")
    shown = f"{quoted[:MAX_SHOWN]}…" if len(quoted) > MAX_SHOWN else quoted
    what = f"matches “{shown}”" if shown else "is content with nothing"
    return fact(1.0, f"the pattern {what} in the {field}", field=field)


def utf8(text: str) -> bytes:
    """Lone surrogates as question marks."""
    return text.encode("utf-8", "replace")
