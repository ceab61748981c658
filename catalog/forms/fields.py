"""Fields that several forms have: lines, secrets by name, and what a policy is told of a request."""

from typing import Any

from django import forms

from catalog.policy_text import MOST_LINES, MOST_VALUE, UnreadableError, context_text, read_context


class LinesField(forms.CharField):
    """One value a line; cleaned to a list without blanks."""

    widget = forms.Textarea(attrs={"rows": 4, "spellcheck": "false"})

    def prepare_value(self, value: Any) -> Any:
        return "\n".join(value) if isinstance(value, list) else value

    def to_python(self, value: Any) -> Any:
        return [line.strip() for line in (value or "").splitlines() if line.strip()]


class SecretsField(LinesField):
    """`NAME=value` a line, cleaned to a dictionary. A name alone keeps the value that is stored."""

    def __init__(self, separator: str, **options: Any) -> None:
        self.separator = separator
        super().__init__(required=False, **options)

    def to_python(self, value: Any) -> Any:
        found: dict[str, str | None] = {}
        for number, line in enumerate(super().to_python(value), start=1):
            name, separator, secret = line.partition(self.separator)
            if not name.strip() or (separator and not secret.strip()):
                raise forms.ValidationError(f"Line {number}: write NAME{self.separator}value, or the name alone.")
            found[name.strip()] = secret.strip() if separator else None
        return found

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
