"""How the name of a tool stands in an address: the page of one tool is never that of another's form, whatever they are named."""

import re

from django.urls import register_converter


class NameConverter:
    """A slash within a name, as in `invoices/edit`, is written `~2F`. One that stands there as such is read, too."""

    regex = ".+"

    def to_python(self, value: str) -> str:
        return re.sub("~(2F|2E|7E)", lambda found: chr(int(found[1], 16)), value)

    def to_url(self, value: str) -> str:
        """Names of dots alone would lead a browser up."""
        escaped = r"[~/.]" if not value.strip(".") else r"[~/]"
        return re.sub(escaped, lambda found: f"~{ord(found[0]):X}", value)


register_converter(NameConverter, "tool_name")
TOOL = "tools/<slug:server>/<tool_name:name>/"
