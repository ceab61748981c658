"""The form of a catalog's YAML: pasted, or a file."""

from django import forms

from catalog.catalog_yaml.reading import MOST_CHARACTERS
from catalog.sources.errors import SourceError
from catalog.sources.json_text import decoded


class YamlForm(forms.Form):
    """`text` is what is read: of the file, if there is one."""

    file = forms.FileField(required=False, label="A file", help_text="As a catalog's page exports it, at most 1 MB.")
    text = forms.CharField(
        required=False,
        label="Or its text",
        strip=False,
        max_length=MOST_CHARACTERS,
        widget=forms.Textarea(attrs={"rows": 14, "spellcheck": "false", "class": "mono", "wrap": "off"}),
    )

    def clean(self) -> None:
        file = self.cleaned_data.get("file")
        if file is not None:
            if file.size > MOST_CHARACTERS:
                raise forms.ValidationError("The file is larger than 1 MB.")
            try:
                self.cleaned_data["text"] = decoded(file.read())
            except SourceError as error:
                raise forms.ValidationError(str(error)) from None
        if not (self.cleaned_data.get("text") or "").strip():
            raise forms.ValidationError("Choose a file, or paste its text.")
