"""What is measured, in the order in which it is done; each part can be run by itself over a state that was filled."""

from collections.abc import Callable, Iterator

from benchmarks.curating.acts import drifted, edited, linted, many, searched
from benchmarks.curating.asking import Asking, Row
from benchmarks.curating.filling import filled
from benchmarks.curating.pages import catalog, lists

FILL = "fill"
PARTS: dict[str, Callable[[Asking], Iterator[Row]]] = {
    FILL: filled,
    "lists": lists,
    "catalog": catalog,
    "edit": edited,
    "search": searched,
    "bulk": many,
    "lint": linted,
    "drift": drifted,
}
