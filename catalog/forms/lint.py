"""The forms of lint: which findings are shown, what is looked at, and why one is set aside."""

from django import forms

from catalog.lint import RULES
from catalog.models import Catalog, Finding, Server

STATES = [("", "Open"), (Finding.State.ASIDE, "Set aside"), ("all", "All")]


class PlaceForm(forms.Form):
    """All tools, a server's, or those that a catalog offers. There may be thousands of servers: one is named, not picked."""

    server = forms.ModelChoiceField(
        Server.objects.only("slug", "title"),
        required=False,
        to_field_name="slug",
        widget=forms.TextInput(attrs={"list": "servers", "placeholder": "All servers", "autocomplete": "off"}),
        error_messages={"invalid_choice": "There is no server of this name."},
    )
    catalog = forms.ModelChoiceField(
        Catalog.objects.all(), required=False, to_field_name="slug", empty_label="All catalogs"
    )


class FindingFilterForm(PlaceForm):
    """The filters of the lint page; every one is in its address."""

    rule = forms.ChoiceField(
        required=False, choices=[("", "All rules"), *((slug, rule.title) for slug, rule in RULES.items())]
    )
    state = forms.ChoiceField(required=False, choices=STATES)


class AsideForm(forms.Form):
    """Why a finding does not matter, and the texts that the person saw."""

    reason = forms.CharField(max_length=500, error_messages={"required": "Say why, for those who come after you."})
    rests_on = forms.CharField(max_length=64)
