"""Showing a run: figures in short, JSON as one line or many, and the bars of its token chart."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import floor, log10
from typing import Any
from uuid import UUID

from django.template import Library

from catalog.invisible import spans
from catalog.policy import as_text
from catalog.policy_text import context_text
from playground.foreign.formats import READERS
from playground.models import Run
from playground.reviewing.rules import RULES
from playground.runs.board import Meter, Peg, TurnTokens
from playground.runs.unfolding import NestedRun

register = Library()

MOST_GIST = 180
MOST_LABELS = 12
LEAST_SLOTS = 8
"""Turns that the chart has room for even if there are fewer, so that its bars keep their shape."""
CHART_HEIGHT = 40.0
LEAST_BAR = 0.8
"""Of CHART_HEIGHT, so that a bar can be seen."""


@dataclass(frozen=True, slots=True)
class Bar:
    """A turn's bar: its messages below, its tools on them, of which `kept` were in view the turn before.

    `x` is its left edge; `all_y` is where the bar would end with every tool of the catalog.
    """

    turn: TurnTokens
    x: float
    messages: float
    tools: float
    kept: float
    all_y: float
    is_labelled: bool

    @property
    def top(self) -> float:
        return round(CHART_HEIGHT - self.messages - self.tools, 2)

    @property
    def added(self) -> float:
        return round(self.tools - self.kept, 2)

    @property
    def kept_top(self) -> float:
        return round(CHART_HEIGHT - self.messages - self.kept, 2)

    @property
    def messages_top(self) -> float:
        return round(CHART_HEIGHT - self.messages, 2)

    @property
    def right(self) -> float:
        return self.x + 10

    @property
    def tokens(self) -> int:
        return self.turn.tokens + self.turn.messages


@register.filter
def short(number: int) -> str:
    """58,214 as 58.2k."""
    if abs(number) < 1_000:
        return str(number)
    return f"{number / 1_000:.1f}k" if abs(number) < 999_950 else f"{number / 1_000_000:.1f}M"


@register.filter
def as_condition(value: object) -> str:
    """A value of a request's context, as a rule's condition writes it."""
    return as_text(value)


@register.filter
def as_context(context: Mapping[str, Any]) -> str:
    """A request's context as a person writes it."""
    return context_text(context)


@register.filter
def dollars(amount: float) -> str:
    """Less than a dollar with two digits that count: $1.20, $0.034, $0.00056."""
    digits = 1 - floor(log10(amount)) if amount else 0
    return f"${amount:,.{max(2, digits)}f}" if amount else "$0"


@register.filter
def log_title(kind: str) -> str:
    """What kind of log an imported run is from."""
    return READERS[kind].title if kind in READERS else kind


@register.filter
def after_start(seconds: float | None) -> str:
    """When something was, in words; a log that was imported may not tell."""
    return "When this was is not in the log" if seconds is None else f"{duration(seconds)} after the start"


@register.filter
def duration(seconds: float | None) -> str:
    if seconds is None:
        return "–"
    if seconds < 0.0005:
        return "<1 ms"
    if seconds < 1:
        return f"{seconds * 1_000:.0f} ms"
    if seconds < 60:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(seconds, 60)
    return f"{minutes:.0f} min {rest:.0f} s" if rest else f"{minutes:.0f} min"


@register.filter
def lasted(run: Run) -> float | None:
    """Seconds that a run took, from its start to its end."""
    return (run.ended_at - run.created_at).total_seconds() if run.ended_at else None


@register.filter
def indented(text: str) -> str:
    """JSON text laid out in lines; other text as it is."""
    try:
        return json.dumps(json.loads(text), indent=2, ensure_ascii=False)
    except (ValueError, RecursionError):
        return text


@register.filter
def gist(text: str) -> str:
    """The text in one line: JSON without its line breaks, of other text the first line that says something."""
    try:
        line = json.dumps(json.loads(text), ensure_ascii=False)
    except (ValueError, RecursionError):
        line = next((line.strip() for line in text.splitlines() if line.strip()), "")
    return line if len(line) <= MOST_GIST else line[: MOST_GIST - 1] + "…"


@register.filter
def editable(text: str) -> str:
    """JSON text laid out for a field, characters that nobody can see as JSON writes them: \\u202e."""
    return "".join(json.dumps(span.text)[1:-1] if span.codepoint else span.text for span in spans(indented(text)))


@register.filter
def decide_address(base: str, seq: int) -> str:
    """Where the call held by that event of a run is decided; `base` is the run's address, empty on its own page."""
    return f"{base}held/{seq}/decide/"


@register.filter
def run_of(nested: Mapping[UUID, NestedRun] | str, run_id: UUID) -> NestedRun | None:
    """The nested run of that id; none where nothing was read of any, as in a frame of a live page."""
    return nested.get(run_id) if isinstance(nested, Mapping) else None


@register.filter
def note_at(notes: Mapping[int, str], seq: int) -> str:
    """The note of the moment; empty where there is none."""
    return notes.get(seq, "")


@register.filter
def in_view(pegs: Iterable[Peg]) -> int:
    return sum(not peg.is_dropped for peg in pegs)


@register.filter
def bars(meter: Meter) -> list[Bar]:
    """A bar for each turn, ten wide, on one scale with what sending every tool would take."""
    wholes = (turn.messages + max(turn.tokens, meter.tokens_all) for turn in meter.turns)
    scale = CHART_HEIGHT / (max(wholes, default=0) or 1)
    every = -(-len(meter.turns) // MOST_LABELS)
    found = []
    before = 0
    for place, turn in enumerate(meter.turns):
        tools = max(turn.tokens * scale, LEAST_BAR if turn.tokens else 0.0)
        kept = tools if before == turn.tokens else min(before, turn.tokens) * scale
        messages = turn.messages * scale
        all_y = CHART_HEIGHT - messages - meter.tokens_all * scale
        m, t, k, y = (round(size, 2) for size in (messages, tools, kept, all_y))
        found.append(Bar(turn, place * 10, messages=m, tools=t, kept=k, all_y=y, is_labelled=place % every == 0))
        before = turn.tokens
    return found


@register.filter
def slots(meter: Meter) -> int:
    return max(len(meter.turns), LEAST_SLOTS)


@register.filter
def empty_slots(meter: Meter) -> range:
    return range(slots(meter) - len(meter.turns))


@register.filter
def times_ten(number: int) -> int:
    return number * 10


@register.filter
def times(number: int) -> range:
    """Something to loop over so many times."""
    return range(number)


@register.filter
def rule_title(slug: str) -> str:
    """What a rule of findings is called."""
    return RULES[slug].title if slug in RULES else slug
