"""What people fill in to run one task in several lanes: what all have in common, and what each is made of."""

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any
from urllib.parse import urlencode

from django import forms

from catalog.editions import PUBLISHED
from catalog.forms.fields import ContextField
from catalog.models import Catalog
from catalog.publishing.asking import edition_of
from catalog.publishing.standing import editions_of
from catalog.sources import sample
from playground.forms import MOST_TASK, LimitsForm, mode_choice, version_problem
from playground.lane_options import OPTIONS, options_of
from playground.models import ChatModel
from playground.modes import MODES
from playground.runs.expectation import UnreadableExpectationError, read_expectation
from playground.runs.lanes import MOST_LANES

USUAL_CAP = "1"
"""Dollars, where the form was just opened."""
LEAST_LANES = 2
OFTEN_COMPARED = ("everything", "mcpagent", "eino", "mastra", "sanqian")
"""Modes of the lanes that a form begins with or adds, in order; those that the catalog has itself are passed over."""


class LaneForm(forms.Form):
    """One lane. Its fields are named with its place before them: `2-catalog`, `2-mastra.top_k`.

    What is left empty of its mode's options is as usual: as its catalog has it, or in another mode that mode's default.
    """

    catalog = forms.ModelChoiceField(Catalog.objects.all(), to_field_name="slug", empty_label=None)
    version = forms.ChoiceField(required=False, label="Version")
    mode = forms.ChoiceField(required=False)
    chat_model = forms.ModelChoiceField(ChatModel.objects.filter(enabled=True), label="Model", empty_label=None)

    def __init__(self, data: Mapping[str, str], place: int) -> None:
        super().__init__(data, prefix=str(place))
        self.place = place
        catalog = Catalog.objects.filter(slug=self["catalog"].value()).first()
        asked = self["version"].value() or PUBLISHED
        editions = editions_of(catalog) if catalog else []
        if catalog and asked not in dict(editions) and not version_problem(catalog, asked):
            editions = editions_of(catalog, edition_of(catalog, asked))
        own = mode_choice(catalog.mode).title if catalog and catalog.mode in MODES else "none that is there"
        self.fields["version"].choices = editions  # type: ignore[attr-defined]
        self.fields["mode"].choices = [  # type: ignore[attr-defined]
            ("", f"The catalog’s own: {own}"),
            *((slug, kind.title) for slug, kind in MODES.items()),
        ]
        self._options = options_of(self["catalog"].value() or "", asked, self["mode"].value() or "")
        self.usual = self._options.usual if self._options else {}
        self.fields.update(self._options.fields if self._options else {})
        self.data = {**{self.add_prefix(name): value for name, value in self.usual.items()}, **_written(data)}

    @property
    def plain_fields(self) -> list[forms.BoundField]:
        return [self[name] for name in PARTS]

    @property
    def option_fields(self) -> list[forms.BoundField]:
        return [self[name] for name in self.usual]

    @property
    def changed_options(self) -> dict[str, str]:
        """Those that are not as usual, as they were written."""
        said = {name: str(self.data[self.add_prefix(name)]) for name in self.usual}
        return {name: value for name, value in said.items() if value != self.usual[name]}

    @property
    def said(self) -> dict[str, str]:
        """All of it, by the names of its fields."""
        return {**{part: self.data.get(self.add_prefix(part), "") for part in PARTS}, **self.changed_options}

    @property
    def made(self) -> tuple[str, dict[str, Any]]:
        """Of a valid lane, the mode and the options of its run."""
        return self._options.made(self.cleaned_data) if self._options else (self.cleaned_data["mode"], {})

    @property
    def has_versions(self) -> bool:
        return len(self.fields["version"].choices) > 1  # type: ignore[attr-defined]

    def clean_version(self) -> str:
        return self.cleaned_data["version"] or PUBLISHED


class CommonForm(forms.Form):
    """What all lanes have in common. Only who starts them must have written a task."""

    task = forms.CharField(max_length=MOST_TASK)
    cap = forms.FloatField(required=False, min_value=0.0001, max_value=10_000, label="Cap for all lanes, in dollars")
    expected = forms.CharField(required=False, max_length=20_000, label="Calls that make a lane a success")
    context = ContextField(label="Request context")

    def __init__(self, data: Mapping[str, str], is_start: bool) -> None:
        super().__init__(data)
        self.fields["task"].required = is_start

    def clean_expected(self) -> str:
        """Left empty, those of the sample's task that it is, if it is one."""
        text = self.cleaned_data["expected"] or "\n".join(expected_of(self.data.get("task", "")))
        try:
            read_expectation(text)
        except UnreadableExpectationError as error:
            raise forms.ValidationError(error.problems) from None
        return text


