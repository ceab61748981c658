"""What people fill in to show a run to others: a note, and a link that ends."""

from datetime import timedelta
from typing import Any

from django import forms

from playground.presenting.notes import MOST_NOTE

LASTING = {
    "1h": ("1 hour", timedelta(hours=1)),
    "1d": ("1 day", timedelta(days=1)),
    "7d": ("7 days", timedelta(days=7)),
    "30d": ("30 days", timedelta(days=30)),
}


class NoteForm(forms.Form):
    """A note at a moment, and what it was when its writer began."""

    seq = forms.IntegerField(min_value=1)
    was = forms.CharField(required=False, strip=False)
    text = forms.CharField(
        required=False,
        max_length=MOST_NOTE,
        error_messages={"max_length": f"A note has {MOST_NOTE:,} characters at most. Nothing was saved."},
    )

    def __init__(self, *args: Any, last_seq: int, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._last_seq = last_seq

    def clean_seq(self) -> int:
        seq: int = self.cleaned_data["seq"]
        if seq > self._last_seq:
            raise forms.ValidationError("The run has no such moment.")
        return seq

    @property
    def problems(self) -> list[str]:
        return [str(problem) for problems in self.errors.values() for problem in problems]


class ShareForm(forms.Form):
    """A link by which the run is looked at without a sign-in."""

    lasting = forms.ChoiceField(
        choices=[(key, words) for key, (words, _) in LASTING.items()], initial="1d", label="It ends after"
    )
    texts = forms.BooleanField(
        required=False,
        label="Arguments and results of calls",
        help_text="They may hold names, addresses and figures of yours.",
    )
    notes = forms.BooleanField(
        required=False, label="The speaker’s notes", help_text="As captions under what they belong to."
    )

    @property
    def for_so_long(self) -> timedelta:
        return LASTING[self.cleaned_data["lasting"]][1]
