"""The value of a field in words, to be set beside another. What is secret is told by name alone."""

from typing import Any

from django import forms
from django.core.exceptions import ValidationError

from catalog.forms.fields import SecretsField


def shown_value(field: forms.Field, value: Any) -> Any:
    """`value` as a form got it, or as it was before anybody filled it in."""
    if isinstance(field, SecretsField):
        return field.names(value)
    if isinstance(field.widget, forms.PasswordInput):
        return "a new one, not shown" if value else ""
    if isinstance(field, forms.BooleanField):
        return "yes" if value not in (False, None, "", "False", "false") else "no"
    if isinstance(field, forms.ModelChoiceField):
        return _rows(field, value)
    if isinstance(field, forms.ChoiceField):
        return _chosen(field, value)
    return "" if value is None else field.prepare_value(value)


def _rows(field: forms.ModelChoiceField[Any], value: Any) -> str:
    try:
        found = field.clean(field.prepare_value(value))
    except ValidationError:
        return ""
    if isinstance(field, forms.ModelMultipleChoiceField):
        return "\n".join(str(row) for row in found)
    return str(found or "")


def _chosen(field: forms.ChoiceField, value: Any) -> str:
    words = {str(key): str(said) for key, said in field.choices}  # type: ignore[misc, union-attr]
    values = value if isinstance(value, list | tuple) else [value]
    return ", ".join(words.get(str(one), str(one)) for one in values if one is not None)
