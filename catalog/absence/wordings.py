"""The words that might bring a tool in: those of the query that it lacks, or those that a pattern spells out."""

import re
from collections.abc import Sequence

from catalog.search.ranking import QueryReading
from catalog.search.standing import SoughtWord

MAX_WORDS = 4
"""Words that are tried one by one."""
MAX_ALTERNATIVES = 3
"""Alternatives of a pattern whose words are tried."""
MAX_ALIAS = 60
"""Characters of a query that can be an alias."""

_SYNTAX = re.compile(r"\(\?[A-Za-z-]*[:)]|\(\?P?<\w*>|\\[A-Za-z]")
_WORDS = re.compile(r"\w+")


def wanted_words(words: Sequence[SoughtWord]) -> list[str]:
    """The words that the tool lacks, or, if it lacks none, all that were asked; a plus sign before one is syntax."""
    lacking = [word.text for word in words if word.is_lacking]
    asked = lacking or [word.text for word in words if not word.dropped]
    return list(dict.fromkeys(filter(None, (word.lstrip("+") for word in asked))))


def spelled_words(reading: QueryReading) -> list[str]:
    """What a pattern's alternatives spell out, one text each: `send.*message` is “send message”."""
    alternatives = (" ".join(_WORDS.findall(_SYNTAX.sub(" ", part))) for part in reading.sent.split("|"))
    return list(dict.fromkeys(filter(None, alternatives)))[:MAX_ALTERNATIVES]


def as_alias(reading: QueryReading) -> str:
    """The query as another name of the tool; empty if it is too long for one, or one word only."""
    said = " ".join(reading.sent.split())
    return said if " " in said and len(said) <= MAX_ALIAS else ""
