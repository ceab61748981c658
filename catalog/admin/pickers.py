"""A picker with search for rows below a form: what each row has picked is known already, and is not asked for row by row."""

from collections.abc import Sequence
from typing import Any, cast

from django.contrib import admin
from django.contrib.admin.widgets import AutocompleteSelect, RelatedFieldWidgetWrapper
from django.db.models import ForeignKey, Model
from django.forms import ModelForm
from django.forms.models import ModelChoiceField
from django.http import HttpRequest


class KnownPick(AutocompleteSelect):
    """`known` is what the row has picked; anything else is looked up."""

    known: Model | None = None

    def optgroups(self, name: str, value: Sequence[str], attr: Any = None) -> Any:
        if self.known is None or list(value) != [str(self.known.pk)]:
            return super().optgroups(name, value, attr)
        return [(None, [self.create_option(name, self.known.pk, str(self.known), True, 0)], 0)]


class PickedRowInline(admin.TabularInline[Any, Any]):
    """Rows that each have picked another, by the field `picks`, which their query loads."""

    extra = 0
    picks = ""

    def formfield_for_foreignkey(self, db_field: ForeignKey[Any, Any], request: HttpRequest, **options: Any) -> Any:
        if db_field.name == self.picks:
            options["widget"] = KnownPick(db_field, self.admin_site)
        return super().formfield_for_foreignkey(db_field, request, **options)


class PickedRowForm(ModelForm[Any]):
    """The form of such a row."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        for name, field in self.fields.items():
            if isinstance(field, ModelChoiceField) and self.instance.pk and isinstance(_widget(field), KnownPick):
                cast(KnownPick, _widget(field)).known = getattr(self.instance, name)


def _widget(field: ModelChoiceField[Any]) -> Any:
    widget = field.widget
    return widget.widget if isinstance(widget, RelatedFieldWidgetWrapper) else widget
