"""The forms of servers, one a kind, and of a newer listing."""

import shlex
from typing import Any

from django import forms

from catalog.forms.any_server import HeadersForm, ServerForm
from catalog.forms.fields import SecretsField
from catalog.forms.given_servers import FileServerForm, SkillsServerForm
from catalog.forms.name_rules import name_rule_field
from catalog.forms.versions import Versioned
from catalog.models import Server
from catalog.models.addresses import check_address
from catalog.sources.stdio_command import folder_problem
from catalog.spawning import StdioCommand, command_problems


class McpServerForm(ServerForm):
    """What MCP servers have, however they are reached."""

    class Meta(ServerForm.Meta):
        fields = [*ServerForm.Meta.fields, "sync_every", "session_scope"]
        labels = {**ServerForm.Meta.labels, "sync_every": "Its tools are read again", "session_scope": "Sessions"}
        help_texts = {
            **ServerForm.Meta.help_texts,
            "sync_every": "New tools come in by themselves, and rewordings unless they are held back; a change of meaning waits for "
            "a person.",
            "session_scope": "Shared, a call finds the server running, and what it keeps in memory is one for all runs. "
            "Choose one for each run for a browser, a shell, or anything else that remembers what was done before.",
        }


class CommandServerForm(McpServerForm):
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

    class Meta(McpServerForm.Meta):
        fields = [*McpServerForm.Meta.fields, "cwd"]

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

    def clean_cwd(self) -> str:
        folder: str = self.cleaned_data["cwd"]
        if problem := folder_problem(folder):
            raise forms.ValidationError(problem)
        return folder

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
        server.kind, server.transport = self.kind, Server.Transport.STDIO
        server.command, *server.args = self.cleaned_data["command_line"]
        server.env = self.cleaned_data["environment"]
        return super().save(commit)


class AddressServerForm(HeadersForm, McpServerForm):
    """An MCP server that is reached over HTTP."""

    url = forms.CharField(
        label="Address",
        max_length=1000,
        validators=[check_address],
        help_text="The streamable HTTP endpoint, often ending in /mcp. If it does not take that, SSE is tried, as older "
        "servers speak it (often ending in /sse).",
    )

    class Meta(McpServerForm.Meta):
        fields = [*McpServerForm.Meta.fields, "url"]

    def save(self, commit: bool = True) -> Server:
        server = self.instance
        server.kind, server.transport = self.kind, Server.Transport.HTTP
        return super().save(commit)


class AppServerForm(Versioned, forms.ModelForm[Server]):
    """What a person may say of an app; the rest it says itself, each time that it registers."""

    class Meta:
        model = Server
        fields = ["name_rule", "language", "holds_rewordings"]
        labels = ServerForm.Meta.labels
        help_texts = ServerForm.Meta.help_texts

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["name_rule"] = name_rule_field(Server.Kind.SDK)


SERVER_FORMS: dict[str, type[ServerForm]] = {
    "file": FileServerForm,
    "skills": SkillsServerForm,
    "command": CommandServerForm,
    "address": AddressServerForm,
}


class UploadForm(forms.Form):
    """A newer listing, or newer skills, for a server that cannot be asked."""

    file = forms.FileField(label="File")
