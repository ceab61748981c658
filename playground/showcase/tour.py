"""The tour: a run of the demo model that ships with the product, a caption for each of some of its moments."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any, Literal

from playground.agent.events import OfferMade, SearchAnswered
from playground.runs.state import Recorded, RunState, state_of
from playground.runs.stored import from_row

FOLDER = Path(__file__).parent
RECORDING = FOLDER / "tour-run.json"
"""A run as the product exports it (docs/run-json.md); `make tour` records it anew."""
Part = Literal["step", "hits", "meter", "board", "chart"]


@dataclass(frozen=True, slots=True)
class Script:
    """What the tour is about: `task` was recorded on the sample catalog `catalog`, `suggested` is one to try."""

    catalog: str
    task: str
    suggested: str
    captions: tuple[dict[str, Any], ...]


@dataclass(frozen=True, slots=True)
class Stop:
    """The recorded run after the event `seq`, and what is said of one `part` of its page.

    `arriving` are the tools that came into view since the stop before.
    """

    number: int
    seq: int
    part: Part
    title: str
    text: str
    state: RunState
    arriving: tuple[str, ...]

    @property
    def here(self) -> int | None:
        """The step of the run that it is about."""
        return self.state.steps[-1].seq if self.part in ("step", "hits") else None


@cache
def script() -> Script:
    told = json.loads((FOLDER / "tour.json").read_text(encoding="utf-8"))
    return Script(told["catalog"], told["task"], told["try"], tuple(told["captions"]))


@cache
def recording() -> tuple[Recorded, ...]:
    document = json.loads(RECORDING.read_text(encoding="utf-8"))
    return tuple(_recorded(**event) for event in document["events"])


@cache
def stops() -> tuple[Stop, ...]:
    return tuple(_stops(recording()))


def stop_at(seq: int) -> Stop:
    """The last one that the run has come to by that event; before the first, the first."""
    return next((stop for stop in reversed(stops()) if stop.seq <= seq), stops()[0])


def _recorded(seq: int, at: str, kind: str, **body: Any) -> Recorded:
    return Recorded(seq, datetime.fromisoformat(at), from_row(kind, body))


def _stops(events: Sequence[Recorded]) -> Iterator[Stop]:
    known: set[str] = set()
    for number, caption in enumerate(script().captions, start=1):
        seq = _seq_of(events, *caption["after"])
        state = state_of(events[:seq])
        text = caption["text"].format_map(_figures(events[:seq], state))
        names = {peg.name for peg in state.board.pegs()}
        arriving = tuple(sorted(names - known)) if known else ()
        yield Stop(number, seq, caption["part"], caption["title"], text, state, arriving)
        known |= names


def _seq_of(events: Sequence[Recorded], kind: str, nth: int) -> int:
    """The number of the event that is the nth of its kind. Raises IndexError where there are fewer."""
    return [seq for seq, _, event in events if event.kind == kind][nth - 1]


def _figures(events: Sequence[Recorded], state: RunState) -> dict[str, str]:
    """What captions may name, as the run stands there; tokens are estimates."""
    meter = state.meter
    counts = {
        "tools_all": meter.tools_all,
        "in_view": meter.in_view,
        "meta_in_view": meter.meta_in_view,
        "tokens": meter.tokens,
        "tokens_all": meter.tokens_all,
        "turns": len(meter.turns),
        "sent": sum(turn.tokens for turn in meter.turns),
        "sent_all": meter.tokens_all * len(meter.turns),
    }
    return {**{name: f"{count:,}" for name, count in counts.items()}, **_told(events)}


def _told(events: Sequence[Recorded]) -> dict[str, str]:
    """Of the last search, and of what the last offer added."""
    told: dict[str, str] = {}
    for _, _, event in events:
        match event:
            case SearchAnswered(query=query, matched=matched, searched=searched):
                told |= {"query": query, "matched": f"{matched:,}", "searched": f"{searched:,}"}
            case OfferMade(tools=tools, added=added):
                tokens = sum(tool.tokens for tool in tools if tool.name in added)
                told |= {"added": ", ".join(added), "added_tokens": f"{tokens:,}"}
    return told
