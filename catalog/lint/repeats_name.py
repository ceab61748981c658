"""A description of one line that says what the name says, and nothing more."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from catalog.lint.finding import Fact, Finding, digest
from catalog.lint.survey import Survey
from catalog.lint.telling_apart import VAGUE
from catalog.lint.tool_words import length, listed, name_of, written
from catalog.search.synonyms import SYNONYMS
from catalog.tools import ToolSpec


@dataclass(frozen=True, slots=True)
class RepeatsName:
    """`longest`: words of the description without common ones. A longer text of the name's words alone says how they belong
    together, which is worth something.
    """

    slug: ClassVar[str] = "repeats-name"
    title: ClassVar[str] = "Only repeats the name"
    alone: ClassVar[bool] = True
    longest: int = 6

    def look(self, survey: Survey) -> Iterator[Finding]:
        for tool in survey.tools:
            if 0 < length(tool.description, self.longest + 1) <= self.longest:
                words = written(tool.description)
                if self._is_repeated(tool, words):
                    yield self._finding(tool, words)

    def _is_repeated(self, tool: ToolSpec, words: dict[str, str]) -> bool:
        """Whether each word stands in the name, means the same as one there, or is vague; and one at least does stand there."""
        named = written(name_of(tool), common=True).keys()
        telling = [term for term in words if term not in VAGUE]
        said = [term for term in telling if term in named or not named.isdisjoint(SYNONYMS.get(term, ()))]
        return bool(telling) and len(said) == len(telling)

    def _finding(self, tool: ToolSpec, words: dict[str, str]) -> Finding:
        return Finding(
            rule=self.slug,
            tool=tool.key,
            where="description",
            end=len(tool.description),
            sentence="Its description repeats its name and adds nothing that a model or a search could use.",
            advice="Say what it returns, what it needs, and when to use it rather than a tool beside it.",
            facts=(
                Fact("name", name_of(tool)),
                Fact("description", tool.description.strip()),
                Fact("words compared", listed(words.values())),
            ),
            rests_on=digest(name_of(tool), tool.description),
        )
