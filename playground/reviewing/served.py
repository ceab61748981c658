"""What the calls of meta-tools were for: the tools that they brought into a run and that it went on to call.

A call that loads a tool which was not in view serves it if the tool is called with success later on; so does the last
search before that load which returned it, or, where nothing loads, before the call. A call that brought nothing that was
called is a try: it serves what the next call of a meta-tool serves, unless a tool was called with success in between, and
nothing otherwise.
"""

from collections import defaultdict
from collections.abc import Mapping

from playground.reviewing.trails import Trail

Served = Mapping[str, frozenset[str]]
"""The tools that each call of a meta-tool served, by its id; a call that served none is not there."""


def served_by(trail: Trail) -> Served:
    found: dict[str, set[str]] = defaultdict(set)
    good = [call for call in trail.calls if call.outcome == "ok"]
    in_view = {turn.number: {*turn.start, *turn.loaded} for turn in trail.turns}
    for load in trail.loads:
        for tool in {*load.tools} - in_view.get(load.turn, set()):
            if any(call.key == tool and call.seq > load.seq for call in good):
                found[load.call_id].add(tool)
                if search := trail.behind(load, tool):
                    found[search.call_id].add(tool)
    for call in good:
        is_loaded = any(load.seq < call.seq and call.key in load.tools for load in trail.loads)
        if not is_loaded and (search := trail.behind(call, call.key)):
            found[search.call_id].add(call.key)
    return _with_tries(trail, found)


def serving_turns(trail: Trail, served: Served) -> tuple[frozenset[str] | None, ...]:
    """For each turn the tools that all of it served; None where it did anything else, or served none in part."""
    return tuple(
        frozenset().union(*(served[call] for call in turn.calls))
        if turn.calls and all(call in served for call in turn.calls)
        else None
        for turn in trail.turns
    )


def _with_tries(trail: Trail, found: Mapping[str, set[str]]) -> Served:
    steps = [(one.seq, one.call_id) for one in trail.searches] + [(one.seq, one.call_id) for one in trail.loads]
    steps += [(call.seq, "") for call in trail.calls if call.outcome == "ok"]
    served: dict[str, frozenset[str]] = {}
    following: frozenset[str] = frozenset()
    for _, call_id in sorted(steps, reverse=True):
        following = frozenset(found.get(call_id, ())) or following if call_id else frozenset()
        if following:
            served[call_id] = served.get(call_id, frozenset()) | following
    return served
