"""What is to be done to many tools: the act, its value, and which tools."""

from typing import Any

from django import forms

from catalog.bulk_acts import ACTS


class BulkEditForm(forms.Form):
    """`selected` are keys of rows; `all` takes those of the list at `query` instead."""

    act = forms.ChoiceField(choices=[(name, act.words) for name, act in ACTS.items()])
    value = forms.CharField(required=False, max_length=500)
    selected = forms.TypedMultipleChoiceField(coerce=int, required=False)
    all = forms.BooleanField(required=False)
    query = forms.CharField(required=False, max_length=2000)

    def __init__(self, data: Any) -> None:
        super().__init__(data)
        chosen = data.getlist("selected")
        self.fields["selected"].choices = [(key, key) for key in chosen if key.isdecimal() and len(key) < 19]  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        said = super().clean() or {}
        if (act := ACTS.get(said.get("act", ""))) is not None and act.asks and not said.get("value"):
            self.add_error("value", f"“{act.words}” needs a {act.asks.removesuffix('s')}.")
        if not said.get("selected") and not said.get("all"):
            self.add_error("selected", "Select at least one tool first.")
        return said
