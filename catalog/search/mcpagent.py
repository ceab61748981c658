"""The engine of the mcpagent document: a pattern over names and descriptions, in catalog order (P-1 to P-8)."""

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass, replace
from typing import Any, ClassVar, get_args

from catalog.patterns import PatternError, compile_regex
from catalog.search.cutting import SHOWN_CUT, cut_at
from catalog.search.engine import Changed, Corpus
from catalog.search.explanation import Explanation, best_of
from catalog.search.fuzzy import Fuzzy
from catalog.search.matches import match_fact, utf8
from catalog.search.pattern_texts import PatternTexts, SlowPatternError, too_slow
from catalog.search.ranking import Hit, QueryReading, Ranking
from catalog.search.scope import Scope
from catalog.search.settings import Fidelity, TypedSettings, setting
from catalog.tools import ToolSpec

FUZZY_LIMIT = 5
"""Tools that the fallback returns (P-8)."""
MAX_TEXT = 1 << 16
"""Bytes of a description that are matched."""


@dataclass(frozen=True, slots=True)
class McpagentSettings(TypedSettings):
    fidelity: Fidelity = setting(
        "documented",
        "Where nothing matches",
        "The document tells of a fuzzy fallback (documented); the program has none (implemented).",
        choices=get_args(Fidelity),
    )


DEFAULTS = McpagentSettings()


class ToolTexts(Scope):
    """The name and the description of each tool, as RE2 reads them."""

    def __init__(self, corpus: Corpus) -> None:
        super().__init__(corpus.tools)
        self.texts = PatternTexts([_texts(tool) for tool in corpus.tools])

    def updated(self, corpus: Corpus, changed: Changed) -> "ToolTexts":
        follower = copy(self)
        follower.texts = self.texts.updated({place: _texts(corpus.tools[place]) for place in changed})
        return follower


class McpagentPattern:
    slug: ClassVar[str] = "mcpagent"
    title: ClassVar[str] = "mcpagent pattern"
    summary: ClassVar[str] = "A regular expression over names and descriptions, with a fuzzy fallback."
    query_help: ClassVar[str] = (
        "A regular expression (RE2 syntax, case ignored) that is looked for in each tool's name and description, "
        "such as: send.*message"
    )
    Settings: ClassVar[type[TypedSettings]] = McpagentSettings

    def __init__(self, corpus: Corpus, settings: McpagentSettings = DEFAULTS) -> None:
        self._corpus, self._tools = corpus, corpus.tools
        self._texts = corpus.shared(ToolTexts)
        self._fidelity = settings.fidelity

    def search(self, query: str, limit: int, servers: frozenset[str] = frozenset()) -> Ranking:
        """The document knows no limit (P-4), only the caller does; the fuzzy fallback returns FUZZY_LIMIT at most."""
        reading = QueryReading(query, final=f"(?i){query}", is_pattern=True)
        ranking = Ranking(self.slug, reading, searched=self._texts.count(servers), scored=False)
        if not query:
            return replace(ranking, notes=("the query is empty",))
        try:
            found = self._texts.within(self._texts.texts.matching(query, ignore_case=True), servers)
        except PatternError as error:
            return replace(ranking, problem=f"invalid regex pattern: {error}")
        except SlowPatternError:
            return replace(ranking, problem=too_slow(len(self._tools)))
        if not found and self._fidelity == "implemented":
            return replace(ranking, notes=("No match for the pattern, and the program looks no further",))
        if not found:
            return self._fallback(query, limit, servers, ranking)
        program = compile_regex(query, ignore_case=True)
        told = [(place, self._told(program, place)) for place in found[: max(limit, 0) + SHOWN_CUT]]
        hits, cuts = cut_at(limit, self._hits(told))
        return replace(ranking, hits=hits, cuts=cuts, matched=len(found))

    def _told(self, program: Any, place: int) -> Explanation:
        """Name and description are matched each alone (P-3)."""
        fields = zip(("name", "description"), self._texts.texts.of(place), strict=True)
        matches = ((field, program.search(text)) for field, text in fields)
        return best_of("the pattern matches", [match_fact(match, field) for field, match in matches if match])

    def _fallback(self, query: str, limit: int, servers: frozenset[str], ranking: Ranking) -> Ranking:
        found = Fuzzy(self._corpus).search(query, self._texts.chosen(servers), FUZZY_LIMIT + SHOWN_CUT)
        if found is None:
            return replace(ranking, notes=("No match for the pattern, nor anything near it",))
        by = "top-k" if limit < FUZZY_LIMIT else "fuzzy limit"
        hits, cuts = cut_at(min(limit, FUZZY_LIMIT), self._hits(found.tools), by)
        note = f"No match for the pattern; fuzzy fallback by {found.stage}; the formula is Pegboard's own"
        return replace(ranking, hits=hits, cuts=cuts, matched=found.matched, scored=True, notes=(note,))

    def _hits(self, found: Sequence[tuple[int, Explanation]]) -> list[Hit]:
        return [Hit(rank, self._tools[place], told) for rank, (place, told) in enumerate(found, start=1)]


def _texts(tool: ToolSpec) -> tuple[bytes, bytes]:
    return utf8(tool.name), utf8(tool.description)[:MAX_TEXT]
