"""The forms of a configuration of MCP servers: bringing it, then choosing and naming its servers."""

from typing import Any

from django import forms
from django.core.exceptions import ValidationError

from catalog.configurations import Proposal, name_collisions, problems_of, proposals
from catalog.forms.fields import UnshownTextarea
from catalog.models import Server
from catalog.models.server import SLUG
from catalog.sources.errors import SourceError
from catalog.sources.mcp_server_entry import FoundServer
from catalog.sources.mcp_servers import FoundServers, read
from catalog.sources.placeholders import Asked, filled, keys_in


class ConfigurationForm(forms.Form):
    """A configuration, pasted or as a file. It may hold secrets, so that it is never shown again."""

    text = forms.CharField(
        label="Paste it here",
        required=False,
        max_length=1_000_000,
        widget=UnshownTextarea(attrs={"rows": 9, "spellcheck": "false", "placeholder": '{"mcpServers": { … }}'}),
    )
    file = forms.FileField(
        label="Or choose the file",
        required=False,
        help_text="claude_desktop_config.json, .cursor/mcp.json, .vscode/mcp.json, mcp_config.json. It can be dropped here.",
    )
    found: FoundServers

    def clean(self) -> None:
        text: str = self.cleaned_data.get("text") or ""
        file = self.cleaned_data.get("file")
        if self.errors:
            return
        if bool(text) == bool(file):
            raise ValidationError("Paste a configuration or choose a file, one of the two.")
        try:
            self.found = read(file.read() if file else text.encode())
        except SourceError as error:
            raise ValidationError(str(error)) from None
        if not self.found.servers:
            raise ValidationError(["No server could be read from it.", *map(str, self.found.problems[:5])])

    @property
    def source(self) -> str:
        file = self.cleaned_data.get("file")
        return file.name if file else "what was pasted"


class FoundServersForm(forms.Form):
    """Which servers of a configuration to add, under which short names, and the values that it leaves open."""

    def __init__(self, found: FoundServers, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.proposals = proposals(found)
        self.asked = found.asked
        self.chosen: dict[str, FoundServer] = {}
        for place, proposal in enumerate(self.proposals):
            self.fields[f"add_{place}"] = forms.BooleanField(required=False, initial=proposal.is_proposed)
            self.fields[f"slug_{place}"] = forms.CharField(
                max_length=40, required=False, initial=proposal.slug, label=f"Short name of {proposal.found.name[:60]}"
            )
        for place, asked in enumerate(self.asked):
            self.fields[f"value_{place}"] = _value_field(asked)

    def rows(self) -> list[tuple[Proposal, forms.BoundField, forms.BoundField]]:
        return [
            (proposal, self[f"add_{place}"], self[f"slug_{place}"]) for place, proposal in enumerate(self.proposals)
        ]

    def values(self) -> list[forms.BoundField]:
        return [self[f"value_{place}"] for place in range(len(self.asked))]

    @property
    def forgot(self) -> list[str]:
        """Of a form that comes back: the values that were written and are not shown, so that they have to be written again."""
        written = [field for field in self.values() if field.data and field.widget_type == "password"]
        return [str(field.label) for field in written] if self.is_bound else []

    def clean(self) -> None:
        for place, proposal in enumerate(self.proposals):
            if self.cleaned_data.get(f"add_{place}"):
                self._choose(place, proposal.found)
        if not self.chosen and not self.errors:
            raise ValidationError("Tick at least one server.")
        for slug, name in name_collisions(self.chosen):
            raise ValidationError(
                f"A server here offers a tool under the bare name {name}, which a tool of {slug} may get. Choose another short name."
            )

    def _choose(self, place: int, found: FoundServer) -> None:
        slug = self.cleaned_data.get(f"slug_{place}") or ""
        for problem in [*self._slug_problems(slug), *self._reach_problems(found)]:
            self.add_error(f"slug_{place}", problem)
        self.chosen[slug] = filled(found, self._given())

    def _slug_problems(self, slug: str) -> list[str]:
        try:
            SLUG(slug)
        except ValidationError as error:
            return error.messages
        if slug in self.chosen:
            return [f"Two of these are named {slug}. Choose another short name for one."]
        if Server.objects.filter(slug=slug).exists():
            return [f"There is a server named {slug} already. Choose another short name."]
        return []

    def _reach_problems(self, found: FoundServer) -> list[str]:
        given = self._given()
        wanted = keys_in((*found.open_texts, *found.secret_texts))
        if missing := [asked.label for asked in self.asked if asked.key in wanted and asked.key not in given]:
            return [f"Give the value of {', '.join(missing)} above, or leave this server out."]
        secret = {asked.key for asked in self.asked if asked.is_secret}
        if any(key in secret for key in keys_in(found.open_texts)):
            return [
                "A secret would stand in its command or address, which people see. Add it by hand, with a variable."
            ]
        return problems_of(filled(found, given))

    def _given(self) -> dict[str, str]:
        values = {
            asked.key: self.cleaned_data.get(f"value_{place}") or asked.default
            for place, asked in enumerate(self.asked)
        }
        return {key: value for key, value in values.items() if value}


def _value_field(asked: Asked) -> forms.CharField | forms.ChoiceField:
    told = [f"{asked.description.rstrip('.')}." if asked.description else "", f"For {', '.join(asked.servers[:5])}."]
    told.append(
        "People see it, in a command or address." if asked.is_open else "It is encrypted and never shown again."
    )
    if asked.default and not asked.options:
        told.append("Left empty, the default of the file stands.")
    about: dict[str, Any] = {"label": asked.label, "required": False, "help_text": " ".join(filter(None, told))}
    if asked.options:
        choices = [("", "Choose one"), *((option, option) for option in asked.options)]
        return forms.ChoiceField(choices=choices, initial=asked.default, **about)
    widget = forms.TextInput if asked.is_open and not asked.is_secret else forms.PasswordInput
    return forms.CharField(max_length=8_000, widget=widget(attrs={"autocomplete": "off"}), **about)
