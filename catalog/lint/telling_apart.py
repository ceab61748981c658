"""What tells two tools apart: the words that each has and the other lacks."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from catalog.lint.tool_words import texts_of, written
from catalog.search.synonyms import SYNONYMS
from catalog.search.words import COMMON, is_common, term_of
from catalog.tools import ToolSpec

_VAGUE = """
    a able all allow any api available based basic both call current data detail detailed details different directly each
    easily existing full function get given helper info information input just mcp more new number
    old one only output perform provide provided requested response result results retrieve return
    returned returns server service simple single some specific specified string support supported the this tool tools
    two use used user's using v various version via want
"""
_DIRECTIONS = frozenset("from to in out on off up down before after not my".split())
VAGUE = frozenset({*map(term_of, _VAGUE.split()), *map(term_of, COMMON - _DIRECTIONS)})
"""Terms that stand in the text of any tool and say nothing of what this one is for."""

_MANY = frozenset(map(term_of, ("list", "all", "multiple")))
_ONE = frozenset(map(term_of, ("specific", "single", "details", "information", "info", "id")))


@dataclass(frozen=True, slots=True)
class Words:
    """The terms of a tool's texts, each with how it is first written."""

    name: Mapping[str, str]
    description: Mapping[str, str]
    parameters: Mapping[str, str]

    @classmethod
    def of(cls, tool: ToolSpec) -> "Words":
        name, description, parameters = texts_of(tool)
        return cls(written(name, common=True), written(description, common=True), written(parameters))

    @property
    def all(self) -> dict[str, str]:
        return {**self.parameters, **self.description, **self.name}

    def lacking(self, other: "Words") -> tuple[str, ...]:
        """The words that the other lacks, as they are written: first those of the name that its name lacks."""
        lacking = {term: word for term, word in self.name.items() if term not in other.name}
        lacking |= {term: word for term, word in self.all.items() if term not in other.all}
        return tuple(word for word in lacking.values() if not is_common(word))


def told_apart(here: Words, there: Words) -> bool:
    """Whether a reader of names and descriptions can choose between two tools that share most of their words.

    Descriptions that say the same never tell. Else it takes a telling word in either name of which the other tool says nothing,
    one in each name that the other name lacks, one in each description that the other tool lacks, a word in both names that is
    written otherwise (`followers`, `following`; a plural does not tell), or that the one speaks of many and the other of one.
    Synonyms, numbers and vague words do not tell.
    """
    if here.description and here.description.keys() == there.description.keys():
        return False
    said_here, said_there = {*here.name, *here.description}, {*there.name, *there.description}
    return (
        _tells(here.name, said_there)
        or _tells(there.name, said_here)
        or (_tells(here.name, {*there.name}) and _tells(there.name, {*here.name}))
        or (_tells(here.description, said_there) and _tells(there.description, said_here))
        or _inflected(here.name, there.name)
        or _one_and_many(here, there)
        or _one_and_many(there, here)
    )


def _tells(words: Iterable[str], said: set[str]) -> bool:
    telling = (term for term in words if term not in VAGUE and not term.isnumeric())
    return any(term not in said and said.isdisjoint(SYNONYMS.get(term, ())) for term in telling)


def _inflected(here: Mapping[str, str], there: Mapping[str, str]) -> bool:
    return any(here[term].rstrip("s") != there[term].rstrip("s") for term in here.keys() & there.keys())


def _one_and_many(one: Words, many: Words) -> bool:
    """Whether only the one says list, all or multiple, and the other says that it is of one, or has a name in the singular."""
    said_one, said_many = {*one.name, *one.description}, {*many.name, *many.description}
    if _MANY.isdisjoint(said_many - said_one):
        return False
    singular = any(many.name[term] == f"{one.name[term]}s" for term in one.name.keys() & many.name.keys())
    return singular or not _ONE.isdisjoint(said_one - said_many)
