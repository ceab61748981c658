"""The forms of drift: which of it is shown, and what a person decides of one change."""

from functools import cached_property
from typing import Any

from django import forms
from django.db.models import Q

from catalog.forms.versions import Difference, Versioned, digest_of
from catalog.merging import Merge, merge
from catalog.models import Drift, Server, Tool

KINDS = [
    ("", "Everything that waits"),
    ("rewording", "Rewordings"),
    ("meaning", "Changes of meaning"),
    ("suspicious", "Suspicious"),
    ("edited", "Edited here"),
]


class DriftFilterForm(forms.Form):
    """The filters of the drift page; every one is in its address."""

    server = forms.ModelChoiceField(
        Server.objects.all(), required=False, to_field_name="slug", empty_label="All servers"
    )
    kind = forms.ChoiceField(required=False, choices=KINDS, label="Kind of change")

    def __init__(self, data: Any) -> None:
        """Servers of which something waits are offered, and the one that is named."""
        super().__init__(data)
        waits = Q(pk__in=Drift.objects.waiting().values("tool__server")) | Q(slug=data.get("server", ""))
        self.fields["server"].queryset = Server.objects.filter(waits)  # type: ignore[attr-defined]


class DecisionForm(Versioned, forms.Form):
    """What is to be in force. The description is asked for where a person wrote one over the one that changes.

    Its version is of the change, of what is in force, and of what a person has written over that.
    """

    description = forms.CharField(
        required=False,
        label="Description that models read",
        widget=forms.Textarea(attrs={"rows": 6}),
        help_text="Left empty, the source’s own words stand.",
    )

    def __init__(self, data: Any, drift: Drift) -> None:
        self.drift, self.merge = drift, merge_of(drift)
        super().__init__(data, initial={"description": self.merge.text if self.merge else ""})
        self._own = drift.tool.own_description
        if self.merge is None:
            del self.fields["description"]

    @property
    def row(self) -> Tool:
        return self.drift.tool

    @cached_property
    def standing(self) -> dict[str, Any]:
        tool, drift = self.drift.tool, self.drift
        return {"own": tool.own_description, "now": tool.upstream_hash, "new": drift.upstream_hash, "is": drift.state}

    @property
    def version(self) -> str:
        """Without a number of saves: the tool's history has who wrote what."""
        return f"{digest_of(self._state)}.0"

    def differing(self) -> list[Difference]:
        stands, mine = self.drift.tool.own_description or "", self.data.get("description", "")
        return [("Description", stands, mine)] if mine and mine != stands else []

    @property
    def own_description(self) -> str | None:
        """What a person says over the source's description from now on."""
        return self._own if self.merge is None else self.cleaned_data["description"] or None


def merge_of(drift: Drift) -> Merge | None:
    """What the source changed and what a person wrote, brought together; None where nobody wrote over what changes."""
    tool = drift.tool
    if tool.own_description is None or "description" not in drift.fields:
        return None
    return merge(tool.description, drift.upstream["description"], tool.own_description)
