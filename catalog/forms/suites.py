"""The forms of suites: what one is, its queries and their filters, a verdict, a query that is filed, files that are brought."""

from typing import Any

from django import forms
from django.db.models import Model
from django.utils.text import slugify

from catalog.evaluating.entries import MOST_NEEDS, Entry, tidy_tags
from catalog.evaluating.formats import read_csv, read_jsonl, read_trec
from catalog.evaluating.reading import MOST_TEXT, one_ending
from catalog.forms.versions import Versioned
from catalog.models import Judgement, Suite, SuiteQuery
from catalog.sources.errors import SourceError
from catalog.sources.json_text import decoded

RESERVED_SLUGS = frozenset(("add", "file"))
"""Short names that no suite can have: pages have these addresses."""
MOST_CHARACTERS = 2_000_000
STATES = [
    ("", "All queries"),
    ("judged", "Judged"),
    ("unjudged", "Not judged"),
    ("differing", "People differ"),
    ("missing", "Names a tool that is not here"),
]
FORMATS = [("jsonl", "JSON Lines"), ("csv", "CSV"), ("trec", "TREC: topics and qrels")]


class SuiteForm(Versioned, forms.ModelForm[Suite]):
    """What a suite is called, and whose tools answer it."""

    slug = forms.SlugField(max_length=60, required=False, label="Short name", help_text="Its place in addresses.")

    class Meta:
        model = Suite
        fields = ["title", "slug", "description", "catalog"]
        widgets = {"description": forms.Textarea(attrs={"rows": 2})}
        help_texts = {"catalog": "The catalog whose tools answer its queries."}

    def clean_slug(self) -> str:
        slug: str = self.cleaned_data["slug"] or slugify(self.cleaned_data.get("title", ""))[:60].strip("-")
        if not slug:
            raise forms.ValidationError("Give a short name: none could be made from the title.")
        if slug in RESERVED_SLUGS:
            raise forms.ValidationError(f"{slug} is the address of another page. Choose another short name.")
        if Suite.objects.filter(slug=slug).exclude(pk=self.instance.pk).exists():
            raise forms.ValidationError(f"There is a suite named {slug} already. Choose another short name.")
        return slug


class TagsField(forms.CharField):
    """Tags separated by commas; cleaned to a list in lower case, sorted."""

    def __init__(self, **options: Any) -> None:
        super().__init__(required=False, max_length=400, **options)

    def prepare_value(self, value: Any) -> Any:
        return ", ".join(value) if isinstance(value, list) else value

    def clean(self, value: Any) -> list[str]:
        return list(tidy_tags((super().clean(value) or "").replace(";", ",").split(",")))

    def has_changed(self, initial: Any, data: Any) -> bool:
        return list(initial or []) != list(tidy_tags((data or "").split(",")))


class QueryForm(Versioned, forms.ModelForm[SuiteQuery]):
    """A query's words and tags. Its suite is that of the row."""

    text = forms.CharField(
        label="Query", max_length=MOST_TEXT, widget=forms.Textarea(attrs={"rows": 2, "class": "written"})
    )
    tags = TagsField(help_text="Separated by commas.")

    class Meta:
        model = SuiteQuery
        fields = ["text", "tags"]

    @property
    def told_row(self) -> Model | None:
        """The audit tells of a query under its suite."""
        return self.instance.suite if self.row else None

    def clean_text(self) -> str:
        text: str = one_ending(self.cleaned_data["text"])
        if self.instance.suite.queries.filter(text=text).exclude(pk=self.instance.pk).exists():
            raise forms.ValidationError("The suite has this query already.")
        return text


class QueryFilterForm(forms.Form):
    """The filters of a suite's queries; every one is in the address."""

    q = forms.CharField(required=False, max_length=200)
    tag = forms.CharField(required=False, max_length=400)
    state = forms.ChoiceField(required=False, choices=STATES)


class VerdictForm(forms.Form):
    """A verdict on `server/name`; an empty one takes the person's last back. For NO_TOOL the tool is empty."""

    tool = forms.CharField(required=False, max_length=241)
    verdict = forms.ChoiceField(required=False, choices=[("", "Take back"), *Judgement.Verdict.choices])
    need = forms.IntegerField(required=False, min_value=1, max_value=MOST_NEEDS)

    def clean(self) -> None:
        tool, verdict = self.cleaned_data.get("tool") or "", self.cleaned_data.get("verdict")
        server, _, name = tool.partition("/")
        if verdict == Judgement.Verdict.NO_TOOL and tool:
            raise forms.ValidationError("That no tool answers names no tool.")
        if verdict not in ("", Judgement.Verdict.NO_TOOL) and not (server and name and len(server) <= 40):
            raise forms.ValidationError("Name the tool as server/name.")


class FilingForm(forms.Form):
    """A query that was asked somewhere, put into a suite; `tool` was called after it, and is suggested."""

    suite = forms.ModelChoiceField(Suite.objects.all(), to_field_name="slug")
    text = forms.CharField(max_length=MOST_TEXT)
    origin = forms.CharField(required=False, max_length=200)
    tool = forms.CharField(required=False, max_length=241)


class SuiteFileForm(forms.Form):
    """Queries with verdicts: a file or its text, for TREC topics and qrels. `entries` reads them."""

    format = forms.ChoiceField(choices=FORMATS, widget=forms.RadioSelect, initial="jsonl")
    file = forms.FileField(required=False, label="A file", help_text="At most 2 MB. For TREC: the topics.")
    qrels_file = forms.FileField(required=False, label="TREC qrels", help_text="Only for TREC.")
    text = forms.CharField(required=False, label="Or its text", strip=False, max_length=MOST_CHARACTERS)
    qrels = forms.CharField(required=False, label="Qrels as text", strip=False, max_length=MOST_CHARACTERS)

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        for name in ("text", "qrels"):
            self.fields[name].widget = forms.Textarea(attrs={"rows": 6, "spellcheck": "false"})

    def clean(self) -> None:
        for file, text in (("file", "text"), ("qrels_file", "qrels")):
            if (given := self.cleaned_data.get(file)) is not None:
                if given.size > MOST_CHARACTERS:
                    raise forms.ValidationError("The file is larger than 2 MB.")
                try:
                    self.cleaned_data[text] = decoded(given.read())
                except SourceError as error:
                    raise forms.ValidationError(str(error)) from None
            self.cleaned_data[text] = one_ending(self.cleaned_data.get(text) or "")
        if not self.cleaned_data["text"].strip():
            raise forms.ValidationError("Choose a file, or paste its text.")

    def entries(self, named: dict[str, str]) -> list[Entry]:
        """Raises MistakesError."""
        text = self.cleaned_data["text"]
        match self.cleaned_data["format"]:
            case "csv":
                return read_csv(text, named)
            case "trec":
                return read_trec(text, self.cleaned_data["qrels"], named)
        return read_jsonl(text, named)
