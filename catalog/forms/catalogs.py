"""The forms of a catalog, and of each server's place in it."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.text import Truncator, slugify

from catalog.forms.fields import LinesField
from catalog.forms.versions import Difference, Versioned
from catalog.models import Catalog, Server
from catalog.models.catalog import LONGEST_NAME
from catalog.patterns import PatternError, compile_glob
from catalog.search import ENGINES

RESERVED_SLUGS = frozenset(("add", "compare", "import"))
"""Short names that no catalog can have: pages have these addresses."""


class CatalogForm(Versioned, forms.ModelForm[Catalog]):
    """A catalog's name, mode and engine."""

    slug = forms.CharField(max_length=40, required=False, label="Short name", help_text="Its place in addresses.")

    engine = forms.ChoiceField(
        required=False,
        choices=[("", "The mode's own"), *((slug, kind.title) for slug, kind in ENGINES.items())],
        help_text="What a run's searches ask.",
    )

    gate = forms.ChoiceField(
        required=False,
        choices=Catalog.Gate.choices,
        initial=Catalog.Gate.WARN,
        label="What its suites decide",
        help_text="Asked when a tool is saved and agents get it at once, and when a draft is published.",
    )

    class Meta:
        model = Catalog
        fields = ["title", "slug", "description", "engine", "gate"]
        widgets = {"description": forms.Textarea(attrs={"rows": 2})}

    def clean(self) -> dict[str, Any]:
        """The settings of an engine go with it when another is chosen."""
        cleaned: dict[str, Any] = super().clean() or {}
        if cleaned.get("engine") != self.initial.get("engine"):
            self.instance.engine_settings = {}
        return cleaned

    def clean_gate(self) -> str:
        """Whoever says nothing of it leaves it as it is."""
        return self.cleaned_data["gate"] or self.instance.gate

    def clean_slug(self) -> str:
        slug: str = self.cleaned_data["slug"] or slugify(self.cleaned_data.get("title", ""))[:40].strip("-")
        if not slug:
            raise forms.ValidationError("Give a short name: none could be made from the title.")
        if slug in RESERVED_SLUGS:
            raise forms.ValidationError(f"{slug} is the address of another page. Choose another short name.")
        if Catalog.objects.filter(slug=slug).exclude(pk=self.instance.pk).exists():
            raise forms.ValidationError(f"There is a catalog named {slug} already. Choose another short name.")
        return slug


class CatalogServerForm(forms.Form):
    """One server's place in a catalog: not in it, everything, tools by pattern, or tools by their exact names."""

    choice = forms.ChoiceField(
        label="Its tools",
        choices=[
            ("none", "Not in it"),
            ("everything", "Everything"),
            ("patterns", "By pattern"),
            ("picked", "By hand"),
        ],
        widget=forms.RadioSelect,
    )
    patterns = LinesField(required=False, help_text="One a line; * stands for anything, as in list_*.")
    picked = LinesField(required=False, help_text="Exact names, one a line.")

    @property
    def names(self) -> list[str]:
        """What the choice that was made goes by."""
        choice = self.cleaned_data["choice"]
        return list(self.cleaned_data[choice]) if choice in ("patterns", "picked") else []

    def clean(self) -> None:
        choice, patterns = self.cleaned_data.get("choice"), self.cleaned_data.get("patterns") or []
        if choice == "patterns" and not patterns:
            self.add_error("patterns", "Write at least one pattern, or choose another option.")
        if choice == "picked" and not self.cleaned_data.get("picked"):
            self.add_error("picked", "Pick at least one tool, or choose another option.")
        for field in ("patterns", "picked"):
            for name in self.cleaned_data.get(field) or []:
                if problem := _problem_of(name, is_pattern=field == "patterns"):
                    self.add_error(field, f"{Truncator(name).chars(60)}: {problem}")

    @property
    def said(self) -> str:
        """What was filled in, in words."""
        return in_words(self["choice"].value() or "", self["patterns"].value(), self["picked"].value())

    @property
    def stands(self) -> str:
        return in_words(self.initial["choice"], self.initial["patterns"], self.initial["picked"])


def _problem_of(name: str, *, is_pattern: bool) -> str:
    if len(name) > LONGEST_NAME:
        return f"it has {len(name):,} characters; {LONGEST_NAME} is the most"
    try:
        compile_glob(name if is_pattern else "")
    except PatternError as error:
        return str(error)
    return ""


def in_words(choice: str, patterns: Any, picked: Any) -> str:
    """A filter as lines: what is let in, then by which names."""
    lines = LinesField()
    names = {"patterns": patterns, "picked": picked}.get(choice)
    words = dict(CatalogServerForm.base_fields["choice"].choices)  # type: ignore[attr-defined]
    return "\n".join([words.get(choice, choice), *(names if isinstance(names, list) else lines.to_python(names))])


class FiltersForm(Versioned, forms.Form):
    """All filters of a catalog, which are saved together: it has their version, they have the fields."""

    def __init__(self, data: Any, catalog: Catalog, places: Sequence[tuple[Server, CatalogServerForm]]) -> None:
        self.catalog, self.places = catalog, places
        super().__init__(data)

    @property
    def row(self) -> Catalog:
        return self.catalog

    def beside(self) -> Any:
        return {server.slug: place.stands for server, place in self.places if place.initial["choice"] != "none"}

    def differing(self) -> list[Difference]:
        both = [(server.title, place.stands, place.said) for server, place in self.places]
        return [one for one in both if one[1] != one[2]]
