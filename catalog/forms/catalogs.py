"""The forms of a catalog, and of each server's place in it."""

from typing import Any

from django import forms
from django.utils.text import slugify

from catalog.forms.fields import LinesField
from catalog.models import Catalog
from catalog.patterns import PatternError, compile_glob
from catalog.search import ENGINES


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

    def clean(self) -> dict[str, Any]:
        """The settings of an engine go with it when another is chosen."""
        cleaned: dict[str, Any] = super().clean() or {}
        if cleaned.get("engine") != self.initial.get("engine"):
            self.instance.engine_settings = {}
        return cleaned

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
