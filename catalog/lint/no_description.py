"""A tool without a description: a model and a search have only its name to go by."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from catalog.invisible import cleaned
from catalog.lint.finding import Fact, Finding, digest
from catalog.lint.survey import Survey
from catalog.lint.tool_words import name_of


@dataclass(frozen=True, slots=True)
class NoDescription:
    """No threshold: characters that nobody sees do not count."""

    slug: ClassVar[str] = "no-description"
    title: ClassVar[str] = "No description"
    alone: ClassVar[bool] = True

    def look(self, survey: Survey) -> Iterator[Finding]:
        for tool in survey.tools:
            if not cleaned(tool.description).strip():
                yield Finding(
                    rule=self.slug,
                    tool=tool.key,
                    where="description",
                    sentence="It has no description: a model and a search have only its name to go by.",
                    advice="Write what it does, on what, and when to use it rather than a tool beside it.",
                    facts=(Fact("all it says", name_of(tool)),),
                    rests_on=digest(name_of(tool), tool.description),
                )
