"""Showing slides: which template tells a step, what a peg is on which slide, and texts that stay within a page's size."""

from collections.abc import Mapping
from uuid import UUID

from django.template import Library

from playground.presenting.course import Course
from playground.presenting.deck import Slide
from playground.presenting.deck_board import DeckPeg
from playground.runs.board import PegState
from playground.runs.steps import Step

register = Library()

MOST_TEXT = 6_000
"""Characters of an argument or a result on a slide: more nobody reads from a wall."""


@register.filter
def slide_template(step: Step) -> str:
    return f"playground/present/slides/{step.kind}.html"


@register.filter
def state_on(peg: DeckPeg, slide: Slide | None) -> PegState | None:
    return peg.state_at(slide.number) if slide else None


@register.filter
def as_class(state: PegState) -> str:
    return state.replace(" ", "-")


@register.filter
def course_of(nested: Mapping[UUID, Course], run_id: UUID) -> Course | None:
    """What the nested run of that id did, where that is shown."""
    return nested.get(run_id)


@register.filter
def changes(peg: DeckPeg) -> str:
    """`3:new 5:in-view 8:called`, as deck.js reads it."""
    return " ".join(f"{number}:{as_class(state)}" for number, state in peg.changes)


@register.filter
def bounded(text: str) -> str:
    """The text up to MOST_TEXT characters, saying how many more there are."""
    return text if len(text) <= MOST_TEXT else f"{text[:MOST_TEXT]}\n… and {len(text) - MOST_TEXT:,} more characters"


@register.filter
def share_of(score: float, best: float) -> int:
    """Of a hundred, against the best; 0 where that says nothing."""
    return round(100 * min(max(score / best, 0.0), 1.0)) if best > 0 else 0
