"""The forms of a catalog's policy: one rule, and what is asked after the rules."""

from typing import Any

from django import forms
from django.conf import settings

from catalog.forms.fields import ContextField
from catalog.forms.versions import Versioned
from catalog.models import Catalog, PolicyRule
from catalog.person_kinds import KINDS, PersonKind, in_order
from catalog.policy import PHASES
from catalog.policy_text import UnreadableError, conditions_text, read_conditions

MOST_RULES = 200
PHASE_WORDS = {
    "search": "Search: found and listed",
    "load": "Load: brought into view",
    "active": "Active: in view, called",
}


class RuleForm(Versioned, forms.ModelForm[PolicyRule]):
    """A rule; `conditions` are written a line each."""

    allow = forms.TypedChoiceField(
        label="It",
        choices=[("deny", "Denies"), ("allow", "Allows")],
        coerce=lambda text: text == "allow",
        widget=forms.RadioSelect,
        initial="deny",
    )
    phases = forms.MultipleChoiceField(
        choices=[(phase, PHASE_WORDS[phase]) for phase in PHASES],
        widget=forms.CheckboxSelectMultiple,
        initial=list(PHASES),
    )
    conditions = forms.CharField(
        required=False,
        label="Where",
        max_length=4_000,
        widget=forms.Textarea(attrs={"rows": 2, "spellcheck": "false", "placeholder": "role is guest"}),
        help_text="A condition a line, all of which must hold: role is guest · role is not admin · team is sales or support. "
        "Empty: always.",
    )

    @property
    def told_row(self) -> Catalog | None:
        return self.instance.catalog if self.row else None

    class Meta:
        model = PolicyRule
        fields = ["allow", "pattern", "phases", "conditions", "note"]
        labels = {"pattern": "Tools named", "note": "Note"}
        help_texts = {
            "pattern": "As a model calls them; * stands for anything and ? for one character, as in github__*.",
            "note": "Why it is there, for those who come after.",
        }
        widgets = {
            "pattern": forms.TextInput(attrs={"spellcheck": "false", "autocomplete": "off", "placeholder": "github__*"})
        }

    def __init__(self, data: Any, instance: PolicyRule) -> None:
        conditions = conditions_text(instance.to_rule().when)
        initial: dict[str, Any] = {"conditions": conditions, "allow": "allow" if instance.allow else "deny"}
        initial |= {} if instance.pk else {"phases": list(PHASES), "pattern": ""}
        super().__init__(data, instance=instance, initial=initial)

    def clean_conditions(self) -> list[dict[str, Any]]:
        try:
            found = read_conditions(self.cleaned_data["conditions"])
        except UnreadableError as error:
            raise forms.ValidationError(str(error)) from None
        return [{"key": one.key, "values": list(one.values), "is_not": one.is_not} for one in found]

    def clean(self) -> dict[str, Any]:
        if self.instance.pk is None and self.instance.catalog.policy_rules.count() >= MOST_RULES:
            raise forms.ValidationError(f"A policy has at most {MOST_RULES} rules.")
        return super().clean() or {}


class AskedForm(Versioned, forms.ModelForm[Catalog]):
    """The code that is asked where no rule fits, by the name that the deployment gave it, and the context to try."""

    policy = forms.ChoiceField(required=False, label="Where no rule fits, ask")
    context_to_try = ContextField(
        label="Context to try",
        help_text="What is known of a request, a line each: role = guest, platform = linux. Numbers, true and false "
        "count as such.",
    )

    class Meta:
        model = Catalog
        fields = ["policy", "context_to_try"]

    def __init__(self, data: Any, instance: Catalog) -> None:
        super().__init__(data, instance=instance)
        named = dict.fromkeys([*settings.PEGBOARD_POLICIES, *filter(None, [instance.policy])])
        self.fields["policy"] = forms.ChoiceField(
            required=False,
            label="Where no rule fits",
            choices=[("", "Allow"), *((name, f"Ask {name}") for name in named)],
            initial=instance.policy,
        )


class AskPersonForm(Versioned, forms.ModelForm[Catalog]):
    """The kinds of calls that wait for a person."""

    ask_person = forms.MultipleChoiceField(
        required=False, label="Ask a person first", choices=[*KINDS.items()], widget=forms.CheckboxSelectMultiple
    )

    class Meta:
        model = Catalog
        fields = ["ask_person"]

    def clean_ask_person(self) -> list[PersonKind]:
        return in_order(self.cleaned_data["ask_person"])
