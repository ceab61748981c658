"""Two tools of one name in a catalog, of which it can offer only one."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from catalog.lint.finding import Fact, Finding, digest
from catalog.lint.survey import Survey


@dataclass(frozen=True, slots=True)
class NameTaken:
    """No threshold: a catalog offers the first of its servers' tools of one name, and leaves the others out."""

    slug: ClassVar[str] = "name-taken"
    title: ClassVar[str] = "Name taken in a catalog"
    alone: ClassVar[bool] = False

    def look(self, survey: Survey) -> Iterator[Finding]:
        asked = {tool.key for tool in survey.tools}
        catalogs: dict[tuple[str, str, str], list[str]] = {}
        for taken in survey.taken:
            if taken.tool in asked or taken.by in asked:
                catalogs.setdefault((taken.tool, taken.by, taken.name), []).append(taken.catalog)
        for (tool, by, name), told in catalogs.items():
            yield self._finding(tool, by, name, sorted(told))

    def _finding(self, tool: str, by: str, name: str, catalogs: list[str]) -> Finding:
        return Finding(
            rule=self.slug,
            tool=tool,
            other=by,
            where="name",
            end=len(name),
            sentence=f"No model can call it where {by} is offered under the same name: {', '.join(catalogs)}.",
            advice="Have one of the two servers prefix its tools’ names, or exclude one of the two from the catalog.",
            facts=(Fact("name that models call", name), Fact("left out of", ", ".join(catalogs))),
            rests_on=digest(name, *catalogs),
        )
