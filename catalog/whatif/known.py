"""The queries of a catalog: those of its suites, and those that its recorded runs asked."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from catalog.exposure import Exposure
from catalog.indexing import exposure_of
from catalog.judging import judged_queries
from catalog.models import Catalog
from catalog.whatif.queries import KnownQuery, together


@dataclass(frozen=True, slots=True)
class Recorded:
    """A query that runs asked, how often, and the names of the tools that they called after it had found them."""

    text: str
    times: int
    called: frozenset[str] = frozenset()


def _none(catalog: int) -> Sequence[Recorded]:
    return ()


@dataclass
class Sources:
    """What the catalog cannot know by itself; who watches runs says it at the start of the process."""

    recorded: Callable[[int], Sequence[Recorded]] = _none


sources = Sources()


def queries_of(catalog: Catalog) -> tuple[KnownQuery, ...]:
    """Judged ones first, then those that runs asked, the commonest first."""
    recorded = (_known(one, exposure_of(catalog)) for one in sources.recorded(catalog.pk))
    return together(judged_of(catalog), recorded)


def judged_of(catalog: Catalog) -> list[KnownQuery]:
    suites: Iterable[KnownQuery] = (
        KnownQuery(query.text, query.groups, fine=query.fine)
        for suite in catalog.suites.all()
        for query in judged_queries(suite)
    )
    return list({query.text: query for query in suites}.values())


def _known(recorded: Recorded, exposure: Exposure) -> KnownQuery:
    tools = exposure.pool.by_name
    called = frozenset(tools[name].key for name in recorded.called if name in tools)
    return KnownQuery(recorded.text, called=called, times=recorded.times)
