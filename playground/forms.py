"""What people fill in around runs: a task to start, filters of the list, a chat model."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django import forms
from django.conf import settings
from django.core.validators import MaxValueValidator

from catalog.editions import PUBLISHED
from catalog.forms.fields import ContextField
from catalog.forms.settings_fields import given_settings, settings_fields
from catalog.forms.versions import Difference, Versioned
from catalog.models import Catalog
from catalog.person_kinds import KINDS, in_order
from catalog.publishing.asking import NoSuchVersionError, edition_of
from catalog.search.settings import UnfitSettingsError, changed, fitting_settings, read_settings
from playground.models import ChatModel
from playground.modes import MODES

MOST_TASK = 20_000
"""Characters of a task."""
OF_THE_CATALOG = "As the catalog has it"
"""What a person reads where a run has no mode of its own."""


def version_problem(catalog: Catalog, version: str) -> str:
    """Why the catalog has no edition of that name; empty if it has."""
    try:
        edition_of(catalog, version)
    except NoSuchVersionError:
        return f"{catalog.title} has no such version. Choose another."
    return ""


class StartForm(forms.Form):
    """A run to start."""

    catalog = forms.ModelChoiceField(Catalog.objects.all(), to_field_name="slug", empty_label=None)
    chat_model = forms.ModelChoiceField(ChatModel.objects.filter(enabled=True), label="Chat model", empty_label=None)
    task = forms.CharField(
        max_length=MOST_TASK,
        widget=forms.Textarea(
            attrs={"rows": 3, "placeholder": "What is to be done? The model finds the tools for it."}
        ),
    )
    context = ContextField(
        label="Request context",
        help_text="What the catalog’s policy is told of the request: who asks, for what. A line each: role = guest. "
        "platform = linux (darwin, win32) leaves out tools that do not run there.",
    )
    version = forms.CharField(required=False, max_length=12, label="Version")
    mode = forms.ChoiceField(
        required=False,
        label="Mode",
        choices=[("", OF_THE_CATALOG), *((slug, kind.title) for slug, kind in MODES.items())],
    )
    ask_person = forms.MultipleChoiceField(required=False, label="Ask a person first", choices=[*KINDS.items()])
    ask_shown = forms.CharField(required=False, max_length=100)
    """The kinds of the catalog as the form showed them; empty where it showed none."""

    def clean(self) -> None:
        catalog, version = self.cleaned_data.get("catalog"), self.cleaned_data.get("version", "")
        self.cleaned_data["version"] = version or PUBLISHED
        if catalog is not None and (problem := version_problem(catalog, version)):
            self.add_error("version", problem)

    @property
    def asking(self) -> dict[str, Any]:
        """What a valid form asks a person for beside what it showed of the catalog, and what of that it does not."""
        shown, chosen = set(self.cleaned_data["ask_shown"].split()), set(self.cleaned_data["ask_person"])
        return {"ask_person": [*in_order(chosen - shown)], "ask_less": [*in_order(shown - chosen)]}


class LimitsForm(forms.Form):
    """What one run may use up; what is left empty is as the settings have it, which also set the most."""

    turns = forms.IntegerField(required=False, min_value=1, label="Turns")
    calls = forms.IntegerField(required=False, min_value=1, label="Calls")
    tokens = forms.IntegerField(required=False, min_value=1, label="Tokens")
    seconds = forms.IntegerField(required=False, min_value=1, label="Seconds")
    dollars = forms.FloatField(
        required=False,
        min_value=0.0001,
        max_value=10_000,
        label="Dollars",
        widget=forms.NumberInput(attrs={"placeholder": "none", "inputmode": "decimal", "step": "any"}),
    )

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        for name, most in settings.PEGBOARD_RUN_LIMITS_MOST.items():
            field = self.fields[name]
            field.validators.append(MaxValueValidator(most, f"At most {most:,}."))
            usual = min(settings.PEGBOARD_RUN_LIMITS[name], most)
            field.widget.attrs.update({"max": most, "placeholder": f"{usual:,}", "inputmode": "numeric"})

    @property
    def limits(self) -> dict[str, float]:
        """Those that were filled in, of a valid form."""
        return {name: value for name, value in self.cleaned_data.items() if value is not None}


TRACE_PARTS = (
    ("model", "Model calls"),
    ("searched", "Searches"),
    ("loaded", "Loads"),
    ("called", "Calls"),
    ("problem", "Problems"),
)
"""What a trace can be narrowed to: rows of one kind, or those that went wrong."""
RUN_VIEWS = (("chat", "Chat"), ("trace", "Trace"), ("raw", "Raw"), ("toolset", "Toolset"))
"""The views of a run, as its address names them; the first is usual."""


class ReplayForm(forms.Form):
    """Which view of a run is shown, and the event after which. What cannot be read counts as left out.

    `turn` is the model call that the raw view shows, `open` the row of the trace that is shown whole, `only` the rows to
    which the trace is narrowed, and `rows` is "all" where the toolset leaves none out.
    """

    at = forms.IntegerField(required=False, min_value=1, max_value=2**31 - 1)
    view = forms.ChoiceField(required=False, choices=RUN_VIEWS)
    turn = forms.IntegerField(required=False, min_value=1, max_value=2**31 - 1)
    open = forms.CharField(required=False, max_length=60)
    only = forms.ChoiceField(required=False, choices=TRACE_PARTS)
    rows = forms.ChoiceField(required=False, choices=[("all", "all")])

    @property
    def at_event(self) -> int | None:
        found: int | None = self._read("at")
        return found

    @property
    def shown_view(self) -> str:
        return self._read("view") or "chat"

    @property
    def kept(self) -> dict[str, str]:
        """What links carry over of the address, whatever moment they lead to."""
        return {"view": self.shown_view} if self.shown_view != "chat" else {}

    @property
    def turn_to_go_to(self) -> int | None:
        """The turn whose beginning is asked for; the raw view shows a turn by itself."""
        return None if self.shown_view == "raw" else self.asked_turn

    @property
    def asked_turn(self) -> int | None:
        found: int | None = self._read("turn")
        return found

    @property
    def opened(self) -> str:
        return self._read("open") or ""

    @property
    def part(self) -> str:
        return self._read("only") or ""

    @property
    def has_all_rows(self) -> bool:
        return bool(self._read("rows"))

    def _read(self, name: str) -> Any:
        return self.cleaned_data.get(name) if self.is_valid() or self.is_bound else None


class TourForm(forms.Form):
    """The stop of the tour, counted from 1."""

    step = forms.IntegerField(required=False, min_value=1, max_value=1_000)


class ForkAtForm(forms.Form):
    """Where a thread is forked: before an event, or with another `result` than the event of that number told."""

    at = forms.IntegerField(required=False, min_value=1, max_value=2**31 - 1)
    result = forms.IntegerField(required=False, min_value=1, max_value=2**31 - 1)


class ChatModelForm(Versioned, forms.ModelForm[ChatModel]):
    """A chat model. Its key is written here and shown nowhere."""

    api_key = forms.CharField(
        required=False,
        label="API key",
        max_length=2_000,
        widget=forms.PasswordInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
        help_text="Stored encrypted, never shown again. Left empty, the stored key stays; without one, the provider's "
        "usual environment variable counts.",
    )
    forget_key = forms.BooleanField(required=False, label="Forget the stored key")

    class Meta:
        model = ChatModel
        fields = ["title", "name", "base_url", "enabled", "prompt_price", "completion_price", "cached_price"]
        labels = {
            "name": "Model",
            "base_url": "Address",
            "enabled": "Runs may use it",
            "prompt_price": "Prompts",
            "completion_price": "Answers",
            "cached_price": "Cached",
        }
        widgets = {
            f"{part}_price": forms.NumberInput(attrs={"step": "any", "min": 0})
            for part in ("prompt", "completion", "cached")
        }
        help_texts = {
            "name": "As LiteLLM names it: openai/gpt-5-mini, anthropic/claude-sonnet-4-5, ollama_chat/qwen3.",
            "base_url": "Only for an endpoint of your own that speaks the OpenAI protocol, often ending in /v1.",
        }

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        if not self.instance.api_key:
            del self.fields["forget_key"]

    def beside(self) -> Any:
        return self.instance.secrets

    def clean_name(self) -> str:
        name = str(self.cleaned_data["name"])
        if not all(name.partition("/")):
            raise forms.ValidationError("Write it as provider/model, like openai/gpt-5-mini.")
        return name

    def clean(self) -> None:
        prompt, completion, cached = (
            self.cleaned_data.get(f"{part}_price") for part in ("prompt", "completion", "cached")
        )
        if (prompt is None) != (completion is None):
            self.add_error("prompt_price" if prompt is None else "completion_price", "A price needs both.")
        elif cached is not None and prompt is None:
            self.add_error("prompt_price", "A price of cached tokens needs the others.")

    def save(self, commit: bool = True) -> ChatModel:
        if self.cleaned_data.get("forget_key"):
            self.instance.secrets = {}
        if key := self.cleaned_data["api_key"].strip():
            self.instance.secrets = {"api_key": key}
        return super().save(commit)


@dataclass(frozen=True, slots=True)
class ModeChoice:
    """What a reader is told of a mode."""

    slug: str
    title: str
    summary: str
    source: str


def mode_choice(slug: str) -> ModeChoice:
    kind = MODES[slug]
    return ModeChoice(slug, kind.title, kind.summary, kind.source)


class ModeForm(Versioned, forms.Form):
    """The mode of a catalog and the options of that mode; those of other modes are passed over.

    `options` are those kept, and once the form is valid, those filled in.
    """

    mode = forms.ChoiceField(choices=[(slug, kind.title) for slug, kind in MODES.items()], widget=forms.RadioSelect)

    def __init__(self, data: Mapping[str, Any] | None, catalog: Catalog) -> None:
        self.catalog = catalog
        named = (data or {}).get("mode", catalog.mode)
        self.chosen = named if named in MODES else next(iter(MODES))
        kept = catalog.mode_options if catalog.mode == self.chosen else {}
        self.options, _ = fitting_settings(MODES[self.chosen].Options, kept)
        fields = settings_fields(MODES[self.chosen].Options, self.chosen, changed(self.options))
        usual = {name: field.initial for name, field in fields.items()}
        super().__init__(data and {**usual, **data}, initial={"mode": catalog.mode})
        self.fields.update(fields)

    @property
    def row(self) -> Catalog:
        return self.catalog

    @cached_property
    def standing(self) -> dict[str, Any]:
        return {"mode": self.catalog.mode, "options": self.catalog.mode_options}

    def differing(self) -> list[Difference]:
        """Once the options were read."""
        stands = MODES[self.catalog.mode].title if self.catalog.mode in MODES else self.catalog.mode
        mode = ("Mode", stands, self.chosen_mode.title)
        options = ("Options", self.catalog.mode_options, changed(self.options))
        return [one for one in (mode, options) if one[1] != one[2]]

    @property
    def chosen_mode(self) -> ModeChoice:
        return mode_choice(self.chosen)

    @property
    def modes(self) -> list[ModeChoice]:
        return [mode_choice(slug) for slug in MODES]

    @property
    def option_fields(self) -> list[forms.BoundField]:
        return [self[name] for name in self.fields if name != "mode"]

    def clean(self) -> None:
        try:
            self.options = read_settings(MODES[self.chosen].Options, given_settings(self.cleaned_data, self.chosen))
        except UnfitSettingsError as error:
            for name, problem in error.problems.items():
                self.add_error(f"{self.chosen}.{name}", problem)
