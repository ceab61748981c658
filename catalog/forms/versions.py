"""A form says from which version of a row it was made. A save over what was saved since is refused, and both are shown.

The version is a keyed digest of what stands, secrets among it, so that it changes with every change, wherever that was made.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django import forms
from django.core.exceptions import NON_FIELD_ERRORS, ValidationError
from django.db.models import Model
from django.utils.crypto import constant_time_compare, salted_hmac

from catalog.forms.shown_values import shown_value
from catalog.saves import Save, last_entry, saves_since

FIELD = "began_from"
"""The name under which forms carry their version."""
SALT = "pegboard.version"
CHANGED = "It was changed since this form was opened. Nothing was saved."
Difference = tuple[str, Any, Any]
"""A label, what stands, and what was filled in."""


@dataclass(frozen=True, slots=True)
class Stale:
    """What differs between what stands and what was filled in, and who saved since, as far as that is known."""

    differing: tuple[Difference, ...]
    saves: tuple[Save, ...]


def digest_of(state: Mapping[str, Any]) -> str:
    text = json.dumps(state, sort_keys=True, default=_keyed)
    return salted_hmac(SALT, text, algorithm="sha256").hexdigest()[:32]


def version_of(state: Mapping[str, Any], row: Model) -> str:
    """A digest of what stands, a dot, and the number of the row's last entry in the audit."""
    return f"{digest_of(state)}.{last_entry(row)}"


def stale_since(
    began_from: str, state: Mapping[str, Any], row: Model, differing: Callable[[], list[Difference]]
) -> Stale | None:
    """None where what stands is what a form was made from. A form that does not say that is refused as well."""
    digest, _, number = began_from.partition(".")
    if constant_time_compare(digest, digest_of(state)):
        return None
    since = saves_since(row, int(number)) if number.isascii() and number.isdigit() and len(number) < 19 else []
    return Stale(tuple(differing()), tuple(since))


class Versioned(forms.BaseForm):
    """Of a form class: its forms carry a version, and one that was made from another than stands is not valid.

    The row must be read in the transaction that saves it.
    """

    stale: Stale | None = None
    is_trial = False
    """Filled in to see what would be, and not to be saved."""

    @property
    def row(self) -> Model | None:
        """What the form is about; None where it makes a new row."""
        instance: Model = self.instance  # type: ignore[attr-defined]
        return None if instance._state.adding else instance

    @property
    def told_row(self) -> Model | None:
        """The row under which the audit tells that this one was saved."""
        return self.row

    def beside(self) -> Any:
        """What counts besides the fields: secrets, rows that are edited together with this one."""
        return None

    @cached_property
    def standing(self) -> dict[str, Any]:
        """What stands, by field, as the form shows it before anybody fills it in."""
        return {name: self.get_initial_for_field(field, name) for name, field in self.fields.items()}

    @cached_property
    def _state(self) -> dict[str, Any]:
        return {"fields": self.standing, "beside": self.beside()}

    @property
    def version(self) -> str:
        """What a form that was only tried began from stays."""
        if self.is_trial and (began_from := self.data.get(FIELD)):
            return str(began_from)
        return version_of(self._state, self.told_row) if self.told_row else ""

    def full_clean(self) -> None:
        state, row = self._state, self.told_row  # before cleaning makes of the row what was filled in
        super().full_clean()
        if self.is_bound and row is not None and not self.is_trial:
            self._refuse_if_stale(state, row)

    def _refuse_if_stale(self, state: Mapping[str, Any], row: Model) -> None:
        self.stale = stale_since(self.data.get(FIELD, ""), state, row, self.differing)
        if self.stale:
            self.add_error(None, ValidationError(CHANGED, code="stale"))

    def differing(self) -> list[Difference]:
        """Every field that was filled in with something else than stands."""
        bound = [self[name] for name in self.changed_data]
        filled = [one.field.bound_data(one.data, one.initial) for one in bound]
        return [
            (str(one.label), shown_value(one.field, one.initial), shown_value(one.field, mine))
            for one, mine in zip(bound, filled, strict=True)
        ]

    @property
    def is_only_stale(self) -> bool:
        """Whether all that is wrong with it is that it came too late."""
        return (
            self.stale is not None and not self.errors.keys() - {NON_FIELD_ERRORS} and len(self.non_field_errors()) == 1
        )

    @property
    def status(self) -> int:
        """Of the answer that shows the form."""
        return 409 if self.stale else 200


def _keyed(value: object) -> str:
    return str(value.pk if isinstance(value, Model) else value)
