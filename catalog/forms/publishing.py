"""What a person says when they publish."""

from django import forms


class PublishForm(forms.Form):
    """`token` is that of the plan that was shown. `by_itself`: from then on each change reaches agents at once."""

    note = forms.CharField(
        required=False,
        max_length=300,
        label="Note",
        help_text="What this version is for, for whoever reads the list of versions.",
    )
    token = forms.CharField(widget=forms.HiddenInput)
    by_itself = forms.BooleanField(required=False)
