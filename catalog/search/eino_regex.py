"""The engine of Eino's toolsearch beta: a pattern over names, in the order configured (EB-2 to EB-6)."""

from dataclasses import replace
from typing import Any, ClassVar

from catalog.patterns import PatternError, compile_regex
from catalog.search.cutting import SHOWN_CUT, cut_at
from catalog.search.engine import Changed, Corpus
from catalog.search.explanation import Explanation
from catalog.search.matches import match_fact, utf8
from catalog.search.pattern_texts import PatternTexts, SlowPatternError, too_slow
from catalog.search.ranking import Hit, QueryReading, Ranking
from catalog.search.scope import Scope
from catalog.search.settings import DEFAULTS, TypedSettings
from catalog.tools import ToolSpec

GO_ERRORS = {
    "invalid escape sequence": "invalid escape sequence",
    "invalid character class range": "invalid character class range",
    "missing ]": "missing closing ]",
    "missing )": "missing closing )",
    "unexpected )": "unexpected )",
    "trailing \\": "trailing backslash at end of expression",
    "no argument for repetition operator": "missing argument to repetition operator",
    "invalid repetition size": "invalid repeat count",
    "bad repetition operator": "invalid nested repetition operator",
    "invalid perl operator": "invalid or unsupported Perl syntax",
    "invalid UTF-8": "invalid UTF-8",
    "invalid named capture group": "invalid named capture",
}
"""What RE2 says is wrong with a pattern, and what Go's reading of the same syntax says (T7)."""
_LOOK_BEHINDS = frozenset({"(?<=", "(?<!"})


class NameTexts(Scope):
    """The names as RE2 reads them."""

    def __init__(self, corpus: Corpus) -> None:
        super().__init__(corpus.tools)
        self.texts = PatternTexts([(utf8(tool.name),) for tool in corpus.tools])

    def updated(self, corpus: Corpus, changed: Changed) -> "NameTexts":
        """An edit changes no name."""
        return self


class EinoRegex:
    slug: ClassVar[str] = "eino-regex"
    title: ClassVar[str] = "Eino regex"
    summary: ClassVar[str] = "A regular expression over names, in catalog order, not ranked."
    query_help: ClassVar[str] = (
        "A regular expression (RE2 syntax, case matters) that is looked for in each tool's name, such as: ^send_|email"
    )
    Settings: ClassVar[type[TypedSettings]] = TypedSettings

    def __init__(self, corpus: Corpus, settings: TypedSettings = DEFAULTS) -> None:
        self._tools = corpus.tools
        self._names = corpus.shared(NameTexts)

    def search(self, query: str, limit: int, servers: frozenset[str] = frozenset()) -> Ranking:
        """Eino knows no limit (EB-5), only the caller does."""
        reading = QueryReading(query, final=query, is_pattern=True)
        ranking = Ranking(self.slug, reading, searched=self._names.count(servers), scored=False)
        if not query:
            return replace(ranking, notes=("the pattern is empty",))
        try:
            found = self._names.within(self._names.texts.matching(query), servers)
        except PatternError as error:
            return replace(ranking, problem=f"invalid regex pattern: {go_error(query, str(error))}")
        except SlowPatternError:
            return replace(ranking, problem=too_slow(len(self._tools)))
        program = compile_regex(query)
        told = [self._told(program, place) for place in found[: max(limit, 0) + SHOWN_CUT]]
        hits, cuts = cut_at(limit, [Hit(rank, tool, why) for rank, (tool, why) in enumerate(told, start=1)])
        return replace(ranking, hits=hits, cuts=cuts, matched=len(found))

    def _told(self, program: Any, place: int) -> tuple[ToolSpec, Explanation]:
        (name,) = self._names.texts.of(place)
        return self._tools[place], match_fact(program.search(name), "name")


def go_error(pattern: str, said: str) -> str:
    """Go's text for what RE2 said of a pattern (EB-6); what RE2 did not say stays as it is."""
    for reason, go_reason in GO_ERRORS.items():
        if said == reason or said.startswith(f"{reason}: "):
            told = said.removeprefix(reason).removeprefix(": ")
            if capture := _bad_capture(pattern, told):
                return f"error parsing regexp: invalid named capture: `{capture}`"
            return f"error parsing regexp: {go_reason}: `{told}`"
    return said


def _bad_capture(pattern: str, told: str) -> str:
    """What Go takes for a group with a bad name where RE2 sees a look-behind: up to its `>`, or all that follows."""
    if told not in _LOOK_BEHINDS:
        return ""
    name, end, _ = pattern[pattern.find(told) :].partition(">")
    return name + end
