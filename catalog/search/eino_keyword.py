"""The engine of Eino's toolsearch v2: keywords against name parts, names and descriptions, in tiers (E2-12 to E2-24)."""

from collections.abc import Iterable, Iterator, Sequence
from copy import copy
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from catalog.search.cutting import best_places, cut_at
from catalog.search.engine import Changed, Corpus
from catalog.search.explanation import Explanation, best_of, fact, sum_of
from catalog.search.go_text import go_lower, go_trim, go_words, is_go_lower, is_go_upper
from catalog.search.ranking import Hit, QueryReading, QueryWord, Ranking
from catalog.search.reading import first_words
from catalog.search.scope import Scope
from catalog.search.settings import DEFAULTS, TypedSettings
from catalog.search.substrings import Substrings
from catalog.tools import ToolSpec

SELECT = "select:"
"""What a query that names its tools begins with, in exactly this case (E2-12)."""
PART, IN_PART, IN_NAME, IN_DESCRIPTION = 10.0, 5.0, 3.0, 2.0
"""What a keyword counts, by the best place where it stands (E2-20)."""


@dataclass(frozen=True, slots=True)
class Keyword:
    """A word of the query, lower-cased, and whether a tool without it is left out."""

    text: str
    required: bool

    @property
    def said(self) -> str:
        return f"the {'required ' if self.required else ''}keyword “{self.text}”"


@dataclass(frozen=True, slots=True)
class Prepared:
    """What is compared of a tool, lower-cased."""

    name: str
    parts: tuple[str, ...]
    description: str


class EinoTools(Scope):
    """The tools by name, lower-cased and cut into what keywords are sought in."""

    def __init__(self, corpus: Corpus) -> None:
        self.tools = sorted(corpus.tools, key=lambda tool: tool.name)
        super().__init__(self.tools)
        self.by_name = {tool.name: place for place, tool in enumerate(self.tools)}
        size = len(self.tools)
        self.parts = Substrings((_parts(tool) for tool in self.tools), size)
        self.names = Substrings((go_words(go_lower(tool.name)) for tool in self.tools), size)
        self.descriptions = Substrings(map(_described, self.tools), size)

    def updated(self, corpus: Corpus, changed: Changed) -> "EinoTools":
        """Names stay, and what is made of them."""
        follower = copy(self)
        follower.tools = [*self.tools]
        edited = {self.by_name[corpus.tools[place].name]: corpus.tools[place] for place in changed}
        for place, tool in edited.items():
            follower.tools[place] = tool
        before, after = (
            {place: _described(tools[place]) for place in edited} for tools in (self.tools, follower.tools)
        )
        follower.descriptions = self.descriptions.updated(before, after)
        return follower


