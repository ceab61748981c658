"""Which edits are proposed: words of queries that lack the tool, and those that tell it from what stood in its place."""

from catalog.search.orders import Order
from catalog.tools import ToolSpec
from catalog.whatif.queries import KnownQuery
from catalog.whatif.shifts import Shift
from catalog.whatif.suggesting import Suggestion, suggestions

PARCEL = ToolSpec("track_parcel", "Where a parcel is on its way to a customer", server="post")
LETTER = ToolSpec("track_letter", "Where a letter is", server="post")
OTHER = ToolSpec("x", "y", server="z")


def lacking(text: str, *found: ToolSpec) -> Shift:
    kept = Order(tuple(tool.key for tool in found))
    return Shift(KnownQuery(text, (frozenset({PARCEL.key}),)), kept, kept)


def test_words_of_failing_queries_that_the_tool_lacks_are_proposed_the_commonest_first() -> None:
    failing = [lacking("where is the shipment"), lacking("shipment status"), lacking("the parcel", PARCEL)]
    assert suggestions(PARCEL, failing, [], 5) == [
        Suggestion("shipment", 2),
        Suggestion("status", 1),
        Suggestion("shipment status", 2),
    ]


def test_words_that_the_sibling_lacks_are_proposed_as_far_as_the_queries_have_them() -> None:
    failing = [lacking("track the way of my parcel", LETTER), lacking("customer parcel", LETTER)]
    assert suggestions(PARCEL, failing, [LETTER, OTHER], 5) == [Suggestion("parcel way customer", 2, "track_letter")]


def test_nothing_is_proposed_for_queries_of_other_tools() -> None:
    assert suggestions(OTHER, [lacking("shipment", LETTER)], [LETTER], 5) == []
