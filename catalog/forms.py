"""The forms of servers, tools and catalogs: what people type, checked, with errors that say what to do."""

import shlex
from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.text import slugify

from catalog.models import Catalog, Server, Tool
from catalog.models.addresses import check_address
from catalog.models.tool import PERMISSIONS
from catalog.patterns import PatternError, compile_glob
from catalog.search import ENGINES
from catalog.sources.headers import header_problems
from catalog.spawning import StdioCommand, command_problems


class LinesField(forms.CharField):
    """One value a line; cleaned to a list without blanks."""

    widget = forms.Textarea(attrs={"rows": 4, "spellcheck": "false"})

    def prepare_value(self, value: Any) -> Any:
        return "\n".join(value) if isinstance(value, list) else value

    def to_python(self, value: Any) -> Any:
        return [line.strip() for line in (value or "").splitlines() if line.strip()]


class SecretsField(LinesField):
    """`NAME=value` a line, cleaned to a dictionary. A name alone keeps the value that is stored."""

    def __init__(self, separator: str, **options: Any) -> None:
        self.separator = separator
        super().__init__(required=False, **options)

    def to_python(self, value: Any) -> Any:
        found: dict[str, str | None] = {}
        for number, line in enumerate(super().to_python(value), start=1):
            name, separator, secret = line.partition(self.separator)
            if not name.strip() or (separator and not secret.strip()):
                raise forms.ValidationError(f"Line {number}: write NAME{self.separator}value, or the name alone.")
            found[name.strip()] = secret.strip() if separator else None
        return found


class ServerForm(forms.ModelForm[Server]):
    """What every kind of server has."""

    slug = forms.CharField(
        max_length=40,
        required=False,
        label="Short name",
        help_text="Stands before each tool's name, as in weather__get_forecast. Left empty, it is made from the title.",
    )

    class Meta:
        model = Server
        fields = ["title", "slug", "description", "name_rule"]
        widgets = {"description": forms.Textarea(attrs={"rows": 2})}

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["name_rule"].label = "Tools are called"

    def clean_slug(self) -> str:
        slug: str = self.cleaned_data["slug"] or slugify(self.cleaned_data.get("title", ""))[:40].strip("-")
        if not slug:
            raise forms.ValidationError("Give a short name: none could be made from the title.")
        if Server.objects.filter(slug=slug).exclude(pk=self.instance.pk).exists():
            raise forms.ValidationError(f"There is a server named {slug} already. Choose another short name.")
        return slug

    def keep_secrets(self, field: str, stored: dict[str, str]) -> None:
        """Where only a name was written, the value that is stored stays."""
        given = self.cleaned_data.get(field) or {}
        missing = [name for name, value in given.items() if value is None and name not in stored]
        if missing:
            self.add_error(field, f"No value is stored for {', '.join(missing)}; write one behind the name.")
        self.cleaned_data[field] = {
            name: stored.get(name, "") if value is None else value for name, value in given.items()
        }


class FileServerForm(ServerForm):
    """A server whose tools come from a saved listing."""

    file = forms.FileField(
        label="Saved listing",
        help_text="The JSON answer of tools/list, a list of tool definitions, or JSON Lines (one tool a line, .gz too).",
    )

    def save(self, commit: bool = True) -> Server:
        self.instance.kind = Server.Kind.FILE
        return super().save(commit)


class CommandServerForm(ServerForm):
    """An MCP server that Pegboard starts."""

    command_line = forms.CharField(
        label="Command",
        help_text="As in a terminal, without pipes or variables. It is started only once an admin has approved it.",
        widget=forms.TextInput(
            attrs={"spellcheck": "false", "placeholder": "npx -y @modelcontextprotocol/server-everything"}
        ),
    )
    cwd = forms.CharField(
        label="Working folder", required=False, help_text="An absolute path; left empty, a temporary one."
    )
    environment = SecretsField(
        "=", label="Environment", help_text="NAME=value, one a line. Values are encrypted and never shown again."
    )

    class Meta(ServerForm.Meta):
        fields = [*ServerForm.Meta.fields, "cwd"]

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        if self.instance.pk:
            self.initial["command_line"] = shlex.join([self.instance.command, *self.instance.args])
            self.initial["environment"] = sorted(self.instance.env)

    def clean_command_line(self) -> list[str]:
        try:
            words = shlex.split(self.cleaned_data["command_line"])
        except ValueError as error:
            raise forms.ValidationError(f"This cannot be read as a command: {error}.") from None
        if not words:
            raise forms.ValidationError("Write a command.")
        return words

    def clean(self) -> None:
        super().clean()
        self.keep_secrets("environment", self.instance.env)
        if not self.errors:
            for problem in command_problems(self._command()):
                self.add_error("command_line", problem)

    def _command(self) -> StdioCommand:
        command, *args = self.cleaned_data["command_line"]
        return StdioCommand(command, tuple(args), self.cleaned_data["environment"], self.cleaned_data["cwd"])

    def save(self, commit: bool = True) -> Server:
        server = self.instance
        server.kind, server.transport = Server.Kind.MCP, Server.Transport.STDIO
        server.command, *server.args = self.cleaned_data["command_line"]
        server.env = self.cleaned_data["environment"]
        return super().save(commit)


