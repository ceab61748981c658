"""What people fill in around runs: a task to start, filters of the list, a chat model."""

from typing import Any

from django import forms

from catalog.models import Catalog
from playground.models import ChatModel, Run

MOST_TASK = 20_000
"""Characters of a task."""


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


class RunFilterForm(forms.Form):
    """The filters of the runs page; every one is in its address."""

    q = forms.CharField(required=False, label="Words of the task", max_length=200)
    status = forms.ChoiceField(required=False, choices=[("", "Any status"), *Run.Status.choices])
    catalog = forms.ModelChoiceField(
        Catalog.objects.all(), required=False, to_field_name="slug", empty_label="All catalogs"
    )


class ReplayForm(forms.Form):
    """The event after which a recorded run is shown."""

    at = forms.IntegerField(required=False, min_value=1, max_value=2**31 - 1)


class ChatModelForm(forms.ModelForm[ChatModel]):
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
        fields = ["title", "name", "base_url", "enabled"]
        labels = {"name": "Model", "base_url": "Address", "enabled": "Runs may use it"}
        help_texts = {
            "name": "As LiteLLM names it: openai/gpt-5-mini, anthropic/claude-sonnet-4-5, ollama_chat/qwen3.",
            "base_url": "Only for an endpoint of your own that speaks the OpenAI protocol, often ending in /v1.",
        }

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        if not self.instance.api_key:
            del self.fields["forget_key"]

    def clean_name(self) -> str:
        name = str(self.cleaned_data["name"])
        if not all(name.partition("/")):
            raise forms.ValidationError("Write it as provider/model, like openai/gpt-5-mini.")
        return name

    def save(self, commit: bool = True) -> ChatModel:
        if self.cleaned_data.get("forget_key"):
            self.instance.secrets = {}
        if key := self.cleaned_data["api_key"].strip():
            self.instance.secrets = {"api_key": key}
        return super().save(commit)
