"""HTTP addresses as rows keep them."""

from django.core.exceptions import ValidationError
from django.db import models

from catalog.sources.addresses import url_problem


def check_address(value: str) -> None:
    """Refuses what is no http(s) address. Private ones pass here: whether they are reached is an admin's word."""
    if problem := url_problem(value, allow_private=True):
        raise ValidationError(problem)


class AddressField(models.CharField[str, str]):
    """An http or https address."""

    default_validators = [check_address]
