"""The forms of evaluations: what is measured, two to compare, and a note on one."""

from collections.abc import Iterator

from django import forms

from catalog.editions import DRAFT, PUBLISHED, Edition
from catalog.evaluating.changes import KINDS
from catalog.evaluating.metrics import METRICS
from catalog.forms.engine_settings import asked_settings
from catalog.forms.fields import LinesField
from catalog.models import Catalog, Evaluation, Suite
from catalog.publishing.asking import NoSuchVersionError, edition_of
from catalog.search import ENGINES
from catalog.search.choosing import ChosenEngine


def edition_field() -> forms.CharField:
    """What is measured of a catalog, with the editions that it has to choose from."""
    return forms.CharField(
        label="Version",
        initial=PUBLISHED,
        max_length=9,
        help_text="published, draft, or the number of a version.",
        widget=forms.TextInput(attrs={"list": "editions", "autocomplete": "off"}),
    )


class EvaluationForm(forms.Form):
    """A suite, an edition of a catalog, and engines with what is changed of their settings."""

    suite = forms.ModelChoiceField(Suite.objects.all(), to_field_name="slug")
    catalog = forms.ModelChoiceField(Catalog.objects.all(), to_field_name="slug")
    version = edition_field()
    engines = forms.MultipleChoiceField(
        choices=[(slug, kind.title) for slug, kind in ENGINES.items()], widget=forms.CheckboxSelectMultiple
    )
    settings = LinesField(
        required=False,
        label="Settings",
        help_text="What differs from the defaults, one a line: mastra.min_score = 0.5. The engine that the catalog asks "
        "begins with the catalog’s settings.",
    )
    editions = ((PUBLISHED, "what agents get"), (DRAFT, "the draft"))

    def clean(self) -> None:
        catalog = self.cleaned_data.get("catalog")
        if catalog is None or "version" not in self.cleaned_data:
            return
        try:
            self.cleaned_data["edition"] = edition_of(catalog, self.cleaned_data["version"])
        except NoSuchVersionError as error:
            self.add_error("version", str(error))
            return
        self._read_settings(self.cleaned_data["edition"])

    @property
    def chosen(self) -> list[ChosenEngine]:
        """The engines as they are asked."""
        chosen: list[ChosenEngine] = self.cleaned_data["chosen"]
        return chosen

    def _read_settings(self, edition: Edition) -> None:
        address = dict(self._settings())
        asked = self.cleaned_data.get("engines") or []
        for name in address:
            if name.partition(".")[0] not in asked:
                self.add_error("settings", f"{name}: no engine of that name is chosen.")
        rows = [
            asked_settings(slug, edition.engine_settings if edition.engine == slug else {}, address) for slug in asked
        ]
        for row in rows:
            for name, problem in row.problems.items():
                self.add_error("settings", f"{name}: {problem}")
        self.cleaned_data["chosen"] = [row.chosen for row in rows]

    def _settings(self) -> Iterator[tuple[str, str]]:
        for line in self.cleaned_data.get("settings") or []:
            name, equals, value = (part.strip() for part in line.partition("="))
            if not equals or "." not in name or not value:
                self.add_error("settings", f"{line[:80]}: write engine.setting = value.")
            else:
                yield name, value


class EvaluationFilterForm(forms.Form):
    """Which evaluations are listed."""

    suite = forms.ModelChoiceField(Suite.objects.all(), required=False, to_field_name="slug", empty_label="All suites")
    engine = forms.ChoiceField(
        required=False, choices=[("", "All engines"), *((slug, kind.title) for slug, kind in ENGINES.items())]
    )


class MetricForm(forms.Form):
    """The metric that a page leads with."""

    metric = forms.ChoiceField(required=False, choices=[(name, name) for name in METRICS])

    @property
    def chosen(self) -> str:
        return (self.cleaned_data.get("metric") if self.is_valid() else "") or METRICS[0]


class PairForm(forms.Form):
    """Two evaluations that are done, and which of their queries are listed: those of a kind, or whose figure differs."""

    a = forms.ModelChoiceField(Evaluation.objects.filter(state=Evaluation.State.DONE))
    b = forms.ModelChoiceField(Evaluation.objects.filter(state=Evaluation.State.DONE))
    kind = forms.ChoiceField(required=False, choices=[("", ""), *KINDS.items()])
    differs = forms.ChoiceField(required=False, choices=[("", ""), *((name, name) for name in METRICS)])


class NoteForm(forms.Form):
    """A person's note on an evaluation, which the history shows; empty takes it away."""

    note = forms.CharField(required=False, max_length=200)
