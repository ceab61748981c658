"""What a reader may change of a search so that it returns a tool: how many hits it asks for, and the least score."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from math import ceil

from catalog.absence.trying import Asked
from catalog.policy import Policy
from catalog.search.engine import Corpus
from catalog.search.ranking import Ranking
from catalog.search.settings import settings_of
from catalog.search.standing import Standing

MIN_SCORE = "min_score"
"""The setting below which engines cut, where they have one."""


def other_searches(
    asked: Asked, corpus: Corpus, policy: Policy, standing: Standing, most: int
) -> Iterator[tuple[Mapping[str, str], Ranking]]:
    """More hits, up to `most`, and a lower least score, as an address has them; each with what the search then answers."""
    if standing.hit is None:
        return
    if asked.limit < standing.hit.rank <= most:
        more = replace(asked, limit=standing.hit.rank)
        yield {"k": str(more.limit)}, more.of(corpus, policy)
    least = _lower(asked, standing)
    if least is not None:
        settings = replace(asked.engine.settings, **{MIN_SCORE: least})
        lower = replace(asked, engine=replace(asked.engine, settings=settings))
        yield {f"{asked.engine.slug}.{MIN_SCORE}": f"{least:g}"}, lower.of(corpus, policy)


def _lower(asked: Asked, standing: Standing) -> float | None:
    """The least score, to two digits, that the tool exceeds, for an engine that has one set."""
    if (
        standing.hit is None
        or not standing.least
        or MIN_SCORE not in {one.name for one in settings_of(asked.engine.kind.Settings)}
    ):
        return None
    now: float = getattr(asked.engine.settings, MIN_SCORE)
    lower = max(0.0, (ceil(100 * now * standing.hit.score / standing.least) - 1) / 100)
    return lower if lower < now else None