class AddressServerForm(ServerForm):
    """An MCP server that is reached over HTTP."""

    url = forms.CharField(
        label="Address",
        max_length=1000,
        validators=[check_address],
        help_text="The streamable HTTP endpoint, often ending in /mcp.",
    )
    http_headers = SecretsField(
        ":",
        label="Headers",
        help_text="Name: value, one a line, as Authorization. Values are encrypted and never shown again.",
    )

    class Meta(ServerForm.Meta):
        fields = [*ServerForm.Meta.fields, "url"]

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        if self.instance.pk:
            self.initial["http_headers"] = sorted(self.instance.headers)

    def clean(self) -> None:
        super().clean()
        self.keep_secrets("http_headers", self.instance.headers)
        for problem in header_problems(self.cleaned_data.get("http_headers") or {}):
            self.add_error("http_headers", problem)

    def save(self, commit: bool = True) -> Server:
        server = self.instance
        server.kind, server.transport = Server.Kind.MCP, Server.Transport.HTTP
        server.headers = self.cleaned_data["http_headers"]
        return super().save(commit)


SERVER_FORMS: dict[str, type[ServerForm]] = {
    "file": FileServerForm,
    "command": CommandServerForm,
    "address": AddressServerForm,
}


class UploadForm(forms.Form):
    """A newer listing for a server that has none to ask."""

    file = forms.FileField(label="Saved listing")


class ToolFilterForm(forms.Form):
    """The filters of the tools page; every one is in its address."""

    q = forms.CharField(required=False, label="Words")
    server = forms.ModelChoiceField(
        Server.objects.all(), required=False, to_field_name="slug", empty_label="All servers"
    )
    state = forms.ChoiceField(
        required=False, choices=[("", "Here"), ("edited", "Edited"), ("gone", "Gone"), ("all", "All")], label="State"
    )


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


class CatalogForm(forms.ModelForm[Catalog]):
    """A catalog's name, mode and engine."""

    slug = forms.CharField(max_length=40, required=False, label="Short name", help_text="Its place in addresses.")

    engine = forms.ChoiceField(
        required=False,
        choices=[("", "The mode's own"), *((slug, kind.title) for slug, kind in ENGINES.items())],
        help_text="What a run's searches ask.",
    )

    class Meta:
        model = Catalog
        fields = ["title", "slug", "description", "engine"]
        widgets = {"description": forms.Textarea(attrs={"rows": 2})}

    def clean_slug(self) -> str:
        slug: str = self.cleaned_data["slug"] or slugify(self.cleaned_data.get("title", ""))[:40].strip("-")
        if not slug or slug == "add":
            raise forms.ValidationError("Give a short name: none could be made from the title.")
        if Catalog.objects.filter(slug=slug).exclude(pk=self.instance.pk).exists():
            raise forms.ValidationError(f"There is a catalog named {slug} already. Choose another short name.")
        return slug


class CatalogServerForm(forms.Form):
    """One server's place in a catalog: not in it, everything, or tools by pattern."""

    choice = forms.ChoiceField(
        label="Its tools",
        choices=[("none", "Not in it"), ("everything", "Everything"), ("patterns", "By name")],
        widget=forms.RadioSelect,
    )
    patterns = LinesField(required=False, help_text="One a line; * stands for anything, as in list_*.")

    def clean(self) -> None:
        patterns = self.cleaned_data.get("patterns") or []
        if self.cleaned_data.get("choice") == "patterns" and not patterns:
            self.add_error("patterns", "Write at least one pattern, or choose another option.")
        for pattern in patterns:
            try:
                compile_glob(pattern)
            except PatternError as error:
                self.add_error("patterns", f"{pattern}: {error}")


TOP_K, MAX_TOP_K = 5, 50
"""How many hits a search returns: usually, and at most."""
_BAD_K = ("min_value", "max_value", "invalid")
_K_RANGE = f"Top k goes from 1 to {MAX_TOP_K}: {TOP_K} was taken."


class SearchForm(forms.Form):
    """A search of a catalog, as its address has it. What cannot be read stands in `errors` and counts as left out."""

    q = forms.CharField(required=False, label="Query", max_length=2_000)
    k = forms.IntegerField(
        required=False, min_value=1, max_value=MAX_TOP_K, error_messages=dict.fromkeys(_BAD_K, _K_RANGE)
    )

    def __init__(self, data: Mapping[str, Any], *, servers: Mapping[str, int]) -> None:
        """`servers` counts the tools of each server that can be chosen."""
        super().__init__(data)
        self.fields["server"] = forms.ChoiceField(
            required=False,
            choices=[("", "Any server"), *((slug, f"{slug} ({count:,})") for slug, count in sorted(servers.items()))],
            error_messages={"invalid_choice": "%(value)s is no server of this catalog: all its servers were searched."},
        )
        self.full_clean()

    @property
    def query(self) -> str:
        return self.cleaned_data.get("q") or ""

    @property
    def chosen_server(self) -> str:
        return self.cleaned_data.get("server") or ""

    @property
    def top_k(self) -> int:
        return self.cleaned_data.get("k") or TOP_K
