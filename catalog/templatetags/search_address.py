"""The address of the search on the page, with some of it changed."""

from collections.abc import Mapping

from django.template import Library, RequestContext

register = Library()


@register.simple_tag(takes_context=True)
def search_with(context: RequestContext, changes: Mapping[str, str | None]) -> str:
    """The query string of this page after the changes; None leaves a part out, and so is `edits`."""
    query = context.request.GET.copy()
    for name, value in {**changes, "edits": None}.items():
        query.pop(name, None)
        if value is not None:
            query[name] = value
    return f"?{query.urlencode()}"
