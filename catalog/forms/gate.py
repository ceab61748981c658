"""Why a change goes through a gate that holds it."""

from typing import Any

from django import forms


class OverrideForm(forms.Form):
    """The reason, which the audit keeps; empty where a person did not mean to."""

    gate_reason = forms.CharField(
        required=False,
        max_length=300,
        label="Why it goes through all the same",
        help_text="Kept in the audit with your name and the queries that get worse.",
    )

    @property
    def reason(self) -> str:
        said: Any = self.cleaned_data.get("gate_reason", "") if self.is_valid() else ""
        return str(said).strip()