def expected_of(task: str) -> tuple[str, ...]:
    """The tools that a task of the sample needs; none of any other."""
    return next((one.expects for one in sample.tasks() if one.task.strip() == task.strip()), ())


class LanesForm:
    """All of it, read from an address or from what was sent. Lanes that are not named are those that make sense at once."""

    def __init__(self, data: Mapping[str, str], *, is_start: bool = False) -> None:
        self.data = _filled({name: value for name, value in data.items() if _is_known(name)})
        self.common = CommonForm(self.data, is_start)
        self.limits = LimitsForm(self.data)
        self.lanes = [LaneForm(self.data, place) for place in _places(self.data)]
        self.data = {**_common(self.data), **_named([lane.said for lane in self.lanes])}

    def is_valid(self) -> bool:
        faulty = [form for form in (self.common, self.limits, *self.lanes) if not form.is_valid()]
        return not faulty and LEAST_LANES <= len(self.lanes) <= MOST_LANES

    @cached_property
    def address(self) -> str:
        """The query by which this form comes back as it is."""
        return urlencode([(name, value) for name, value in self.data.items() if value or name == "cap"])

    @property
    def may_add(self) -> bool:
        return len(self.lanes) < MOST_LANES

    @property
    def may_remove(self) -> bool:
        return len(self.lanes) > LEAST_LANES

    def changed(self, act: str) -> "LanesForm":
        """The form after `add`, `duplicate-2` or `remove-2`; as it is after any other word."""
        what, _, number = act.partition("-")
        lanes, place = [lane.said for lane in self.lanes], _number(number, len(self.lanes))
        if what == "add" and self.may_add:
            lanes.append({**lanes[0], "mode": next(_modes_left(lanes), "")})
        elif what == "duplicate" and self.may_add and place:
            lanes.insert(place, lanes[place - 1])
        elif what == "remove" and self.may_remove and place:
            del lanes[place - 1]
        return LanesForm({**_common(self.data), **_named(lanes)})


PARTS = tuple(LaneForm.base_fields)
COMMON = (*CommonForm.base_fields, *LimitsForm.base_fields)


def _is_known(name: str) -> bool:
    place, _, part = name.partition("-")
    return name in (*COMMON, *PARTS) or (part in (*PARTS, *OPTIONS) and place in _PLACES)


_PLACES = tuple(str(place) for place in range(1, MOST_LANES + 1))


def _filled(data: Mapping[str, str]) -> dict[str, str]:
    """With lanes of places without a gap; `catalog`, `version` and `chat_model` are those of the first ones."""
    common = {"cap": USUAL_CAP, **_common(data)}
    lanes = [_lane(data, place) for place in _places(data)] or _usual(data)
    return {**common, **_named(lanes)}


def _common(data: Mapping[str, str]) -> dict[str, str]:
    return {name: value for name, value in data.items() if name in COMMON}


def _written(data: Mapping[str, str]) -> dict[str, str]:
    """Without options that were left empty."""
    return {name: value for name, value in data.items() if value or name.partition("-")[2] not in OPTIONS}


def _usual(data: Mapping[str, str]) -> list[dict[str, str]]:
    """The catalog's own mode, everything, and one more."""
    catalog = Catalog.objects.filter(slug=data.get("catalog", "")).first() or Catalog.objects.first()
    model = data.get("chat_model") or str(ChatModel.objects.filter(enabled=True).values_list("pk", flat=True).first())
    if catalog is None:
        return []
    first = {"catalog": catalog.slug, "version": data.get("version", ""), "mode": "", "chat_model": model}
    lanes = [first]
    while len(lanes) < 3:
        lanes.append({**first, "mode": next(_modes_left(lanes), "")})
    return lanes


def _modes_left(lanes: list[dict[str, str]]) -> Iterator[str]:
    """Those often compared that no lane of the first one's catalog has."""
    first = lanes[0]
    catalog = Catalog.objects.filter(slug=first["catalog"]).first()
    taken = {lane["mode"] or (catalog.mode if catalog else "") for lane in lanes if lane["catalog"] == first["catalog"]}
    return (mode for mode in OFTEN_COMPARED if mode not in taken)


def _places(data: Mapping[str, Any]) -> list[int]:
    return [int(place) for place in _PLACES if f"{place}-catalog" in data]


def _lane(data: Mapping[str, str], place: int) -> dict[str, str]:
    options = {name: data[f"{place}-{name}"] for name in OPTIONS if f"{place}-{name}" in data}
    return {**{part: data.get(f"{place}-{part}", "") for part in PARTS}, **options}


def _named(lanes: list[dict[str, str]]) -> dict[str, str]:
    return {f"{place}-{part}": value for place, lane in enumerate(lanes, 1) for part, value in lane.items()}


def _number(text: str, most: int) -> int:
    """From 1 to `most`, or 0."""
    return int(text) if text in _PLACES and int(text) <= most else 0
