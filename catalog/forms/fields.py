"""Fields that several forms have: lines, secrets by name, and what a policy is told of a request."""

import re
from collections.abc import Iterator
from typing import Any

from django import forms

from catalog.policy_text import MOST_LINES, MOST_VALUE, UnreadableError, context_text, read_context

_NAME = re.compile(r"[A-Za-z0-9_.-]{1,60}")


class LinesField(forms.CharField):
    """One value a line; cleaned to a list without blanks."""

    widget = forms.Textarea(attrs={"rows": 4, "spellcheck": "false"})

    def prepare_value(self, value: Any) -> Any:
        return "\n".join(value) if isinstance(value, list) else value

    def to_python(self, value: Any) -> Any:
        return [line.strip() for line in (value or "").splitlines() if line.strip()]


class SecretsBoundField(forms.BoundField):
    """Of a form that comes back: the values that were written have to be written again."""

    @property
    def left_out(self) -> bool:
        return self.form.is_bound and self.field.separator in (self.data or "")  # type: ignore[attr-defined]


class SecretsField(LinesField):
    """`NAME=value` a line, cleaned to a dictionary. A name alone keeps the value that is stored.

    A form that comes back shows the names that it was sent, and no value.
    """

    def __init__(self, separator: str, **options: Any) -> None:
        self.separator = separator
        super().__init__(required=False, **options)

    def get_bound_field(self, form: forms.BaseForm, field_name: str) -> SecretsBoundField:
        return SecretsBoundField(form, self, field_name)

    def bound_data(self, data: Any, initial: Any) -> list[str]:
        lines = (line.partition(self.separator) for line in (data or "").splitlines())
        names = [(name.strip(), found) for name, found, _ in lines]
        return [name for name, found in names if name in (initial or ()) or (found and _NAME.fullmatch(name))]

    def to_python(self, value: Any) -> Any:
        found: dict[str, str | None] = {}
        for number, name, separator, secret in self._parts(value):
            if not name or (separator and not secret):
                raise forms.ValidationError(f"Line {number}: write NAME{self.separator}value, or the name alone.")
            if name in found:
                raise forms.ValidationError(f"Line {number} has the same name as a line before it.")
            found[name] = secret if separator else None
        return found

    def line_of(self, value: Any, name: str) -> int:
        """The line in which a name was written, from 1."""
        return next((number for number, other, _, _ in self._parts(value) if other == name), 0)

    def _parts(self, value: Any) -> Iterator[tuple[int, str, str, str]]:
        """Of each line that is not blank its number, the name, what parts them, and the value."""
        for number, line in enumerate((value or "").splitlines(), start=1):
            name, separator, secret = line.partition(self.separator)
            if line.strip():
                yield number, name.strip(), separator, secret.strip()

    def names(self, value: Any) -> list[str]:
        """The names alone, of what was stored or filled in."""
        lines = value if isinstance(value, list) else super().to_python(value)
        return sorted(line.partition(self.separator)[0].strip() for line in lines)

    def has_changed(self, initial: Any, data: Any) -> bool:
        """A value that was written is new, whatever was stored."""
        return self.names(initial or []) != self.names(data) or self.separator in (data or "")


class ContextField(forms.CharField):
    """`name = value` a line, or a JSON object; cleaned to a dictionary of texts, numbers and booleans."""

    widget = forms.Textarea(attrs={"rows": 3, "spellcheck": "false", "placeholder": "role = guest"})

    def __init__(self, **options: Any) -> None:
        super().__init__(required=False, max_length=2 * MOST_LINES * MOST_VALUE, **options)

    def prepare_value(self, value: Any) -> Any:
        return context_text(value) if isinstance(value, dict) else value

    def clean(self, value: Any) -> dict[str, Any]:
        try:
            return read_context(super().clean(value))
        except UnreadableError as error:
            raise forms.ValidationError(str(error)) from None

    def has_changed(self, initial: Any, data: Any) -> bool:
        try:
            return bool(self.clean(data) != (initial or {}))
        except forms.ValidationError:
            return True


class UnshownTextarea(forms.Textarea):
    """For texts that may hold secrets: what was sent is not shown again."""

    def format_value(self, value: Any) -> None:
        return None
