"""The headers that a person gives for an HTTP server: which may be sent."""

import re
from collections.abc import Mapping

_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]{1,128}")
_VALUE = re.compile(r"[\t\x20-\x7e]{0,8192}")
_OURS = frozenset(
    {"host", "content-length", "content-type", "transfer-encoding", "connection", "accept", "accept-encoding"}
)


def header_problems(headers: Mapping[str, str]) -> list[str]:
    """Why these headers cannot be sent, as plain sentences that repeat neither a value nor a name that is none."""
    problems = []
    for name, value in headers.items():
        if not _NAME.fullmatch(name):
            problems.append(
                "A line does not begin with the name of a header: letters, digits and hyphens up to the colon."
            )
        elif name.lower() in _OURS or name.lower().startswith("mcp-"):
            problems.append(f"The header {name} is set by Pegboard itself. Leave it out.")
        elif not _VALUE.fullmatch(value):
            problems.append(f"The value of the header {name} holds a line break, or a character other than ASCII.")
    return problems
