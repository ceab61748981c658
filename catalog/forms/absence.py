"""An edit that brings a tool in, as its button sends it."""

from django import forms

from catalog.absence.steps import KINDS, TEXTS, Step

MAX_TEXT = 2_000


class BringInForm(forms.Form):
    """`step` may be given several times; `text` are the words of the one among them that adds words."""

    tool = forms.CharField()
    step = forms.MultipleChoiceField(choices=[(kind, kind) for kind in KINDS])
    text = forms.CharField(required=False, max_length=MAX_TEXT)
    next = forms.CharField(required=False)

    def clean(self) -> None:
        if TEXTS.intersection(self.cleaned_data.get("step", ())) and not self.cleaned_data.get("text"):
            self.add_error("text", "Say which words to add.")

    @property
    def steps(self) -> list[Step]:
        text = self.cleaned_data["text"]
        return [Step(kind, text if kind in TEXTS else "") for kind in self.cleaned_data["step"]]
