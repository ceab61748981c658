"""A definition that costs far more tokens than those around it, and which part of it does."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from statistics import median
from typing import ClassVar

from catalog.lint.finding import Fact, Finding, digest
from catalog.lint.survey import Survey
from catalog.tools import ToolSpec


@dataclass(frozen=True, slots=True)
class TooLong:
    """`least`: tokens below which a definition is no burden, however long its neighbours: twenty tools of it fill 20,000 tokens.
    `times`: how often the median of all tools it costs. The median of its server is told and decides nothing, since a server may
    be long throughout.
    """

    slug: ClassVar[str] = "too-long"
    title: ClassVar[str] = "Costs many tokens"
    alone: ClassVar[bool] = False
    least: int = 1_000
    times: float = 4.0

    def look(self, survey: Survey) -> Iterator[Finding]:
        costs = {tool.key: survey.tokens(tool) for tool in survey.among}
        if not costs:
            return
        middle = median(costs.values())
        for tool in survey.tools:
            cost = costs.get(tool.key, 0)
            if cost >= max(self.least, self.times * middle):
                server = median(costs[other.key] for other in survey.among if other.server == tool.server)
                yield self._finding(tool, survey, cost, middle, server)

    def _finding(self, tool: ToolSpec, survey: Survey, cost: int, middle: float, server: float) -> Finding:
        parts = sorted(_parts(tool, survey), key=lambda part: -part[1])[:3]
        return Finding(
            rule=self.slug,
            tool=tool.key,
            where=parts[0][0],
            sentence=f"It costs {cost:,} tokens of every prompt that it is in: "
            f"{cost / middle:.0f} times the median of all tools.",
            advice="Shorten what a model does not need to choose the tool or to call it, where it costs most.",
            facts=(
                Fact("tokens, estimated", f"{cost:,}"),
                Fact(f"median of {tool.server}", f"{server:,.0f}"),
                Fact("median of all tools", f"{middle:,.0f}"),
                *(Fact(f"of them in {where}", f"{tokens:,}") for where, tokens in parts if tokens > 0),
            ),
            rests_on=digest(json.dumps(tool.as_function(), sort_keys=True, default=str)),
        )


def _parts(tool: ToolSpec, survey: Survey) -> Iterator[tuple[str, int]]:
    """What each part costs: the tokens of a definition that holds it alone, less those of one that holds nothing. What stands there
    anyhow, such as the type of the whole, costs nothing, or less."""
    empty = replace(tool, description="", parameters={})
    least = survey.tokens(empty)
    yield "description", survey.tokens(replace(tool, parameters={})) - least
    for key, part in tool.parameters.items():
        if key == "properties" and isinstance(part, dict):
            for name, inner in part.items():
                alone = replace(empty, parameters={key: {name: inner}})
                yield f"parameters.properties.{name}", survey.tokens(alone) - least
        else:
            yield f"parameters.{key}", survey.tokens(replace(empty, parameters={key: part})) - least
