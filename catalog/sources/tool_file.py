"""Lists of tools in a file, JSON, JSON Lines or YAML, told apart by what it holds."""

from catalog.sources import json_file
from catalog.sources.json_text import decoded, inflated
from catalog.sources.listing import Listing
from catalog.sources.tools_yaml import read_yaml


def read(content: bytes) -> Listing:
    """The tools, under names that are unique in the file: tools of several servers are named `server__tool`.

    Raises SourceError with the place (line and column) if the file as a whole cannot be read.
    """
    text = decoded(inflated(content, json_file.MAX_BYTES))
    return (json_file.read_text(text) if _is_json(text) else read_yaml(text)).as_one_server()


def _is_json(text: str) -> bool:
    return text.lstrip()[:1] in ("", "{", "[", '"')
