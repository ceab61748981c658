"""What people fill in to go on in a thread, or to fork one: a message, and what the run is to be made of."""

from collections.abc import Mapping
from typing import Any

from django import forms

from catalog.models import Catalog
from catalog.publishing.standing import editions_of
from playground.forms import MOST_TASK, OF_THE_CATALOG, version_problem
from playground.models import ChatModel, Run
from playground.modes import MODES
from playground.runs.threads import edition_after

MOST_RESULT = 500_000
"""Characters of a result that a person writes."""


class TurnForm(forms.Form):
    """A run that goes on from another, `before`; what nobody changes is as it was there."""

    catalog = forms.ModelChoiceField(Catalog.objects.all(), to_field_name="slug", empty_label=None)
    chat_model = forms.ModelChoiceField(ChatModel.objects.filter(enabled=True), label="Model", empty_label=None)
    mode = forms.ChoiceField(
        required=False, choices=[("", OF_THE_CATALOG), *((slug, kind.title) for slug, kind in MODES.items())]
    )
    version = forms.ChoiceField(required=False, label="Version")
    task = forms.CharField(
        label="Message", max_length=MOST_TASK, widget=forms.Textarea(attrs={"rows": 2, "data-task": True})
    )

    def __init__(self, data: Mapping[str, Any] | None, before: Run, task: str = "") -> None:
        self._before = before
        catalog = before.catalog and before.catalog.slug
        super().__init__(
            data, initial={"catalog": catalog, "chat_model": before.chat_model_id, "mode": before.mode, "task": task}
        )
        self.fields["version"].choices = [("", _as_before(before)), *_editions(before)]  # type: ignore[attr-defined]

    def clean(self) -> None:
        catalog, version = self.cleaned_data.get("catalog"), self.cleaned_data.get("version", "")
        if catalog is not None and (problem := version_problem(catalog, version)):
            self.add_error("version", problem)

    @property
    def chosen(self) -> dict[str, Any]:
        """What was filled in, as parts of a Setup. A mode that stays keeps its options, another has its defaults."""
        parts = ("catalog", "chat_model", "task", "mode")
        options = self._before.mode_options if self.cleaned_data["mode"] == self._before.mode else {}
        chosen = {part: self.cleaned_data[part] for part in parts}
        return {**chosen, "mode_options": options, "edition": self.cleaned_data["version"]}


def _as_before(before: Run) -> str:
    if before.catalog is None:
        return "As published"
    match edition_after(before, before.catalog):
        case "published":
            return "As the catalog is now" if before.catalog.publishes_itself else "As published"
        case "draft":
            return "Draft, as before"
        case number:
            return f"Version {number}, as before"


def _editions(before: Run) -> list[tuple[str, str]]:
    return editions_of(before.catalog) if before.catalog else []


class GoOnForm(TurnForm):
    """The next message of a thread. `after` is the position of the run that was the last when the person wrote."""

    after = forms.IntegerField(min_value=1, widget=forms.HiddenInput)


class ForkForm(TurnForm):
    """The first message of a fork, which is needed where the model has nothing to go on from."""

    def __init__(self, data: Mapping[str, Any] | None, before: Run, task: str, may_go_on: bool) -> None:
        super().__init__(data, before, task)
        self.fields["task"].required = not may_go_on


class ResultForm(ForkForm):
    """A fork in which a tool answered something else. The model has that to go on from: no message is needed."""

    result = forms.CharField(
        max_length=MOST_RESULT,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 12, "spellcheck": "false", "class": "mono"}),
    )

    def __init__(self, data: Mapping[str, Any] | None, before: Run, result: str) -> None:
        super().__init__(data, before, "", True)
        self.initial["result"] = result

    def clean_result(self) -> str:
        """Browsers write line breaks in two characters."""
        return str(self.cleaned_data["result"]).replace("\r\n", "\n")
