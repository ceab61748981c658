"""What an admin may write down before signing in to a server; left empty, it is found out."""

from typing import Any

from django import forms

from catalog.models import ServerSignIn
from catalog.oauth.signing_in import Asked
from catalog.sources.addresses import allowed_hosts

_TEXT = {"spellcheck": "false", "autocomplete": "off"}


class ServerSignInForm(forms.Form):
    """`before` is the sign-in that is there: what was written down for it stands, until something else is."""

    client_id = forms.CharField(
        label="Client id",
        max_length=500,
        required=False,
        widget=forms.TextInput(attrs=_TEXT),
        help_text="Only where Pegboard was registered by hand. Left empty, it registers itself.",
    )
    client_secret = forms.CharField(
        label="Client secret",
        max_length=2000,
        required=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "off"}),
        help_text="Encrypted and never shown again. Left empty, the one that is stored for this client id stays.",
    )
    scopes = forms.CharField(
        label="Scopes",
        max_length=2000,
        required=False,
        widget=forms.TextInput(attrs=_TEXT),
        help_text="By spaces. Left empty, those that the server asks for.",
    )
    private_hosts = forms.CharField(
        label="Private hosts that may take part",
        max_length=1000,
        required=False,
        widget=forms.TextInput(attrs={**_TEXT, "placeholder": "sign-in.internal:443"}),
        help_text="Hosts with their ports, by spaces: where the authorization server stands in your own network. "
        "The server itself needs no mention.",
    )

    def __init__(self, data: Any, before: ServerSignIn | None) -> None:
        self._before = (before.kept.get("asked") if before else None) or {}
        hosts = " ".join(f"{host}:{port}" for host, port in self._before.get("private_hosts", ()))
        told = {name: self._before.get(name, "") for name in ("client_id", "scopes")}
        super().__init__(data, initial={**told, "private_hosts": hosts})

    def clean_scopes(self) -> str:
        return " ".join(self.cleaned_data["scopes"].split())

    def clean_private_hosts(self) -> tuple[tuple[str, int], ...]:
        try:
            return tuple(sorted(allowed_hosts(self.cleaned_data["private_hosts"])))
        except ValueError as error:
            raise forms.ValidationError(f"{error}.") from None

    def asked(self) -> Asked:
        """Once valid."""
        given = self.cleaned_data
        secret, issuer = given["client_secret"], ""
        if not secret and given["client_id"] == self._before.get("client_id"):
            secret, issuer = self._before.get("client_secret", ""), self._before.get("issuer", "")
        return Asked(given["client_id"], secret, issuer, given["scopes"], given["private_hosts"])

    def asked_before(self) -> Asked:
        """What was written down for the sign-in that is there."""
        hosts = tuple((host, port) for host, port in self._before.get("private_hosts", ()))
        return Asked(**{**self._before, "private_hosts": hosts}) if self._before else Asked()
