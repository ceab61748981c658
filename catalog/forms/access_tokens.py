"""The form of an access token."""

from typing import Any

from django import forms


class AccessTokenForm(forms.Form):
    title = forms.CharField(max_length=80, label="What is it for?", help_text="So that you know later which to revoke.")
    may_register = forms.BooleanField(
        required=False,
        label="It may register apps",
        help_text="Then a program can add servers with tools of its own, as you may. Leave it off for searches.",
    )

    def __init__(self, *args: Any, may_curate: bool, **options: Any) -> None:
        super().__init__(*args, **options)
        if not may_curate:
            del self.fields["may_register"]
