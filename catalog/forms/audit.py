"""The filters of the audit; every one is in its address."""

from django import forms

from catalog.auditing.acts import Act
from catalog.auditing.kinds import kinds_for
from catalog.roles import Role


def _day(label: str) -> forms.DateField:
    return forms.DateField(required=False, label=label, widget=forms.DateInput(attrs={"type": "date"}))


class AuditFilterForm(forms.Form):
    """`before` and `after` are keys of entries that a page goes on from; `key` is that of one row of the kind."""

    name = forms.CharField(required=False, max_length=300)
    who = forms.CharField(
        required=False, max_length=150, widget=forms.TextInput(attrs={"placeholder": "Who", "autocomplete": "off"})
    )
    act = forms.ChoiceField(required=False)
    kind = forms.ChoiceField(required=False)
    key = forms.CharField(required=False, max_length=400, widget=forms.HiddenInput)
    since = _day("Since")
    until = _day("Until")
    before = forms.IntegerField(required=False, min_value=0, max_value=2**62)
    after = forms.IntegerField(required=False, min_value=0, max_value=2**62)

    def __init__(self, asked: object, role: Role) -> None:
        super().__init__(asked)  # type: ignore[arg-type]
        acts = [(act.value, act.value.replace("-", " ")) for act in Act]
        self.fields["act"].choices = [("", "Every act"), *sorted(acts)]  # type: ignore[attr-defined]
        kinds = [(kind.word, kind.word) for kind in kinds_for(role)]
        self.fields["kind"].choices = [("", "Every kind"), *kinds]  # type: ignore[attr-defined]