class EinoKeyword:
    slug: ClassVar[str] = "eino-keyword"
    title: ClassVar[str] = "Eino keyword"
    summary: ClassVar[str] = "Keywords in name parts, names and descriptions, in tiers of 10, 5, 3 and 2 points."
    query_help: ClassVar[str] = (
        "Keywords parted by spaces, one that must match begun with a plus sign: +slack message. "
        "Or the exact names of tools: select:get_weather,send_email"
    )
    Settings: ClassVar[type[TypedSettings]] = TypedSettings

    def __init__(self, corpus: Corpus, settings: TypedSettings = DEFAULTS) -> None:
        self._all = corpus.shared(EinoTools)

    def search(self, query: str, limit: int, servers: frozenset[str] = frozenset()) -> Ranking:
        """A selection knows no limit (E2-13), and names a tool as often as it was asked for."""
        sent, chosen = go_trim(query), self._all.chosen(servers)
        ranking = Ranking(self.slug, QueryReading(query, final=sent), searched=int(np.count_nonzero(chosen)))
        if not sent:
            return replace(ranking, notes=("the query is empty",))
        if sent.startswith(SELECT):
            return self._selection(sent.removeprefix(SELECT), chosen, ranking)
        return self._by_keywords(sent, limit, chosen, ranking)

    def _selection(self, asked: str, chosen: NDArray[np.bool_], ranking: Ranking) -> Ranking:
        """Names in the order asked for; unknown ones are passed over."""
        names = [name for name in map(go_trim, asked.split(",")) if name]
        known = {name for name in names if name in self._all.by_name and chosen[self._all.by_name[name]]}
        told = fact(1.0, "its name was asked for", field="name")
        found = [self._all.tools[self._all.by_name[name]] for name in names if name in known]
        words = tuple(QueryWord(name, (name,), unknown=name not in known) for name in names)
        unknown = len(set(names) - known)
        note = f"{unknown:,} of the names asked for {'is' if unknown == 1 else 'are'} no tool’s here" if unknown else ""
        return replace(
            ranking,
            reading=replace(ranking.reading, words=words),
            hits=tuple(Hit(rank, tool, told) for rank, tool in enumerate(found, start=1)),
            matched=len(known),
            scored=False,
            notes=tuple(filter(None, [note if names else "no name was asked for"])),
        )

    def _by_keywords(self, sent: str, limit: int, chosen: NDArray[np.bool_], ranking: Ranking) -> Ranking:
        words, notes = first_words(go_words(sent))
        keywords = [keyword for word in words if (keyword := _keyword(word)).text]
        if not keywords:
            notes = ("the query has no keyword",)
        points = {text: self._points(text) for text in dict.fromkeys(keyword.text for keyword in keywords)}
        scores = np.where(chosen, self._scores(keywords, points), 0.0)
        hits, cuts = cut_at(limit, list(self._hits(best_places(scores, limit), keywords)))
        return replace(
            ranking,
            reading=replace(ranking.reading, words=tuple(_read(word, points) for word in words)),
            hits=hits,
            cuts=cuts,
            matched=int(np.count_nonzero(scores)),
            notes=notes,
        )

    def _points(self, keyword: str) -> NDArray[np.float64]:
        """What the keyword counts for each tool."""
        points = np.zeros(len(self._all.tools))
        np.copyto(points, IN_DESCRIPTION, where=self._all.descriptions.containing(keyword))
        np.copyto(points, IN_NAME, where=self._all.names.containing(keyword))
        np.copyto(points, IN_PART, where=self._all.parts.containing(keyword))
        points[self._all.parts.having(keyword)] = PART
        return points

    def _scores(self, keywords: Sequence[Keyword], points: dict[str, NDArray[np.float64]]) -> NDArray[np.float64]:
        """Keywords add, repeated ones again (E2-17); a tool without a required one has none (E2-22)."""
        scores = np.zeros(len(self._all.tools))
        met = np.ones(len(self._all.tools), bool)
        for keyword in keywords:
            scores += points[keyword.text]
            if keyword.required:
                met &= points[keyword.text] > 0
        return np.where(met, scores, 0.0)

    def _hits(self, places: Iterable[int], keywords: Sequence[Keyword]) -> Iterator[Hit]:
        for rank, place in enumerate(places, start=1):
            tool = _prepared(self._all.tools[place])
            told = [best_of(keyword.said, _tiers(keyword, tool)) for keyword in keywords]
            yield Hit(
                rank, self._all.tools[place], sum_of("what each keyword adds", [best for best in told if best.parts])
            )


def name_parts(name: str) -> list[str]:
    """The parts of a name: between underscores, then by its capitals (E2-18)."""
    return [part for run in name.split("_") if run for part in _camel_parts(run)]


def _camel_parts(run: str) -> Iterator[str]:
    """Cut before a capital that follows a small letter, or that a small letter follows (E2-19)."""
    start = 0
    for at in range(1, len(run)):
        if is_go_upper(run[at]) and (is_go_lower(run[at - 1]) or is_go_lower(run[at + 1 : at + 2] or " ")):
            yield run[start:at]
            start = at
    yield run[start:]


def _prepared(tool: ToolSpec) -> Prepared:
    return Prepared(go_lower(tool.name), _parts(tool), go_lower(tool.description))


def _parts(tool: ToolSpec) -> tuple[str, ...]:
    return tuple(map(go_lower, name_parts(tool.name)))


def _described(tool: ToolSpec) -> list[str]:
    return go_words(go_lower(tool.description))


def _keyword(word: str) -> Keyword:
    """Only the first plus sign is taken off; one by itself leaves no keyword (E2-14)."""
    text = go_lower(word.removeprefix("+"))
    return Keyword(text, word.startswith("+"))


def _read(word: str, points: dict[str, NDArray[np.float64]]) -> QueryWord:
    text = _keyword(word).text
    if not text:
        return QueryWord(word, dropped="a plus sign without a keyword")
    return QueryWord(word, (text,), unknown=not points[text].any())


def _tiers(keyword: Keyword, tool: Prepared) -> Iterator[Explanation]:
    """Every tier that the keyword reaches, the best first."""
    holding = next((part for part in tool.parts if keyword.text in part), "")
    if keyword.text in tool.parts:
        yield _tier(keyword, PART, "is a part of its name", "name")
    if holding:
        yield _tier(keyword, IN_PART, f"is inside a part of its name, “{holding}”", "name")
    if keyword.text in tool.name:
        yield _tier(keyword, IN_NAME, "is inside its name", "name")
    if keyword.text in tool.description:
        yield _tier(keyword, IN_DESCRIPTION, "is in its description", "description")


def _tier(keyword: Keyword, points: float, where: str, field: str) -> Explanation:
    return Explanation(points, f"{keyword.said} {where} ({points:g})", field=field, letters=keyword.text)
