"""A tool that models call after searching with words that it does not have: its own words are not those it is asked by."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

from catalog.lint.finding import Fact, Finding, digest
from catalog.lint.survey import LedHere, Survey
from catalog.lint.telling_apart import VAGUE
from catalog.lint.tool_words import listed, name_of, texts_of, written
from catalog.tools import ToolSpec


@dataclass(frozen=True, slots=True)
class UnheardWords:
    """`runs`: how many different runs must have searched with the word. One is chance, two are a habit."""

    slug: ClassVar[str] = "unheard-words"
    title: ClassVar[str] = "Asked for in other words"
    alone: ClassVar[bool] = False
    runs: int = 2

    def look(self, survey: Survey) -> Iterator[Finding]:
        asked = {term for query in survey.queries for term in written(query)}
        for tool in survey.tools:
            led = survey.led.get(tool.key)
            if not led:
                continue
            if missing := self._missing(tool, led):
                unheard = [word for term, word in _shown(tool).items() if term not in asked and term not in VAGUE]
                if unheard:
                    yield self._finding(tool, led, missing, unheard)

    def _missing(self, tool: ToolSpec, led: Sequence[LedHere]) -> dict[str, str]:
        """Words of several runs that nothing searched of the tool has."""
        said = written("\n".join((*texts_of(tool), tool.title, tool.search_text, *tool.aliases, *tool.tags)))
        runs: dict[str, set[str]] = defaultdict(set)
        words: dict[str, str] = {}
        for query in led:
            for term, word in written(query.query).items():
                if term not in said and term not in VAGUE:
                    runs[term].add(query.run)
                    words.setdefault(term, word)
        return {term: words[term] for term, of in runs.items() if len(of) >= self.runs}

    def _finding(self, tool: ToolSpec, led: Sequence[LedHere], missing: dict[str, str], unheard: list[str]) -> Finding:
        queries = [query.query for query in led if missing.keys() & written(query.query).keys()]
        return Finding(
            rule=self.slug,
            tool=tool.key,
            where="description",
            end=len(tool.description),
            sentence=f"Searches that ended in calling it said {listed(missing.values())}, which it does not say.",
            advice="Add the words to its search text, which no model is sent, or to its description.",
            facts=(
                Fact("searches", listed(dict.fromkeys(queries), 5)),
                Fact("runs", str(len({query.run for query in led if query.query in queries}))),
                Fact("its own words that no recorded search used", listed(unheard)),
            ),
            rests_on=digest(name_of(tool), tool.description, tool.search_text, *tool.aliases, *sorted(missing)),
            only_there=tuple(missing.values()),
        )


def _shown(tool: ToolSpec) -> dict[str, str]:
    return written(f"{name_of(tool)}\n{tool.description}")
