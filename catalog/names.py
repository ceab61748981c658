"""When two names count as one: comparing server and tool names as people and configurations write them."""

import re
import unicodedata

_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


def normal_server(name: str) -> str:
    """Servers are compared without regard to case, `-` and `_` being one (P-25)."""
    return unicodedata.normalize("NFC", name).replace("-", "_").casefold()


def normal_tool(name: str) -> str:
    """Tools are compared as servers are, PascalCase, camelCase, snake_case and kebab-case being one (P-25)."""
    return normal_server(_CAMEL.sub("_", name))
