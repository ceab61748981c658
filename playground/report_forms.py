"""The choices of a report's pages; every one is in the address."""

from datetime import date
from typing import Any

from django import forms
from django.utils import timezone

from playground.reporting.period import Period, last_days

DAYS = (7, 30, 90)
USUAL = 30
MOST_DAYS = 3_660


class PeriodForm(forms.Form):
    """`days` up to today, or the days from `since` until `until`; what cannot be read leaves the usual period."""

    days = forms.TypedChoiceField(required=False, coerce=int, choices=[(days, f"{days} days") for days in DAYS])
    since = forms.DateField(required=False, label="From", widget=forms.DateInput(attrs={"type": "date"}))
    until = forms.DateField(required=False, label="To", widget=forms.DateInput(attrs={"type": "date"}))

    def clean(self) -> dict[str, Any]:
        said: dict[str, Any] = self.cleaned_data
        since, until = said.get("since"), said.get("until")
        if since and until and since > until:
            raise forms.ValidationError("The first day comes after the last one.")
        if since and ((until or timezone.localdate()) - since).days >= MOST_DAYS:
            raise forms.ValidationError(f"A report goes over {MOST_DAYS:,} days at most.")
        return said

    @property
    def period(self) -> Period:
        today = timezone.localdate()
        said = self.cleaned_data if self.is_valid() else {}
        if since := said.get("since"):
            return Period(since, max(said.get("until") or today, since))
        return last_days(said.get("days") or USUAL, said.get("until") or today)

    @property
    def chosen_days(self) -> int:
        """The button that is pressed; 0 where other days were chosen."""
        said = self.cleaned_data if self.is_valid() else {}
        today: date = timezone.localdate()
        period = self.period
        return period.days if period.until == today and period.days in DAYS and not said.get("until") else 0


class SearchesForm(PeriodForm):
    led = forms.ChoiceField(
        required=False,
        choices=[("", "All"), ("called", "Led to a call"), ("nowhere", "Led nowhere"), ("empty", "Found nothing")],
    )
    tool = forms.CharField(required=False, max_length=250)
    query = forms.CharField(required=False, strip=False)
    """The searches for exactly this text, one by one."""


class ToolsForm(PeriodForm):
    which = forms.ChoiceField(
        required=False,
        choices=[
            ("", "All"),
            ("called", "Called"),
            ("wrong", "Calls went wrong"),
            ("weight", "In view, not called"),
            ("unused", "Not called"),
        ],
    )
