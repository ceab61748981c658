"""Why a change goes through a gate that holds it."""

from typing import Any

from django import forms
from django.http import QueryDict


class OverrideForm(forms.Form):
    """The reason, which the audit keeps. It stands beside what is held, which may be mended and sent without one."""

    use_required_attribute = False
    gate_reason = forms.CharField(
        max_length=300,
        error_messages={"required": "Say why, or change what is held."},
        label="Why it goes through all the same",
        help_text="Kept in the audit with your name and the queries that get worse.",
    )

    def __init__(self, data: QueryDict) -> None:
        """Of a form that was not held yet nothing is asked."""
        super().__init__(data if "gate_reason" in data else None)

    @property
    def reason(self) -> str:
        said: Any = self.cleaned_data.get("gate_reason", "") if self.is_valid() else ""
        return str(said).strip()
