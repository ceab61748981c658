"""What a recorded run would have cost with another list of pre-discovered tools, read off its record.

docs/pin-advisor.md tells the reckoning in words, with an example.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass

from playground.reviewing.served import served_by, serving_turns
from playground.reviewing.steps import Load
from playground.reviewing.trails import Trail, Turn


@dataclass(frozen=True, slots=True)
class Assumed:
    """What the records do not tell. `cached` is the price of a token that was sent before, 1 being that of a new one;
    `search_turns` the turns that it takes to find a tool which was in view from the start, and would not be.
    """

    cached: float = 1.0
    search_turns: float = 1.0


@dataclass(frozen=True, slots=True)
class Cost:
    """Of one run: tokens of its prompts (estimated; those sent before at their price), and turns.

    `each` is how often a tool in view from the start is paid for: its tokens count so many times.
    """

    tokens: float
    turns: float
    each: float


@dataclass(frozen=True, slots=True)
class Prompt:
    """A turn's prompt as recorded, and what of it depends on the list. `leaves` are the tokens of messages that its turn left
    to later prompts; `fresh` are those of `tokens` that were not sent before.
    """

    tokens: int
    fresh: int
    leaves: int
    serves: frozenset[str] | None
    """The tools without whose search the turn would not have been; None where it would have been."""
    here: frozenset[str]
    """The tools in view that a list may have."""
    start: tuple[tuple[str, int], ...]
    """Those in view from the start that no turn before it, nor it, called with success; with their tokens."""
    loaded: tuple[tuple[str, int, tuple[int, ...]], ...]
    """Those that were loaded, with their tokens and the places (from 0) of the turns that loaded them before."""
    called: tuple[str, ...]
    """Those in view from the start that it was the first to call with success."""


@dataclass(frozen=True, slots=True)
class PinnedRun:
    """`touches` are the tools whose being pinned changes more of the run than the price of their own definitions."""

    prompts: tuple[Prompt, ...]
    touches: frozenset[str]

    @classmethod
    def of(cls, trail: Trail) -> "PinnedRun":
        places = {turn.number: place for place, turn in enumerate(trail.turns)}
        first: dict[str, int] = {}
        for call in trail.calls:
            if call.outcome == "ok" and call.turn in places:
                first.setdefault(call.key, places[call.turn])
        loads = _loads(trail.loads, places)
        serves = serving_turns(trail, served_by(trail))
        prompts = tuple(_prompt(trail.turns, place, serves[place], first, loads) for place in range(len(trail.turns)))
        return cls(prompts, frozenset(first).union(*(prompt.here for prompt in prompts)))

    def with_pins(self, pins: Set[str], assumed: Assumed, prices: Mapping[str, int]) -> Cost:
        """`prices` are the tokens of tools; pins that are none of `touches` are not in it: each costs its tokens `each` times."""
        extra = {tool: prices[tool] for tool in pins & self.touches}
        gone = [prompt.serves is not None and prompt.serves <= pins for prompt in self.prompts]
        tokens = turns = each = 0.0
        saved = 0
        lead: int | None = None
        for place, prompt in enumerate(self.prompts):
            if gone[place]:
                saved += prompt.leaves
                lead = prompt.fresh if lead is None else lead
                continue
            whole = max(0, prompt.tokens - saved - _not_there(prompt, pins, gone))
            fresh = whole if not turns else min(whole, prompt.fresh if lead is None else lead)
            again = assumed.cached if turns else 1.0
            pinned = sum(price for tool, price in extra.items() if tool not in prompt.here)
            times = 1 + assumed.search_turns * sum(tool not in pins for tool in prompt.called)
            tokens += times * (fresh + assumed.cached * (whole - fresh) + again * pinned)
            turns += times
            each += times * again
            lead = None
        return Cost(tokens, turns, each)


def search_turns_of(runs: Sequence[PinnedRun]) -> float | None:
    """Turns that finding a tool takes on average: those that did nothing else, for each tool that they served in a run."""
    serving = [[prompt.serves for prompt in run.prompts if prompt.serves] for run in runs]
    found = sum(len(frozenset().union(*of_run)) for of_run in serving)
    return sum(map(len, serving)) / found if found else None


def _prompt(
    turns: Sequence[Turn],
    place: int,
    serves: frozenset[str] | None,
    first: Mapping[str, int],
    loads: Mapping[str, Sequence[int]],
) -> Prompt:
    turn, start = turns[place], turns[0].start
    later = turns[place + 1 : place + 2]
    return Prompt(
        tokens=turn.tools + turn.messages,
        fresh=turn.fresh,
        leaves=max(0, later[0].messages - turn.messages) if later else 0,
        serves=serves,
        here=frozenset((*turn.start, *turn.loaded)),
        start=tuple((tool, tokens) for tool, tokens in turn.start.items() if first.get(tool, place + 1) > place),
        loaded=tuple(_loaded(turn.loaded, place, loads)),
        called=tuple(tool for tool, at in first.items() if at == place and tool in start),
    )


def _loaded(
    tools: Mapping[str, int], place: int, loads: Mapping[str, Sequence[int]]
) -> Iterator[tuple[str, int, tuple[int, ...]]]:
    for tool, tokens in tools.items():
        if before := tuple(at for at in loads.get(tool, ()) if at < place):
            yield tool, tokens, before


def _loads(loads: Iterable[Load], places: Mapping[int, int]) -> Mapping[str, Sequence[int]]:
    """The places of the turns that loaded each tool, again where it was loaded already."""
    found: dict[str, list[int]] = {}
    for load in loads:
        for tool in load.tools:
            found.setdefault(tool, []).append(places.get(load.turn, 0))
    return found


def _not_there(prompt: Prompt, pins: Set[str], gone: Sequence[bool]) -> int:
    """Tokens of recorded tools that would not be in the prompt."""
    tokens = sum(tokens for tool, tokens in prompt.start if tool not in pins)
    if True in gone:
        for tool, price, loads in prompt.loaded:
            if tool not in pins and all(gone[at] for at in loads):
                tokens += price
    return tokens
