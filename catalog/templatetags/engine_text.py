"""A catalog's engine in words."""

from django.template import Library

from catalog.forms.engine_settings import asked_settings
from catalog.models import Catalog
from catalog.search import ENGINES

register = Library()


@register.filter
def engine_title(catalog: Catalog) -> str:
    """The name of its engine."""
    return ENGINES[catalog.engine].title if catalog.engine in ENGINES else catalog.engine or "of the mode"


@register.filter
def engine_said(catalog: Catalog) -> str:
    """Its engine with the settings that differ from the defaults."""
    if catalog.engine not in ENGINES:
        return catalog.engine or "the engine of its mode in runs, Pegboard here"
    return asked_settings(catalog.engine, catalog.engine_settings, {}).said
