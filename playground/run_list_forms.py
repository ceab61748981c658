"""The forms of the runs page: its filters, and what to do with the runs that are selected."""

from typing import Any
from uuid import UUID

from django import forms
from django.contrib.auth.models import User
from django.db.models import Exists, OuterRef
from django.http import QueryDict

from catalog.models import Catalog
from playground.models import ChatModel, Run
from playground.models.run import RunQuerySet
from playground.modes import MODES
from playground.reporting.counted import begun_in
from playground.runs.narrowing import DEEDS, FINDINGS, that_asked, that_did
from playground.runs.tagging import tag_named, tag_names
from playground.runs.waiting import held_runs

HELD = "held"
"""Stands among the statuses for running runs of which a call waits for a person."""


def tag_choices() -> list[tuple[str, str]]:
    return [("", "Any tag"), *((name, name) for name in tag_names())]


FOLDED = ("mode", "model", "by", "tag", "nested", "since", "until", "did", "tool", "query")


class RunFilterForm(forms.Form):
    """The filters of the runs page; every one is in its address."""

    q = forms.CharField(required=False, label="Words of the task", max_length=200)
    status = forms.ChoiceField(
        required=False, choices=[("", "Any status"), *Run.Status.choices, (HELD, "Waits for a person")]
    )
    catalog = forms.ModelChoiceField(
        Catalog.objects.all(), required=False, to_field_name="slug", empty_label="All catalogs"
    )
    mode = forms.ChoiceField(
        required=False, choices=[("", "All modes"), *((slug, kind.title) for slug, kind in MODES.items())]
    )
    model = forms.ModelChoiceField(ChatModel.objects.all(), required=False, empty_label="All models")
    by = forms.ModelChoiceField(
        User.objects.filter(Exists(Run.objects.filter(by=OuterRef("pk")))),
        required=False,
        to_field_name="username",
        label="Started by",
        empty_label="Everyone",
    )
    tag = forms.ChoiceField(required=False, choices=tag_choices)
    nested = forms.ChoiceField(
        required=False,
        choices=[
            ("", "All but nested"),
            ("only", "Nested only"),
            ("imported", "Imported only"),
            ("own", "Executed here, not nested"),
            ("here", "Executed here"),
            ("all", "All runs"),
        ],
        label="Which runs",
    )
    since = forms.DateField(required=False, label="Begun since", widget=forms.DateInput(attrs={"type": "date"}))
    until = forms.DateField(required=False, label="Begun until", widget=forms.DateInput(attrs={"type": "date"}))
    did = forms.ChoiceField(
        required=False, choices=[("", "Whatever they did"), *DEEDS.items(), *FINDINGS.items()], label="What they did"
    )
    tool = forms.CharField(required=False, label="To which tool", max_length=250)
    query = forms.CharField(required=False, label="Searched exactly for", max_length=10_000, strip=False)

    @property
    def folded(self) -> list[forms.BoundField]:
        """The filters behind the first ones."""
        return [self[name] for name in FOLDED]

    @property
    def narrowing(self) -> int:
        """How many of those are set."""
        return sum(bool(field.value()) for field in self.folded)

    def runs(self) -> RunQuerySet:
        """What a valid form asks for, else none."""
        if not self.is_valid():
            return Run.objects.none()
        wanted = self.cleaned_data
        runs: RunQuerySet = Run.objects.all()
        if wanted["nested"] == "":
            runs = runs.top_level()
        elif wanted["nested"] == "only":
            runs = runs.exclude(parent=None)
        elif wanted["nested"] == "imported":
            runs = runs.top_level().exclude(imported_from="")
        elif wanted["nested"] == "own":
            runs = runs.top_level().own()
        elif wanted["nested"] == "here":
            runs = runs.own()
        if wanted["mode"]:
            runs = runs.in_mode(wanted["mode"])
        if wanted["status"] == HELD:
            runs = runs.filter(pk__in=held_runs())
            wanted["status"] = ""
        asked = {"status": "status", "catalog": "catalog", "chat_model": "model", "by": "by", "tags__name": "tag"}
        runs = runs.filter(**{column: wanted[name] for column, name in asked.items() if wanted[name]})
        for word in wanted["q"].split():
            runs = runs.filter(task__icontains=word)
        return self._by_what_happened(begun_in(runs, wanted["since"], wanted["until"]))

    def _by_what_happened(self, runs: RunQuerySet) -> RunQuerySet:
        """A tool alone asks for the runs that called it."""
        wanted = self.cleaned_data
        if wanted["did"] or wanted["tool"]:
            runs = that_did(runs, wanted["did"] or "called", wanted["tool"])
        return that_asked(runs, wanted["query"]) if wanted["query"] else runs


class SelectedRunsForm(forms.Form):
    """Runs by their keys, or all those of a list by its address."""

    all = forms.BooleanField(required=False)
    query = forms.CharField(required=False, max_length=2_000)

    def __init__(self, data: QueryDict) -> None:
        super().__init__(data)
        self._keys = data.getlist("selected")

    def clean(self) -> dict[str, Any]:
        said: dict[str, Any] = self.cleaned_data
        if said.get("all"):
            said["runs"] = list(RunFilterForm(QueryDict(said["query"])).runs().values_list("pk", flat=True))
        else:
            said["runs"] = [key for text in self._keys if (key := _uuid(text))]
        if not said["runs"]:
            raise forms.ValidationError("Select runs first.")
        return said


class TagForm(SelectedRunsForm):
    """A tag to put on the selected runs, or to take off them."""

    tag = forms.CharField(max_length=100)

    def clean_tag(self) -> str:
        try:
            return tag_named(self.cleaned_data["tag"])
        except ValueError as problem:
            raise forms.ValidationError(str(problem)) from None


def _uuid(text: str) -> UUID | None:
    try:
        return UUID(text)
    except ValueError:
        return None
