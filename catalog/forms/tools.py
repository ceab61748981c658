"""The filters of the tools page, the overlay of one tool, and the name of a view."""

from typing import Any

from django import forms

from catalog.facets import STATES, Chosen
from catalog.forms.fields import LinesField
from catalog.models import SavedView, Server, Tool
from catalog.models.tool import PERMISSIONS

SORTED = [
    ("", "By server and name"),
    ("name", "By name"),
    ("-tokens", "Most tokens first"),
    ("tokens", "Fewest tokens first"),
    ("-edited", "Last edited first"),
]
PLATFORMS = 20
"""Platforms, tags or aliases that one tool may have."""


class ToolFilterForm(forms.Form):
    """What the address of the tools page says: words, what is chosen in each facet, and the order."""

    q = forms.CharField(required=False, label="Words")
    server = forms.ModelChoiceField(
        Server.objects.only("slug"), required=False, to_field_name="slug", empty_label="All servers"
    )
    category = forms.CharField(required=False)
    tag = forms.CharField(required=False)
    permission = forms.CharField(required=False)
    kind = forms.CharField(required=False)
    state = forms.MultipleChoiceField(required=False, choices=[*STATES.items(), ("all", "All"), ("", "Here")])
    sort = forms.ChoiceField(required=False, choices=SORTED, label="Order")

    @property
    def chosen(self) -> Chosen:
        """Once the form is valid."""
        said = self.cleaned_data
        server: Server | None = said["server"]
        return Chosen(
            server=server.slug if server else "",
            category=said["category"],
            tag=said["tag"],
            permission=said["permission"],
            kind=said["kind"],
            states=tuple(dict.fromkeys(state for state in said["state"] if state in STATES)),
            all="all" in said["state"],
        )


class SavedViewForm(forms.ModelForm[SavedView]):
    class Meta:
        model = SavedView
        fields = ["name", "query"]


class VersionsForm(forms.Form):
    """Two versions of a tool to compare, by their numbers."""

    since = forms.IntegerField(min_value=1)
    until = forms.IntegerField(min_value=1)


class ToolForm(forms.ModelForm[Tool]):
    """The overlay of a tool: what a person says over its source. `began_from`: the edit that stood when the form was shown."""

    own_description = forms.CharField(
        required=False,
        label="Description",
        widget=forms.Textarea(attrs={"rows": 5, "class": "written"}),
        help_text="What models read. Left empty, the source's own words stand.",
    )
    own_tags = LinesField(required=False, label="Tags", help_text="One a line. Left empty, the source's own stand.")
    own_permission = forms.ChoiceField(
        required=False, label="Permission", choices=[("", "As the source says"), *PERMISSIONS]
    )
    aliases = LinesField(
        required=False, help_text="Other names people search for, one a line. Searched, never sent to a model."
    )
    platforms = LinesField(
        required=False,
        help_text="Where it runs, one a line: darwin, linux, win32. Requests from elsewhere do not get it; empty: any.",
    )
    began_from = forms.IntegerField(required=False, min_value=0, widget=forms.HiddenInput)

    class Meta:
        model = Tool
        fields = [
            "own_description",
            "search_text",
            "aliases",
            "own_category",
            "own_tags",
            "own_permission",
            "special_category",
            "platforms",
            "searchable",
            "enabled",
        ]
        widgets = {"search_text": forms.Textarea(attrs={"rows": 2})}
        labels = {"own_category": "Category", "enabled": "Switched on"}
        help_texts = {
            "search_text": "Words people search with that the description lacks. Searched, never sent to a model.",
            "searchable": "Whether a search may find it.",
            "special_category": "Stands in the place of the category. “human” and “structured_output” are shown from the start.",
        }

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.had_no_tags = self.instance.own_tags == []
        for name in ("own_tags", "aliases", "platforms"):
            self.fields[name].widget.attrs["rows"] = 3

    @property
    def overlay(self) -> dict[str, Any]:
        """The fields of the overlay as they were filled in, once the form is valid."""
        return {name: self.cleaned_data[name] for name in self._meta.fields or ()}

    def clean_own_description(self) -> str | None:
        return self.cleaned_data["own_description"] or None

    def clean_own_tags(self) -> list[str] | None:
        """No tags at all, where a bulk edit took the last one away, is kept as such."""
        return self.cleaned_data["own_tags"] or ([] if self.had_no_tags else None)
