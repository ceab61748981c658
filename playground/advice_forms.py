"""The form of the advice on pre-discovered tools: which runs count, and how what they cost is reckoned."""

from django import forms

from playground.review_forms import PeriodForm


class AdviceForm(PeriodForm):
    """`cached` is the price of a token that was sent before, in percent of a new one; `turn` the tokens that a turn counts
    for besides its own. An unknown choice counts as the usual one, which is empty."""

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
    cached = forms.ChoiceField(required=False, choices=CACHED, label="Price of tokens that were sent before")
    turn = forms.ChoiceField(required=False, choices=TURN, label="What is chosen by")

    @property
    def cached_price(self) -> float:
        named = str(self.data.get("cached", ""))
        return int(named) / 100 if named and named in dict(self.CACHED) else 1.0

    @property
    def turn_worth(self) -> float:
        named = str(self.data.get("turn", ""))
        return float(named) if named and named in dict(self.TURN) else 0.0
