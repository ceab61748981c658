"""Lists of tools in a file, JSON, JSON Lines or YAML, told apart by what it holds."""

from codecs import BOM_UTF8

from catalog.sources import json_file
from catalog.sources.json_text import decoded, inflated
from catalog.sources.listing import Listing
from catalog.sources.tools_yaml import read_yaml


def read(content: bytes) -> Listing:
    """The tools, under names that are unique in the file: tools of several servers are named `server__tool`.

    Raises SourceError with the place (line and column) if the file as a whole cannot be read.
    """
    content = inflated(content, json_file.MAX_BYTES)
    read_text = json_file.read_text if _is_json(content) else read_yaml
    return read_text(decoded(content)).as_one_server()


def _is_json(content: bytes) -> bool:
    """A comment before the first bracket is what editors write into theirs."""
    return content.removeprefix(BOM_UTF8).lstrip()[:1] in (b"", b"{", b"[", b'"', b"/")
