"""The addresses at which an API says that it is served."""

import re
from typing import Any
from urllib.parse import urljoin

from catalog.sources.addresses import url_problem
from catalog.sources.storable import storable_text

MAX_SHOWN = 50
_VARIABLE = re.compile(r"\{([^{}]*)\}")


def base_addresses(servers: Any, document_address: str = "") -> tuple[str, ...]:
    """The absolute http(s) addresses among `servers`, variables at their defaults; a relative one is read against the
    document's own address, and left out where that is not known.
    """
    if not isinstance(servers, list):
        return ()
    found = [_address(server, document_address) for server in servers[:MAX_SHOWN]]
    return tuple(dict.fromkeys(address for address in found if address))


def _address(server: Any, document_address: str) -> str:
    match server:
        case {"url": str(url)}:
            pass
        case _:
            return ""
    variables = server.get("variables")
    written = _VARIABLE.sub(lambda match: _default(variables, match), storable_text(url.strip()))
    try:
        address = urljoin(document_address, written) if document_address else written
    except ValueError:
        return ""
    address = address.partition("#")[0].partition("?")[0].rstrip("/")
    is_sound = len(address) <= 1_000 and not _VARIABLE.search(address) and not url_problem(address, allow_private=True)
    return address if is_sound else ""


def _default(variables: Any, match: re.Match[str]) -> str:
    """The default of a variable; without one, the variable stays as it is written."""
    match variables:
        case dict() if isinstance(variable := variables.get(match[1]), dict):
            default = variable.get("default")
            return storable_text(default) if isinstance(default, str) else match[0]
    return match[0]
