"""The forms of servers whose tools come from what a person gives: a file, a text that was pasted, skills."""

from collections.abc import Callable

from django import forms
from django.core.files.uploadedfile import UploadedFile

from catalog.forms.any_server import ServerForm
from catalog.models import Server
from catalog.sources import skills, tool_file
from catalog.sources.errors import SourceError
from catalog.sources.listing import Listing
from catalog.sources.openapi.listing import ApiListing

READ_AT_ONCE = 1_000_000
"""Bytes that are read while the form waits; whether more can be read is told by the page of the import, which shows progress."""


def unreadable(read: Callable[[bytes], Listing | ApiListing], given: bytes | UploadedFile[bytes]) -> list[str]:
    """Why nothing can be read from it: told in the form, what was written is kept and no empty server is left."""
    if _size(given) > READ_AT_ONCE:
        return []
    content = given if isinstance(given, bytes) else given.read()
    if not isinstance(given, bytes):
        given.seek(0)
    try:
        listing = read(content)
    except SourceError as error:
        return [str(error)]
    is_empty = not (listing.tools if isinstance(listing, Listing) else listing.operations)
    return ["No tool could be read from it.", *map(str, listing.problems[:5])] if is_empty else []


def _size(given: bytes | UploadedFile[bytes]) -> int:
    return len(given) if isinstance(given, bytes) else given.size or 0


class FileServerForm(ServerForm):
    """A server whose tools come from a file, or from a text that was pasted."""

    kind = Server.Kind.FILE
    text = forms.CharField(
        label="Paste them here",
        required=False,
        max_length=2_000_000,
        widget=forms.Textarea(attrs={"rows": 6, "spellcheck": "false", "class": "mono"}),
    )
    file = forms.FileField(
        label="Or choose the file",
        required=False,
        help_text="Definitions as MCP, OpenAI, Anthropic or Gemini write them, JSON Lines (one tool a line, .gz too), or a "
        "tools.yaml. A file can be dropped here.",
    )

    def clean(self) -> None:
        super().clean()
        if bool(self.cleaned_data.get("text")) == bool(self.cleaned_data.get("file")) and not self.errors:
            self.add_error("file", "Paste the tools or choose a file, one of the two.")
        if not self.errors:
            text, file = self.cleaned_data["text"], self.cleaned_data["file"]
            for reason in unreadable(tool_file.read, text.encode() if text else file):
                self.add_error("text" if text else "file", reason)

    def save(self, commit: bool = True) -> Server:
        self.instance.kind = self.kind
        return super().save(commit)


class SkillsServerForm(ServerForm):
    """Skills, from an archive of them or a single one."""

    file = forms.FileField(
        label="Skills",
        help_text="A .zip of skill folders, each with its SKILL.md, or one SKILL.md by itself. Scripts are kept as text, "
        "never run.",
    )

    def clean(self) -> None:
        super().clean()
        if not self.errors:
            for reason in unreadable(skills.read, self.cleaned_data["file"]):
                self.add_error("file", reason)

    def save(self, commit: bool = True) -> Server:
        self.instance.kind = Server.Kind.SKILLS
        return super().save(commit)
