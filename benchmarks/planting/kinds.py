"""Edits that may harm, one function a kind: each takes a tool that queries find now, and gives a tool as it is edited."""

from collections.abc import Callable
from dataclasses import replace

from benchmarks.planting.ground import Ground
from catalog.absence.steps import with_words
from catalog.tools import ToolSpec


def swapped(ground: Ground, tool: ToolSpec) -> ToolSpec:
    return replace(tool, description=ground.stranger().description)


def emptied(ground: Ground, tool: ToolSpec) -> ToolSpec:
    return replace(tool, description="Tool.")


def magnet(ground: Ground, tool: ToolSpec) -> ToolSpec:
    words = " ".join(query.text for query in ground.random.sample(ground.queries, 20))
    return replace(ground.stranger(), search_text=words)


def taken_words(ground: Ground, tool: ToolSpec) -> ToolSpec:
    taker = ground.sibling(tool)
    return replace(taker, description=f"{taker.description} {tool.description}")


def taken_name(ground: Ground, tool: ToolSpec) -> ToolSpec:
    taker = ground.sibling(tool)
    return replace(taker, aliases=(*taker.aliases, tool.upstream_name.replace("_", " ")))


def two_words(ground: Ground, tool: ToolSpec) -> ToolSpec:
    """Two words of a query that the tool answers, to the tool that stands behind it and is not right."""
    shift = next(shift for shift in ground.shifts if tool.key in shift.query.answers)
    key = next(key for key in shift.before.kept if key not in shift.query.answers)
    rival = next(one for one in ground.tools if one.key == key)
    words = " ".join(sorted(shift.query.text.split(), key=len)[-2:])
    return replace(rival, search_text=with_words(rival.search_text, words))


PLANTINGS: dict[str, Callable[[Ground, ToolSpec], ToolSpec]] = {
    "the description of another tool": swapped,
    "a description of one word": emptied,
    "the words of 20 queries": magnet,
    "the description of a sibling, added": taken_words,
    "the name of a sibling, as an alias": taken_name,
    "two words of a query that another answers": two_words,
}
