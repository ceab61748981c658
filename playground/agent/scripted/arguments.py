"""The arguments of a call, from the task's values by the tool's schema: required ones always, optional ones on evidence."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any

from catalog.search.words import index_words
from catalog.tools import JsonSchema
from playground.agent.scripted.building import Filled, build
from playground.agent.scripted.fallback import last_resort
from playground.agent.scripted.giving import give_away
from playground.agent.scripted.leaves import Leaf, Path, leaves
from playground.agent.scripted.needs import Need
from playground.agent.scripted.values import Value

MOST_LEAVES = 300
_WORDS = re.compile(r"[^\W_]+")


def fill_arguments(
    schema: JsonSchema, need: Need, elsewhere: Sequence[Value] = (), results: Sequence[Any] = ()
) -> dict[str, Any]:
    """For what the need leaves unsaid: `elsewhere` holds the task's other values, `results` earlier answers."""
    all_leaves = list(islice(leaves(schema), MOST_LEAVES))
    filled: Filled = {path: [value] for path, value in _named_options(all_leaves, need)}
    filled |= give_away(need.values, [leaf for leaf in all_leaves if leaf.path not in filled], elsewhere)
    for leaf in all_leaves:
        if leaf.required and leaf.path not in filled:
            borrowed = give_away(elsewhere, [replace(leaf, required=False)], need.values)
            filled |= borrowed or {leaf.path: [last_resort(leaf, need, results)]}
    return build(schema, filled)


def _named_options(all_leaves: Sequence[Leaf], need: Need) -> Iterator[tuple[Path, Any]]:
    """Options and switches that the need's own words name; the words within its values are somebody else's."""
    text = _spaced(need.plain)
    terms = frozenset(word.term for word in index_words(need.plain))
    for leaf in all_leaves:
        option = next((option for option in leaf.options if isinstance(option, str) and _names(text, option)), None)
        if option is not None:
            yield leaf.path, option
        elif leaf.type == "boolean" and leaf.name_words and leaf.name_words <= terms:
            yield leaf.path, True


def _names(text: str, option: str) -> bool:
    return _spaced(option) in text if option.isascii() else option in text


def _spaced(text: str) -> str:
    return f" {' '.join(_WORDS.findall(text.lower()))} "
