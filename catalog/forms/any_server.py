"""What the forms of servers have in common, whatever the kind; and those of servers that are sent headers."""

import re
from typing import Any

from django import forms
from django.utils.text import slugify

from catalog.forms.fields import SecretsField
from catalog.forms.name_rules import name_rule_field
from catalog.forms.versions import Versioned
from catalog.models import Server
from catalog.sources.headers import header_problems

_PLAIN_NAME = re.compile(r"[A-Za-z_-]{1,40}")
"""What is surely a name and not a secret that somebody wrote in its place."""


class ServerForm(Versioned, forms.ModelForm[Server]):
    """What every kind of server has that a person adds."""

    kind = Server.Kind.MCP
    slug = forms.CharField(
        max_length=40,
        required=False,
        label="Short name",
        help_text="Stands before each tool's name, as in weather__get_forecast. Left empty, it is made from the title.",
    )

    class Meta:
        model = Server
        fields = ["title", "slug", "description", "name_rule", "language", "holds_rewordings"]
        widgets = {"description": forms.Textarea(attrs={"rows": 2})}
        labels = {
            "language": "Language that models read",
            "holds_rewordings": "Hold back rewordings too: whatever its source changes waits for a person",
        }
        help_texts = {
            "language": "A code as de or zh-CN, where its tools have texts by language. All of them are searched."
        }

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["name_rule"] = name_rule_field(self.instance.kind or self.kind)

    def beside(self) -> list[Any]:
        return [self.instance.env, self.instance.headers, self.instance.credentials]

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
            line_of = self.fields[field].line_of  # type: ignore[attr-defined]
            lines = self.data.get(self.add_prefix(field))
            told = ", ".join(
                name if _PLAIN_NAME.fullmatch(name) else f"line {line_of(lines, name)}" for name in missing
            )
            self.add_error(field, f"No value is stored for {told}; write one behind the name.")
        self.cleaned_data[field] = {
            name: stored.get(name, "") if value is None else value for name, value in given.items()
        }


class HeadersForm(ServerForm):
    """A server to which headers are sent. Their values are written, and never shown."""

    http_headers = SecretsField(
        ":",
        label="Headers",
        help_text="Name: value, one a line, as Authorization; sent with every call. Values are encrypted and never shown again.",
    )

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.initial["http_headers"] = sorted(self.instance.headers)

    def clean(self) -> None:
        super().clean()
        self.keep_secrets("http_headers", self.instance.headers)
        for problem in header_problems(self.cleaned_data.get("http_headers") or {}):
            self.add_error("http_headers", problem)

    def save(self, commit: bool = True) -> Server:
        self.instance.headers = self.cleaned_data["http_headers"]
        return super().save(commit)
