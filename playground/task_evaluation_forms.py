"""What people fill in to try tasks in several modes, and to go on with trials that are missing."""

from collections.abc import Mapping
from typing import Any

from django import forms

from catalog.editions import DRAFT, PUBLISHED, Edition
from catalog.forms.evaluations import edition_field
from catalog.forms.fields import ContextField
from catalog.indexing import exposure_of
from catalog.models import Catalog
from catalog.publishing.asking import NoSuchVersionError, edition_of
from catalog.sources import sample
from playground.evaluating.tasks import Task, UnreadableTasksError, read_tasks, tasks_text
from playground.evaluating.trials import MOST_TRIALS, Trying
from playground.models import ChatModel
from playground.modes import MODES

MOST_MODES, MOST_REPEATS, USUAL_CAP = 4, 10, 1.0
OWN = "own"
"""As the form names the catalog's own mode."""


class CapForm(forms.Form):
    """Dollars that all trials may cost together."""

    cap = forms.FloatField(
        required=False,
        min_value=0.0001,
        max_value=10_000,
        label="Cap for all trials, in dollars",
        help_text="A trial whose next call could pass it is stopped and counts as not measured. Left empty, nothing is capped.",
        widget=forms.NumberInput(attrs={"step": "any", "inputmode": "decimal"}),
    )


class TaskEvaluationForm(CapForm):
    """Tasks, a catalog's edition, modes and a model. `shown` is what a person was told of the cost."""

    catalog = forms.ModelChoiceField(Catalog.objects.all(), to_field_name="slug", empty_label=None)
    version = edition_field()
    tasks = forms.CharField(
        max_length=200_000,
        help_text="One a line: the task, =>, and the calls that it takes, in any order, with commas between; | stands "
        "between tools of which any will do. Without a tool behind =>, a run that completes is a success.",
        widget=forms.Textarea(attrs={"rows": 12, "spellcheck": "false", "class": "mono"}),
    )
    modes = forms.MultipleChoiceField(
        choices=[(OWN, "The catalog’s own"), *((slug, kind.title) for slug, kind in MODES.items())],
        widget=forms.CheckboxSelectMultiple,
    )
    chat_model = forms.ModelChoiceField(ChatModel.objects.filter(enabled=True), label="Model", empty_label=None)
    repeats = forms.IntegerField(
        min_value=1, max_value=MOST_REPEATS, initial=1, label="Trials of each task in each mode"
    )
    context = ContextField(label="Request context", help_text="What the catalog’s policy is told: role = guest.")
    shown = forms.CharField(required=False, max_length=200, widget=forms.HiddenInput)
    editions = ((PUBLISHED, "what agents get"), (DRAFT, "the draft"))
    field_order = ("catalog", "version", "tasks", "modes", "chat_model", "repeats", "cap", "context", "shown")

    def clean_modes(self) -> list[str]:
        chosen: list[str] = self.cleaned_data["modes"]
        if len(chosen) > MOST_MODES:
            raise forms.ValidationError(f"At most {MOST_MODES} modes are set against each other.")
        return ["" if mode == OWN else mode for mode in chosen]

    def clean(self) -> None:
        catalog, asked = self.cleaned_data.get("catalog"), self.cleaned_data.get("version")
        if catalog is None or asked is None:
            return
        try:
            edition = edition_of(catalog, asked)
        except NoSuchVersionError as problem:
            self.add_error("version", str(problem))
            return
        self._read_tasks(edition)
        if not self.errors:
            self._try(edition)

    @property
    def trying(self) -> Trying:
        """Of a valid form."""
        found: Trying = self.cleaned_data["trying"]
        return found

    def _read_tasks(self, edition: Edition) -> None:
        if "tasks" in self.cleaned_data:
            try:
                self.cleaned_data["tasks"] = read_tasks(self.cleaned_data["tasks"], exposure_of(edition).pool.by_name)
            except UnreadableTasksError as error:
                self.add_error("tasks", error.problems)

    def _try(self, edition: Edition) -> None:
        names = ("tasks", "modes", "chat_model", "repeats", "cap", "context")
        trying = Trying(edition, **{name: self.cleaned_data[name] for name in names})
        if trying.trials > MOST_TRIALS:
            self.add_error("repeats", f"That would be {trying.trials:,} trials; {MOST_TRIALS:,} are the most.")
        self.cleaned_data["trying"] = trying


def initial_of(asked: Mapping[str, str]) -> dict[str, Any]:
    """As the address asks: a `catalog`, else the sample's, with the tasks of the sample that are for it, or that it has the tools for."""
    named = Catalog.objects.filter(slug=asked.get("catalog", "")).first()
    usual = Catalog.objects.filter(slug=sample.tasks()[0].catalog).first()
    catalog = named or usual or Catalog.objects.first()
    if catalog is None:
        return {}
    known = exposure_of(edition_of(catalog, PUBLISHED)).pool.by_name
    fitting = [one for one in sample.tasks() if all(name in known for name in one.expects)]
    own = [one for one in fitting if one.catalog == catalog.slug] or fitting
    tasks = {one.task: Task(one.task, tuple((name,) for name in one.expects)) for one in own}
    modes = [OWN, *([] if catalog.mode == "everything" else ["everything"])]
    model = ChatModel.objects.filter(enabled=True).first()
    made = {"catalog": catalog.slug, "version": PUBLISHED, "tasks": tasks_text(tasks.values()), "modes": modes}
    return {**made, "chat_model": model and model.pk, "repeats": 1, "cap": USUAL_CAP}
