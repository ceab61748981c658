"""The forms of the accounts page: a new person, and a role."""

from django import forms
from django.contrib.auth.models import User

from catalog.roles import MAY, Role

ROLES = [(role.word, f"{role.word}: may {MAY[role]}") for role in Role]


class RoleForm(forms.Form):
    role = forms.ChoiceField(choices=[(role.word, role.word) for role in Role])

    @property
    def chosen(self) -> Role:
        return Role[self.cleaned_data["role"].upper()]


class PersonForm(forms.Form):
    """Somebody new, who is given a sign-in link."""

    username = forms.CharField(
        label="Name to sign in with",
        max_length=150,
        validators=User._meta.get_field("username").validators,
        help_text="Letters, digits and @ . + - _",
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
    )
    role = forms.ChoiceField(choices=ROLES, initial=Role.VIEWER.word, help_text="Each may do what those before it may.")

    def clean_username(self) -> str:
        name: str = User.normalize_username(self.cleaned_data["username"])
        if User.objects.filter(username__iexact=name).exists():
            raise forms.ValidationError("Somebody has this name already.")
        return name

    @property
    def chosen(self) -> Role:
        return Role[self.cleaned_data["role"].upper()]
