"""The forms of pages over recorded runs: a catalog, a period, and how the cost of a pre-discovered list is reckoned."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import ClassVar

from django import forms
from django.utils import timezone

PERIODS = [("7", "Last 7 days"), ("", "Last 30 days"), ("90", "Last 90 days"), ("all", "All time")]
STANDARD_PERIOD = 30
"""Days, where the address names none."""


class PeriodForm(forms.Form):
    """An unknown choice counts as the usual one, which is empty."""

    CHOICES: ClassVar[Mapping[str, Sequence[tuple[str, str]]]] = {"days": PERIODS}
    days = forms.ChoiceField(required=False, choices=PERIODS, label="Period")

    def chosen(self, name: str) -> str:
        named = str(self.data.get(name, ""))
        return named if named in dict(self.CHOICES[name]) else ""

    @property
    def since(self) -> datetime | None:
        days = self.chosen("days")
        return None if days == "all" else timezone.now() - timedelta(days=int(days or STANDARD_PERIOD))

    @property
    def period(self) -> str:
        """In words, within a sentence."""
        days = self.chosen("days")
        return "all time" if days == "all" else f"the last {days or STANDARD_PERIOD} days"


class AdviceForm(PeriodForm):
    """`cached` is the price of a token that was sent before, in percent of a new one; `turn` the tokens that a turn counts
    for besides its own."""

    CACHED = [
        ("", "Every token at full price"),
        ("50", "Cached prefix at 50 %"),
        ("25", "Cached prefix at 25 %"),
        ("10", "Cached prefix at 10 %"),
    ]
    TURN = [
        ("", "Fewest tokens"),
        ("500", "A turn counts 500 tokens more"),
        ("2000", "A turn counts 2,000 tokens more"),
    ]
    CHOICES: ClassVar[Mapping[str, Sequence[tuple[str, str]]]] = {"days": PERIODS, "cached": CACHED, "turn": TURN}
    cached = forms.ChoiceField(required=False, choices=CACHED, label="Price of tokens that were sent before")
    turn = forms.ChoiceField(required=False, choices=TURN, label="What is chosen by")

    @property
    def cached_price(self) -> float:
        return int(self.chosen("cached") or 100) / 100

    @property
    def turn_worth(self) -> float:
        return float(self.chosen("turn") or 0)
