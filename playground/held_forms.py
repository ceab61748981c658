"""What a person decides of a call that waits."""

from collections.abc import Mapping
from typing import Any

from django import forms

from catalog.redaction import MASK
from catalog.sources.arguments import check_arguments
from catalog.tools import ToolSpec
from playground.agent.person_events import CallHeld
from playground.runs.holding import Said
from playground.transcript import BadArguments, ToolCall

MOST_ANSWER = 20_000
MOST_ARGUMENTS = 200_000
APPROVAL = [("approved", "Approve"), ("edited", "Send as edited"), ("refused", "Refuse")]
ANSWER = [("answered", "Answer"), ("declined", "I do not want to answer")]


class DecideForm(forms.Form):
    """`tool` is what is called now, None where it is not there any more."""

    act = forms.ChoiceField(error_messages={"required": "Choose what is to happen."})
    digest = forms.CharField(max_length=64)
    arguments = forms.CharField(required=False, max_length=MOST_ARGUMENTS, strip=False)
    text = forms.CharField(required=False, max_length=MOST_ANSWER)

    def __init__(self, data: Mapping[str, Any] | None, held: CallHeld, tool: ToolSpec | None) -> None:
        super().__init__(data)
        self._tool = tool
        self.sent: Mapping[str, Any] | None = None
        self.fields["act"].choices = ANSWER if held.asks == "human" else APPROVAL  # type: ignore[attr-defined]

    def clean(self) -> None:
        match self.cleaned_data.get("act"):
            case "edited":
                self._read_arguments(self.cleaned_data.get("arguments", ""))
            case "answered" if not self.cleaned_data.get("text"):
                self.add_error("text", "Write an answer, or say that you do not want to.")

    @property
    def said(self) -> Said:
        """Of a valid form."""
        told = self.cleaned_data
        return Said(told["act"], told["digest"], self.sent, told["text"])

    def _read_arguments(self, text: str) -> None:
        if MASK in text:
            self.add_error(
                "arguments", f"{MASK} stands for a secret that is not shown: write it, or approve the call as it is."
            )
        try:
            self.sent = ToolCall("", "", text).read_arguments(last_counts=False)
        except BadArguments as mistake:
            self.add_error("arguments", f"{str(mistake)[:1].upper()}{str(mistake)[1:]}.")
            return
        if self._tool is None:
            self.add_error("arguments", "The tool is not there any more, so nothing can be sent to it.")
        for problem in check_arguments(self.sent, self._tool.parameters) if self._tool else ():
            self.add_error("arguments", problem)
