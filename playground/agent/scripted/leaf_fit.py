"""How well a value of the task suits a parameter."""

from functools import cache

from catalog.patterns import PatternError, compile_regex
from catalog.search.words import term_of
from playground.agent.scripted.leaves import Leaf
from playground.agent.scripted.values import Kind, Value

EVIDENCE = 1.5
"""The fit from which an optional parameter is filled; a required one takes any."""

_FORMATS: dict[str, tuple[Kind, ...]] = {
    "date": ("date",),
    "date-time": ("time", "date"),
    "time": ("time",),
    "email": ("email",),
    "uri": ("url",),
}
_ROLES: dict[Kind, str] = {
    "channel": "channel room to recipient target",
    "date": "date day when due until deadline start end since",
    "email": "email mail address recipient to cc user account attendee person member requester",
    "id": "id number key code reference ticket event order issue",
    "mention": "user person who assignee handle colleague member recipient to name",
    "path": "path file folder directory document",
    "quote": "title text message note comment subject body description name query content summary reason label question",
    "time": "time start end hour when",
    "url": "url uri link page address website",
}
"""Words of a parameter that a kind of value answers, where its schema names no format."""
_PLACE = "city place location town country region office destination origin address where station airport"
_PERSON = "name person who user member colleague contact customer author owner"
_NAME_ROLES = {
    **dict.fromkeys(("in", "at", "near", "from", "between"), _PLACE),
    **dict.fromkeys(("of", "with", "by", "about"), _PERSON),
}
"""What a name is, by the word before it; after `for` and `to` it may be either."""
_DIRECTIONS = {
    "from": frozenset(
        map(term_of, ("from", "origin", "departure", "start", "first", "begin", "source", "since", "after"))
    ),
    "to": frozenset(map(term_of, ("to", "destination", "arrival", "end", "last", "until", "target", "till", "before"))),
}
_OPPOSITE = {"from": "to", "to": "from"}
_STRANGE_ROLE: dict[Kind, float] = {"quote": 1.5, "id": 0.6, "name": 0.5, "number": 0.4}
"""What a value counts for in a text parameter whose words say nothing of its kind."""


def leaf_fit(leaf: Leaf, value: Value) -> float:
    """0 if the value cannot stand there."""
    base = _number_fit(leaf, value) if leaf.type in ("integer", "number") else _text_fit(leaf, value)
    if not base or leaf.options or leaf.type == "boolean":
        return 0.0
    told = _label_fit(leaf, value) + _direction_fit(leaf, value)
    return max(0.01, base + told + (0.5 if value.text in leaf.examples else 0.0) + (0.25 if leaf.required else 0.0))


def _number_fit(leaf: Leaf, value: Value) -> float:
    if value.kind != "number":
        return 0.0
    number = value.number
    if leaf.type == "integer" and not isinstance(number, int):
        return 0.0
    if "year" in leaf.name_words:
        return 2.0 if 1900 <= number <= 2100 else 0.0
    low, high = leaf.schema.get("minimum"), leaf.schema.get("maximum")
    fits = (not isinstance(low, int | float) or number >= low) and (not isinstance(high, int | float) or number <= high)
    return 0.8 if fits else 0.0


def _text_fit(leaf: Leaf, value: Value) -> float:
    if isinstance(pattern := leaf.schema.get("pattern"), str):
        return 3.0 if matches(pattern, value.text) else 0.0
    if kinds := _FORMATS.get(str(leaf.schema.get("format")), ()):
        return 3.0 - 0.5 * kinds.index(value.kind) if value.kind in kinds else 0.0
    role = _role(value)
    if role & leaf.name_words:
        return 2.0
    return 1.6 if role & leaf.words else _STRANGE_ROLE.get(value.kind, 0.0)


def _role(value: Value) -> frozenset[str]:
    if value.kind == "name":
        return _terms(_NAME_ROLES.get("".join(value.before[-1:]), f"{_PLACE} {_PERSON}"))
    return _terms(_ROLES.get(value.kind, ""))


@cache
def _terms(words: str) -> frozenset[str]:
    return frozenset(map(term_of, words.split()))


def _label_fit(leaf: Leaf, value: Value) -> float:
    """The words beside the value that the parameter speaks of, as in `quantity 2` and `8 people`."""
    near = {term_of(word) for word in (*value.before[-2:], value.after)} - {""}
    return min(2.0, 1.0 * len(near & leaf.name_words) + 0.8 * len((near & leaf.words) - leaf.name_words))


def _direction_fit(leaf: Leaf, value: Value) -> float:
    preposition = value.before[-1] if value.before else ""
    if preposition not in _DIRECTIONS:
        return 0.0
    if _DIRECTIONS[preposition] & leaf.name_words:
        return 1.5
    return -1.5 if _DIRECTIONS[_OPPOSITE[preposition]] & leaf.name_words else 0.0


def matches(pattern: str, text: str) -> bool:
    """Patterns come from strangers: RE2 runs them."""
    try:
        return compile_regex(pattern).search(text) is not None
    except PatternError:
        return False
