"""The engine of the mcpagent document: a pattern over names and descriptions, in catalog order (P-1 to P-8)."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, get_args

from catalog.patterns import PatternError, compile_regex
from catalog.search.cutting import SHOWN_CUT, cut_at
from catalog.search.engine import Corpus
from catalog.search.explanation import Explanation, best_of
from catalog.search.fuzzy import Fuzzy
from catalog.search.matches import match_fact, utf8
from catalog.search.ranking import Hit, QueryReading, Ranking
from catalog.search.settings import EngineSettings, Fidelity, setting

FUZZY_LIMIT = 5
"""Tools that the fallback returns (P-8)."""
MAX_TEXT = 1 << 16
"""Bytes of a description that are matched."""


@dataclass(frozen=True, slots=True)
class McpagentSettings(EngineSettings):
    fidelity: Fidelity = setting(
        "documented",
        "Where nothing matches",
        "The document tells of a fuzzy fallback (documented); the program has none (implemented).",
        choices=get_args(Fidelity),
    )


DEFAULTS = McpagentSettings()


class McpagentPattern:
    slug: ClassVar[str] = "mcpagent"
    title: ClassVar[str] = "mcpagent pattern"
    summary: ClassVar[str] = "A regular expression over names and descriptions, with a fuzzy fallback."
    query_help: ClassVar[str] = (
        "A regular expression (RE2 syntax, case ignored) that is looked for in each tool's name and description, "
        "such as: send.*message"
    )
    Settings: ClassVar[type[EngineSettings]] = McpagentSettings

    def __init__(self, corpus: Corpus, settings: McpagentSettings = DEFAULTS) -> None:
        self._corpus, self._tools = corpus, corpus.tools
        self._texts = corpus.shared(encoded_texts)
        self._fidelity = settings.fidelity

    def search(self, query: str, limit: int, servers: frozenset[str] = frozenset()) -> Ranking:
        """The document knows no limit (P-4), only the caller does; the fuzzy fallback returns FUZZY_LIMIT at most."""
        chosen = [place for place, tool in enumerate(self._tools) if not servers or tool.server in servers]
        reading = QueryReading(query, final=f"(?i){query}", is_pattern=True)
        ranking = Ranking(self.slug, reading, searched=len(chosen), scored=False)
        if not query:
            return replace(ranking, notes=("the query is empty",))
        try:
            program = compile_regex(query, ignore_case=True)
        except PatternError as error:
            return replace(ranking, problem=f"invalid regex pattern: {error}")
        found = [place for place in chosen if any(map(program.search, self._texts[place]))]
        if not found and self._fidelity == "implemented":
            return replace(ranking, notes=("No match for the pattern, and the program looks no further",))
        if not found:
            return self._fallback(query, limit, chosen, ranking)
        told = [(place, self._told(program, place)) for place in found[: max(limit, 0) + SHOWN_CUT]]
        hits, cuts = cut_at(limit, self._hits(told))
        return replace(ranking, hits=hits, cuts=cuts, matched=len(found))

    def _told(self, program: Any, place: int) -> Explanation:
        """Name and description are matched each alone (P-3)."""
        fields = zip(("name", "description"), self._texts[place], strict=True)
        matches = ((field, program.search(text)) for field, text in fields)
        return best_of("the pattern matches", [match_fact(match, field) for field, match in matches if match])

    def _fallback(self, query: str, limit: int, chosen: Sequence[int], ranking: Ranking) -> Ranking:
        found = self._corpus.shared(Fuzzy).search(query, frozenset(chosen), FUZZY_LIMIT + SHOWN_CUT)
        if found is None:
            return replace(ranking, notes=("No match for the pattern, nor anything near it",))
        by = "top-k" if limit < FUZZY_LIMIT else "fuzzy limit"
        hits, cuts = cut_at(min(limit, FUZZY_LIMIT), self._hits(found.tools), by)
        note = f"No match for the pattern; fuzzy fallback by {found.stage}; the formula is Pegboard's own"
        return replace(ranking, hits=hits, cuts=cuts, matched=found.matched, scored=True, notes=(note,))

    def _hits(self, found: Sequence[tuple[int, Explanation]]) -> list[Hit]:
        return [Hit(rank, self._tools[place], told) for rank, (place, told) in enumerate(found, start=1)]


def encoded_texts(corpus: Corpus) -> list[tuple[bytes, bytes]]:
    """The name and the description of each tool, as RE2 reads them."""
    return [(utf8(tool.name), utf8(tool.description)[:MAX_TEXT]) for tool in corpus.tools]
