"""The form of an access token."""

from django import forms


class AccessTokenForm(forms.Form):
    title = forms.CharField(max_length=80, label="What is it for?", help_text="So that you know later which to revoke.")
