"""Values made into rows and lines for a template: a schema's parameters, and the lines of a change."""

from typing import Any

from django.template import Library

from catalog.differences import Line, compare
from catalog.schema_table import ParameterRow, parameter_rows
from catalog.tools import JsonSchema

register = Library()


@register.filter
def parameters(schema: JsonSchema) -> list[ParameterRow]:
    return parameter_rows(schema)


@register.filter
def at(figures: dict[int, int], key: int) -> int:
    """The figure of a row, by its key."""
    return figures[key]


@register.filter
def compared_with(after: Any, before: Any) -> list[Line]:
    return compare(before, after)
