"""The filters of the tools page, and the overlay of one tool."""

from django import forms

from catalog.forms.fields import LinesField
from catalog.models import Server, Tool
from catalog.models.tool import PERMISSIONS

STATES = [
    ("", "Here"),
    ("edited", "Edited"),
    ("drifted", "Drifted"),
    ("suspicious", "Suspicious"),
    ("gone", "Gone"),
    ("all", "All"),
]


class ToolFilterForm(forms.Form):
    """The filters of the tools page; every one is in its address."""

    q = forms.CharField(required=False, label="Words")
    server = forms.ModelChoiceField(
        Server.objects.all(), required=False, to_field_name="slug", empty_label="All servers"
    )
    kind = forms.ChoiceField(
        required=False,
        choices=[("", "Every kind"), ("tool", "Tools"), ("skill", "Skills"), ("agent", "Agents")],
        label="Kind",
    )
    state = forms.ChoiceField(required=False, choices=STATES, label="State")


class VersionsForm(forms.Form):
    """Two versions of a tool to compare, by their numbers."""

    since = forms.IntegerField(min_value=1)
    until = forms.IntegerField(min_value=1)


class ToolForm(forms.ModelForm[Tool]):
    """The overlay of a tool: what a person says over its source."""

    own_description = forms.CharField(
        required=False,
        label="Description",
        widget=forms.Textarea(attrs={"rows": 5}),
        help_text="What models read. Left empty, the source's own words stand.",
    )
    own_tags = LinesField(required=False, label="Tags", help_text="One a line. Left empty, the source's own stand.")
    own_permission = forms.ChoiceField(
        required=False, label="Permission", choices=[("", "As the source says"), *PERMISSIONS]
    )
    aliases = LinesField(
        required=False, help_text="Other names people search for, one a line. Searched, never sent to a model."
    )

    class Meta:
        model = Tool
        fields = [
            "own_description",
            "search_text",
            "aliases",
            "own_category",
            "own_tags",
            "own_permission",
            "searchable",
            "enabled",
        ]
        widgets = {"search_text": forms.Textarea(attrs={"rows": 2})}
        labels = {"own_category": "Category", "enabled": "Switched on"}
        help_texts = {
            "search_text": "Words people search with that the description lacks. Searched, never sent to a model.",
            "searchable": "Whether a search may find it.",
        }

    def clean_own_description(self) -> str | None:
        return self.cleaned_data["own_description"] or None

    def clean_own_tags(self) -> list[str] | None:
        return self.cleaned_data["own_tags"] or None
