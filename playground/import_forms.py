"""What people fill in to import runs: logs as files or text, then which of their threads."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile

from catalog.forms.fields import UnshownTextarea
from catalog.models import Catalog
from catalog.sources.errors import SourceError
from catalog.sources.json_text import decoded, inflated
from playground.foreign.formats import READERS
from playground.foreign.records import MOST_BYTES
from playground.runs.brought_logs import BroughtLog, ReadLog, brought

MOST_FILES = 20
MOST_PASTED = 5_000_000
KINDS = [(slug, reader.title) for slug, reader in READERS.items()]


class FilesInput(forms.FileInput):
    allow_multiple_selected = True


class FilesField(forms.FileField):
    """Cleaned to a list of files."""

    widget = FilesInput

    def clean(self, data: Any, initial: Any = None) -> Any:
        files = data if isinstance(data, list | tuple) else [data] if data else []
        return [super(FilesField, self).clean(file, initial) for file in files]


class LogsForm(forms.Form):
    """Logs as files or pasted, MOST_BYTES in all. They may hold secrets, so that they are never shown again."""

    file = FilesField(
        required=False,
        label="Files",
        help_text="JSON or JSON Lines, 20 MB in all, gzipped too. They can be dropped here.",
    )
    text = forms.CharField(
        required=False,
        label="Or paste a log",
        strip=False,
        max_length=MOST_PASTED,
        widget=UnshownTextarea(attrs={"rows": 9, "spellcheck": "false"}),
    )
    kind = forms.ChoiceField(required=False, label="What it is", choices=[("", "Recognise it"), *KINDS])
    logs: list[BroughtLog]

    def clean(self) -> None:
        if self.errors:
            return
        files, text = self.cleaned_data["file"], self.cleaned_data["text"] or ""
        if not files and not text.strip():
            raise forms.ValidationError("Choose files, or paste a log.")
        if len(files) > MOST_FILES:
            raise forms.ValidationError(f"At most {MOST_FILES} files at once.")
        kind = self.cleaned_data["kind"]
        logs = [(str(file.name), self._text_of(file)) for file in files]
        logs += [("pasted text", text)] if text.strip() else []
        if sum(len(text) for _, text in logs) > MOST_BYTES:
            raise forms.ValidationError("They are larger than 20 MB in all. Import them in parts.")
        self.logs = [brought(name, text, kind) for name, text in logs]

    def _text_of(self, file: UploadedFile[Any]) -> str:
        if (file.size or 0) > MOST_BYTES:
            raise forms.ValidationError(f"{file.name} is larger than 20 MB.")
        try:
            return decoded(inflated(file.read(), MOST_BYTES))
        except SourceError as error:
            raise forms.ValidationError(f"{file.name}: {error}") from None


class ThreadsForm(forms.Form):
    """Which threads to import, how each log is to be read, and the catalog that has the tools, if it is here."""

    catalog = forms.ModelChoiceField(
        Catalog.objects.all(),
        required=False,
        to_field_name="slug",
        empty_label="None: the tools are not here",
        label="Catalog that has its tools",
        help_text="Then tools link to it, and a task can be run again with it.",
    )

    def __init__(self, logs: Sequence[ReadLog], data: Any = None) -> None:
        super().__init__(data)
        rows = [planned for log in logs for planned in log.threads]
        self.fields["threads"] = forms.MultipleChoiceField(
            required=False, choices=[(one.key, one.thread.title) for one in rows]
        )
        self._rows = rows

    def clean_threads(self) -> list[Any]:
        chosen = set(self.cleaned_data["threads"])
        found = [planned for planned in self._rows if planned.key in chosen]
        if not found:
            raise forms.ValidationError("Tick what to import.")
        return found
