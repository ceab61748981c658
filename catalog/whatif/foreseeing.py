"""Asking every query before and after a change, those first that it is likeliest to touch.

What it says is what the catalog would answer: the engine itself is asked, over the changed tools and their index, unless the
change provably leaves the query as it is.
"""

from collections.abc import Iterator, MutableMapping, Sequence

from catalog.search.orders import Order
from catalog.whatif.alone import untouched_by
from catalog.whatif.queries import KnownQuery, touched_first
from catalog.whatif.shifts import Shift
from catalog.whatif.sides import Side, changed_tools


def foresee(
    queries: Sequence[KnownQuery], before: Side, after: Side, known: MutableMapping[str, Order]
) -> Iterator[Shift]:
    """`known` holds what queries found before, by text, and is filled in. Raises UnreadableIndexError."""
    asking = before.asking()
    asking_again = None if after == before else after.asking()
    untouched, (old, new) = untouched_by(before, after), changed_tools(before, after)
    for query in touched_first(queries, old, new, known):
        if query.text not in known:
            known[query.text] = asking(query.text)
        found = known[query.text]
        same = asking_again is None or untouched(query.text)
        yield Shift(query, found, found if same or asking_again is None else asking_again(query.text))
