"""What people fill in of an agent."""

from typing import Any

from django import forms
from django.utils.text import slugify

from catalog.forms.versions import Versioned
from catalog.models import Agent, Catalog
from playground.models import ChatModel


class AgentForm(Versioned, forms.ModelForm[Agent]):
    """An agent. Its name stays once it is there: recorded runs and filters of catalogs go by it."""

    name = forms.CharField(
        max_length=40,
        required=False,
        label="Short name",
        help_text="Under which models call it, as agents__travel-desk. Left empty, it is made from the title.",
    )
    catalog = forms.ModelChoiceField(
        Catalog.objects.all(), empty_label=None, help_text="What it may discover, and how: its own mode and engine."
    )
    chat_model = forms.ChoiceField(required=False, label="Chat model")

    class Meta:
        model = Agent
        fields = ["title", "name", "description", "instructions", "catalog", "chat_model", "turns"]
        labels = {"turns": "Turns"}
        help_texts = {
            "description": "What it does and when to ask it: models and searches read this.",
            "instructions": "What it is told before every task, ahead of what its catalog’s mode says.",
            "turns": "Answers of its model that one task may take. It ends at a limit after that.",
        }
        widgets = {
            "description": forms.Textarea(attrs={"rows": 3}),
            "instructions": forms.Textarea(attrs={"rows": 10}),
        }

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["chat_model"].choices = _chat_models(self.instance.chat_model)  # type: ignore[attr-defined]
        if self.instance.pk:
            self.fields.pop("name", None)

    def clean_name(self) -> str:
        name: str = self.cleaned_data["name"] or slugify(self.cleaned_data.get("title", ""))[:40].strip("-")
        if not name or name == "add":
            raise forms.ValidationError("Give a short name: none could be made from the title.")
        if Agent.objects.filter(name=name).exists():
            raise forms.ValidationError(f"There is an agent named {name} already. Choose another short name.")
        return name


def _chat_models(chosen: str) -> list[tuple[str, str]]:
    """By LiteLLM's names; one that was chosen and is not there now stays, and says so."""
    names = dict(ChatModel.objects.filter(enabled=True).order_by("-id").values_list("name", "title"))
    if chosen and chosen not in names:
        names[chosen] = f"{chosen} (not there now)"
    return [("", "The one of whoever calls it"), *names.items()]
