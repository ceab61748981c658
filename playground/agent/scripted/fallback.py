"""What stands in a required parameter that the task gives no value for."""

import re
from collections.abc import Iterator, Sequence
from typing import Any

from catalog.search.words import index_words, term_of
from playground.agent.scripted.leaf_fit import matches
from playground.agent.scripted.leaves import Leaf
from playground.agent.scripted.needs import Need

LONGEST_TEXT = 200

_SEARCHED = frozenset(map(term_of, "query search term keyword q topic".split()))
_PLACE = frozenset(map(term_of, "city place location town country region".split()))
_AFTER_PREPOSITION = re.compile(r"\b(?:in|at|near|for|to|from) ([a-z][\w-]+)", re.IGNORECASE)


def last_resort(leaf: Leaf, need: Need, results: Sequence[Any]) -> Any:
    """From an earlier result, the schema's default, the need's own words, an example: the first that there is."""
    found = next((value for result in reversed(results) for value in _found_in(result, leaf)), None)
    if found is not None:
        return found
    if "default" in leaf.schema:
        return leaf.schema["default"]
    if leaf.options:
        return leaf.options[0]
    if leaf.type == "string" and not {"pattern", "format"} & leaf.schema.keys():
        return _own_words(leaf, need)
    return leaf.examples[0] if leaf.examples else _EMPTY.get(leaf.type, "")


_EMPTY = {"integer": 1, "number": 1, "boolean": False, "null": None}


def _own_words(leaf: Leaf, need: Need) -> str:
    if leaf.name_words & _PLACE:
        place = _AFTER_PREPOSITION.search(need.plain)
        return place[1] if place else str(next(iter(leaf.examples), need.text))
    if leaf.name_words & _SEARCHED:
        names = [value.text for value in need.values if value.kind in ("name", "id")]
        return " ".join((*need.telling_words, *names))
    return need.text[:LONGEST_TEXT]


def _found_in(result: Any, leaf: Leaf, under: str = "") -> Iterator[Any]:
    """Plain values of an earlier result that the parameter may mean: by its pattern, else by its name."""
    match result:
        case dict():
            for key, part in result.items():
                yield from _found_in(part, leaf, f"{under} {key}")
        case list():
            for part in result:
                yield from _found_in(part, leaf, under)
        case str() | int() | float() if _is_meant(result, under, leaf):
            yield result


def _is_meant(value: Any, under: str, leaf: Leaf) -> bool:
    if isinstance(value, str) != (leaf.type == "string"):
        return False
    if isinstance(pattern := leaf.schema.get("pattern"), str):
        return matches(pattern, value)
    return bool(leaf.name_words) and leaf.name_words <= {word.term for word in index_words(under)}
