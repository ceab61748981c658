"""Addresses of searches: the one shown, with something else."""

from collections.abc import Mapping

from django import template

from catalog.forms.searching import SearchForm, query_string

register = template.Library()


@register.simple_tag
def address(form: SearchForm, **changes: str | int | None) -> str:
    """The query string of the search with other parameters; None leaves one out."""
    return _written(form, changes)


@register.simple_tag
def address_without(form: SearchForm, name: str) -> str:
    """The query string of the search without the parameter of that name."""
    return _written(form, {name: None})


@register.simple_tag
def address_after(form: SearchForm, changes: Mapping[str, str | None]) -> str:
    """The query string of the search after an edit changed it; the other edits are no longer asked for."""
    return _written(form, {**changes, "edits": None})


def _written(form: SearchForm, changes: Mapping[str, str | int | None]) -> str:
    parameters = form.address.copy()
    for name, value in changes.items():
        parameters.pop(name, None)
        if value is not None:
            parameters[name] = str(value)
    return f"?{query_string(parameters)}"
