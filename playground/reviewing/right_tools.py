"""Which tool a recorded search should have found, and how that is known.

What people judged comes first, then what the task expects, then what the run itself shows.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from playground.reviewing.evidence import Evidence
from playground.reviewing.steps import Call, Search

Source = Literal["judged", "expected", "inferred"]


@dataclass(frozen=True, slots=True)
class Judged:
    """What counts of the judgements of a query, as keys of tools. `no_tool`: none that is here answers it."""

    right: tuple[str, ...] = ()
    wrong: frozenset[str] = frozenset()
    no_tool: bool = False
    by: str = ""
    """Who said it last; empty where that is not known."""


@dataclass(frozen=True, slots=True)
class Right:
    """Any of these tools (keys) would have done; `how` says in words how that is known."""

    tools: tuple[str, ...]
    source: Source
    how: str


Rights = Mapping[int, Right]
"""By the search's `seq`. A search of which it is not known has none."""


def rights_of(evidence: Evidence, judged: Mapping[str, Judged], expected: str = "") -> Rights:
    """`judged` is by words (their digest); `expected` is the one tool (key) that the task expects, if it is just one."""
    found: dict[int, Right] = {}
    for search in evidence.searches:
        said = judged.get(search.words, Judged())
        right = (
            None if said.no_tool else _judged(said) or _expected(expected, said) or _inferred(evidence, search, said)
        )
        if right is not None:
            found[search.seq] = right
    return found


def led_to(evidence: Evidence, search: Search) -> Call | None:
    """The first call that the search led to and that succeeded."""
    return next((call for call in evidence.led_by(search) if call.outcome == "ok"), None)


def answered_by(evidence: Evidence, search: Search) -> tuple[Call, Search] | None:
    """The call that in the end did what the search was for, and the search that had found its tool.

    That is the search itself or, where it led to no call, the next one, in a later turn and alone in it, with no call
    that succeeded in between; or the one after that.
    """
    while (call := led_to(evidence, search)) is None:
        again = _asked_again(evidence, search)
        if again is None:
            return None
        search = again
    return call, search


def _asked_again(evidence: Evidence, search: Search) -> Search | None:
    later = [other for other in evidence.searches if other.turn > search.turn]
    nearest = min((other.turn for other in later), default=0)
    of_turn = [other for other in later if other.turn == nearest]
    if len(of_turn) != 1:
        return None
    between = (call for call in evidence.calls if search.seq < call.seq < of_turn[0].seq)
    return None if any(call.outcome == "ok" for call in between) else of_turn[0]


def _judged(said: Judged) -> Right | None:
    by = f" by {said.by}" if said.by else ""
    return Right(said.right, "judged", f"judged right for these words{by}") if said.right else None


def _expected(expected: str, said: Judged) -> Right | None:
    if not expected or expected in said.wrong:
        return None
    return Right((expected,), "expected", "the one tool that the task expects")


def _inferred(evidence: Evidence, search: Search, said: Judged) -> Right | None:
    answer = answered_by(evidence, search)
    if answer is None or answer[0].key in said.wrong:
        return None
    call, found_by = answer
    if found_by is search:
        how = f"inferred: found by this search, and called with success in turn {call.turn}"
    else:
        how = (
            f"inferred: the search led to no call; the model searched again (“{found_by.query[:80]}”), "
            f"and called what that found with success in turn {call.turn}"
        )
    return Right((call.key,), "inferred", how)
