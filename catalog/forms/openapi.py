"""The forms of a server that is an OpenAPI document: adding it, editing it with its secrets, and finding operations."""

from typing import Any

from django import forms

from catalog.forms.any_server import HeadersForm, ServerForm
from catalog.forms.given_servers import unreadable
from catalog.models import ApiDocument, Server
from catalog.models.addresses import check_address
from catalog.sources.headers import header_problems
from catalog.sources.openapi import listing as openapi
from catalog.sources.openapi.security import Scheme

WHOLE = forms.TextInput(attrs={"spellcheck": "false", "inputmode": "url"})


class OpenApiServerForm(HeadersForm):
    """What adding and editing have in common."""

    url = forms.CharField(
        label="Base address of its calls",
        max_length=1000,
        required=False,
        validators=[check_address],
        widget=WHOLE,
        help_text="Left empty, the first one that the document names. Calls go there and nowhere else.",
    )

    class Meta(ServerForm.Meta):
        fields = [*ServerForm.Meta.fields, "url"]

    def clean_url(self) -> str:
        url: str = self.cleaned_data["url"]
        if "?" in url or "#" in url:
            raise forms.ValidationError("Leave out ? and what follows: paths are put behind this address.")
        return url.rstrip("/")

    def save(self, commit: bool = True) -> Server:
        server = self.instance
        server.kind, server.transport = Server.Kind.OPENAPI, Server.Transport.HTTP
        return super().save(commit)


class OpenApiAddForm(OpenApiServerForm):
    """A document by its address, or uploaded."""

    document_url = forms.CharField(
        label="Address of the document",
        max_length=1000,
        required=False,
        validators=[check_address],
        widget=WHOLE,
        help_text="Where the JSON or YAML itself is, not a page that shows it. It is fetched once an admin has approved it.",
    )
    file = forms.FileField(
        label="The document itself",
        required=False,
        help_text="OpenAPI 3.0 or 3.1, JSON or YAML, at most 16 MB. Nothing is reached to read it.",
    )

    class Meta(OpenApiServerForm.Meta):
        fields = [*OpenApiServerForm.Meta.fields, "document_url"]

    def clean(self) -> None:
        super().clean()
        if bool(self.cleaned_data.get("document_url")) == bool(self.cleaned_data.get("file")) and not self.errors:
            self.add_error("document_url", "Write an address or choose a file, one of the two.")
        if not self.errors and (file := self.cleaned_data.get("file")):
            for reason in unreadable(openapi.read, file):
                self.add_error("file", reason)


class OpenApiEditForm(OpenApiServerForm):
    """With one field for each way to sign in that the document names. A secret is written, and never shown."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        if self.instance.document_url:
            self.fields["document_url"] = forms.CharField(
                label="Address of the document", max_length=1000, validators=[check_address], widget=WHOLE
            )
            self.initial["document_url"] = self.instance.document_url
        document = ApiDocument.objects.filter(server=self.instance).first()
        self.schemes = [Scheme(**scheme) for scheme in document.schemes] if document else []
        for place, scheme in enumerate(self.schemes):
            is_kept = scheme.name in self.instance.credentials
            kept = " A value is stored; left empty, it stays." if is_kept else " It is encrypted and never shown again."
            self.fields[f"secret_{place}"] = forms.CharField(
                label=scheme.name,
                required=False,
                max_length=8_000,
                widget=forms.PasswordInput(attrs={"autocomplete": "off"}),
                help_text=scheme.words + kept,
            )
            if is_kept:
                self.fields[f"forget_{place}"] = forms.BooleanField(
                    required=False, label=f"Forget what is stored for {scheme.name}"
                )

    @property
    def secret_fields(self) -> list[tuple[forms.BoundField, forms.BoundField | None]]:
        """Each secret, with the box that forgets it where one is stored."""
        return [
            (self[f"secret_{place}"], self[f"forget_{place}"] if f"forget_{place}" in self.fields else None)
            for place in range(len(self.schemes))
        ]

    def clean(self) -> None:
        super().clean()
        for place, scheme in enumerate(self.schemes):
            if (secret := self.cleaned_data.get(f"secret_{place}")) and (problem := _problem(scheme, secret)):
                self.add_error(f"secret_{place}", problem)

    def save(self, commit: bool = True) -> Server:
        server = self.instance
        server.document_url = self.cleaned_data.get("document_url", "")
        credentials = dict(server.credentials)
        for place, scheme in enumerate(self.schemes):
            if self.cleaned_data.get(f"forget_{place}"):
                credentials.pop(scheme.name, None)
            if secret := self.cleaned_data.get(f"secret_{place}"):
                where = {"place": scheme.place, "parameter": scheme.parameter, "form": scheme.form}
                credentials[scheme.name] = {**where, "secret": secret}
        server.credentials = credentials
        return super().save(commit)


class OperationFilterForm(forms.Form):
    """What the page of operations shows; every part of it is in its address."""

    METHODS = tuple((method.upper(), method.upper()) for method in openapi.METHODS)
    SHOWN = (("", "Current"), ("chosen", "Chosen"), ("new", "New"), ("deprecated", "Deprecated"))

    q = forms.CharField(required=False, label="Words")
    method = forms.MultipleChoiceField(required=False, choices=METHODS, label="Methods")
    tag = forms.CharField(required=False, label="Tag")
    show = forms.ChoiceField(required=False, choices=SHOWN, label="Which")


def _problem(scheme: Scheme, secret: str) -> str:
    """Why a secret cannot be sent the way its scheme asks, without repeating it."""
    if scheme.form == "basic" and ":" not in secret:
        return "Write user:password."
    if scheme.place == "header":
        value = scheme.written(secret)
        problems = header_problems({scheme.parameter: value})
        return problems[0] if problems else ""
    if not (secret.isascii() and secret.isprintable()) or (scheme.place == "cookie" and set(secret) & set(' ;,"\\')):
        return f"It holds a character that a {scheme.place} cannot carry."
    return ""
