"""Tools that runs had in view in their last prompt, and what each takes of a prompt."""

import json
from dataclasses import dataclass

from django.db.models import OuterRef, Subquery
from django.db.models.fields.json import KT

from playground.agent.events import OfferMade
from playground.models import RunEvent
from playground.models.run import RunQuerySet

AT_ONCE = 500


@dataclass(slots=True)
class Viewed:
    """`tokens` (estimated) is what the tool takes of one prompt; `runs` counts those whose last prompt had it."""

    name: str
    server: str
    tokens: int
    runs: int = 0

    @property
    def weight(self) -> int:
        return self.tokens * self.runs


def viewed_in(runs: RunQuerySet) -> dict[str, Viewed]:
    """The tools of the catalog by name, without the means to search."""
    offers = RunEvent.objects.filter(run=OuterRef("pk"), kind=OfferMade.kind).order_by("-seq")
    last = Subquery(offers.annotate(tools=KT("body__tools")).values("tools")[:1])
    found: dict[str, Viewed] = {}
    for tools in runs.annotate(last_tools=last).values_list("last_tools", flat=True).iterator(AT_ONCE):
        for tool in json.loads(tools or "[]"):
            if tool["cause"] != "meta-tool":
                seen = found.setdefault(tool["name"], Viewed(tool["name"], tool["server"], tool["tokens"]))
                seen.runs += 1
    return found
