"""Fields that several forms have: lines, and secrets by name."""

from typing import Any

from django import forms


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
