"""What a file holds: tools, skills, an OpenAPI document, or a configuration of MCP servers."""

import re
from typing import Literal, get_args

from catalog.sources import mcp_servers

FileKind = Literal["tools", "skills", "openapi", "mcpservers"]
FILE_KINDS: tuple[FileKind, ...] = get_args(FileKind)

_ZIP = (b"PK\x03\x04", b"PK\x05\x06")
_LOOKED_AT = 64 * 1024
_OPENAPI = re.compile(rb"""(?:^|[{,])\s*(["']?)(?:openapi|swagger)\1\s*:\s*["']?[23]\.""", re.MULTILINE)


def kind_of_file(content: bytes, name: str = "") -> FileKind:
    """By what it holds; a name decides only that of a Markdown file. What nothing fits is taken for tools."""
    if content.startswith(_ZIP) or name.lower().endswith(".md"):
        return "skills"
    if _OPENAPI.search(content[:_LOOKED_AT]):
        return "openapi"
    return "mcpservers" if mcp_servers.looks_like_one(content) else "tools"
