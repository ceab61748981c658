"""The forms of reviewing: which findings and queries are shown, what is judged, and what is asked again."""

from datetime import datetime, timedelta

from django import forms
from django.utils import timezone

from catalog.editions import DRAFT
from catalog.models import Catalog, Judgement
from playground.models import RunFinding
from playground.reporting.period import Period
from playground.reviewing.rules import RULES

PERIODS = [("7", "Last 7 days"), ("", "Last 30 days"), ("90", "Last 90 days"), ("all", "All time")]
STANDARD_PERIOD = 30
"""Days, where the address names none."""
LONGEST_QUERY = 10_000


class PeriodForm(forms.Form):
    """A catalog and a period; an unknown one counts as the usual one."""

    days = forms.ChoiceField(required=False, choices=PERIODS, label="Period")

    @property
    def chosen_days(self) -> str:
        named = str(self.data.get("days", ""))
        return named if named in dict(PERIODS) else ""

    @property
    def since(self) -> datetime | None:
        """The beginning of a day, as lists of runs count from one."""
        days = self.chosen_days
        if days == "all":
            return None
        midnight = timezone.localtime().replace(hour=0, minute=0, second=0, microsecond=0)
        return midnight - timedelta(days=int(days or STANDARD_PERIOD))

    @property
    def period(self) -> str:
        """In words, within a sentence."""
        days = self.chosen_days
        return "all time" if days == "all" else f"the last {days or STANDARD_PERIOD} days"


class FindingsForm(PeriodForm):
    """The filters of the page of findings. `subject` asks for the findings of one group, one by one.

    With a catalog, `since_day` and `until_day` ask for those of the runs that its report of these days counts.
    """

    catalog = forms.ModelChoiceField(
        Catalog.objects.all(), required=False, to_field_name="slug", empty_label="All catalogs"
    )
    source = forms.ChoiceField(
        required=False, choices=[("", "However the right tool is known"), *RunFinding.Source.choices]
    )
    rule = forms.ChoiceField(
        required=False, choices=[("", "All rules"), *((slug, rule.title) for slug, rule in RULES.items())]
    )
    subject = forms.CharField(required=False, max_length=200, strip=False)
    since_day = forms.DateField(required=False)
    until_day = forms.DateField(required=False)

    @property
    def reported(self) -> Period | None:
        """The days of a report, of a valid form."""
        first, last = (self.cleaned_data.get(name) for name in ("since_day", "until_day"))
        return Period(first, last) if self.cleaned_data.get("catalog") and first and last and first <= last else None


class QueueForm(PeriodForm):
    """Which recorded queries are listed, and in what order. `q` is the words that are open, `shuffle` a seed for their hits."""

    WHICH = [
        ("", "No right tool yet"),
        ("unjudged", "Hits not judged"),
        ("differ", "People differ"),
        ("mine", "Judged by me"),
        ("all", "All"),
    ]
    ORDER = [("", "Went wrong most"), ("often", "Asked most"), ("new", "Asked last")]
    which = forms.ChoiceField(required=False, choices=WHICH, label="Which")
    order = forms.ChoiceField(required=False, choices=ORDER, label="Order")
    q = forms.CharField(required=False, max_length=16)
    shuffle = forms.CharField(required=False, max_length=12)
    find = forms.CharField(required=False, max_length=200)

    def asked(self, name: str) -> str:
        """What the address says, or nothing where that is no choice."""
        self.is_valid()
        return str(self.cleaned_data.get(name, ""))


class JudgeForm(forms.Form):
    """One person's word on a tool (`server/name`, empty for no tool) for the words of a query; without a verdict it is taken back."""

    catalog = forms.ModelChoiceField(Catalog.objects.all(), to_field_name="slug")
    query = forms.CharField(max_length=LONGEST_QUERY, strip=False)
    tool = forms.CharField(required=False, max_length=241)
    verdict = forms.ChoiceField(required=False, choices=[("", "Take back"), *Judgement.Verdict.choices])

    def clean(self) -> dict[str, object]:
        said = self.cleaned_data
        if bool(said.get("tool")) == (said.get("verdict") == Judgement.Verdict.NO_TOOL) and said.get("verdict"):
            raise forms.ValidationError("A verdict is on a tool, but for “no such tool”.")
        if said.get("tool") and "/" not in said["tool"]:
            raise forms.ValidationError("A tool is named as server/name.")
        return said


class AskAgainForm(PeriodForm):
    """Which searches are asked again, and of what."""

    version = forms.CharField(required=False, max_length=12, initial=DRAFT)

    @property
    def chosen_edition(self) -> str:
        return str(self.data.get("version") or DRAFT)
