"""Parameters of which nothing says what they are: no description, values or default, and the tool's text does not speak of them."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from catalog.lint.finding import Fact, Finding, digest
from catalog.lint.survey import Survey
from catalog.lint.telling_apart import VAGUE
from catalog.lint.tool_words import listed, name_of, written
from catalog.schema_table import ParameterRow, parameter_rows
from catalog.search.synonyms import SYNONYMS
from catalog.search.words import parted, term_of
from catalog.tools import ToolSpec

_EVIDENT = """
    address amount body comment content cursor date description email end filename filter format language latitude limit longitude
    message name number offset owner page password path prompt query repo start symbol text time timestamp timezone title token
    url user username width height year
"""
EVIDENT = frozenset(term_of(word) for word in _EVIDENT.split())
"""Last words of names that say enough by themselves: models were seen to fill them in."""


@dataclass(frozen=True, slots=True)
class SilentParameters:
    """`least`: of the required ones, how many must be silent. One is enough: a model cannot leave it out. Optional and nested
    ones are named with them and do not count.
    """

    slug: ClassVar[str] = "silent-parameters"
    title: ClassVar[str] = "Parameters without a word"
    alone: ClassVar[bool] = True
    least: int = 1

    def look(self, survey: Survey) -> Iterator[Finding]:
        for tool in survey.tools:
            rows = [row for row in parameter_rows(tool.parameters) if not row.path]
            bare = [row for row in rows if _is_bare(row)]
            if sum(row.required for row in bare) < self.least:
                continue
            said = {*written(tool.description), *written(name_of(tool))}
            silent = [row for row in bare if _is_silent(row, said)]
            if sum(row.required for row in silent) >= self.least:
                yield self._finding(tool, rows, sorted(silent, key=lambda row: not row.required))

    def _finding(self, tool: ToolSpec, rows: list[ParameterRow], silent: list[ParameterRow]) -> Finding:
        names = [row.name for row in silent]
        one = len(names) == 1
        return Finding(
            rule=self.slug,
            tool=tool.key,
            where=f"parameters.properties.{names[0]}",
            sentence=f"{len(names)} of its {len(rows)} parameter{'' if len(rows) == 1 else 's'} "
            f"{'is' if one else 'are'} described nowhere: {listed(names)}.",
            advice="A schema is its source’s. Ask there for a description, or speak of them in the tool’s own.",
            facts=(
                Fact("required", listed(row.name for row in silent if row.required)),
                Fact("optional", listed(row.name for row in silent if not row.required) or "none"),
                Fact("types", ", ".join(f"{row.name}: {row.type}" for row in silent[:8])),
            ),
            rests_on=digest(name_of(tool), tool.description, *(f"{row.name} {row.required}" for row in silent)),
        )


def _is_bare(row: ParameterRow) -> bool:
    return not (row.description.strip() or row.values or row.default is not None)


def _is_silent(row: ParameterRow, said: set[str]) -> bool:
    """A bare parameter whose name the tool's text speaks of is not:
    `city`, where the tool tells the weather in a city."""
    terms = [*written(parted(row.name))]
    return not (EVIDENT.intersection(terms[-1:]) or any(_is_said(term, said) for term in terms if term not in VAGUE))


def _is_said(term: str, said: set[str]) -> bool:
    return term in said or not said.isdisjoint(SYNONYMS.get(term, ()))
